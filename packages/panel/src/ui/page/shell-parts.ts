import { type ComponentType, createContext, useContext } from 'react';
import type { TextKey } from '../../platform/i18n/index.ts';
import type { Mode } from '../../platform/session/identity.ts';

/** A page that `/` may lead to. */
interface StartPage {
  readonly path: string;
  readonly label: TextKey;
}

/** What pages take from the shell, which knows all features: they do not import it, `main.tsx` hands it to them. */
export interface ShellParts {
  /** Navigation, for a page on a narrow screen. */
  readonly Sidebar: ComponentType<{ readonly onFollow: () => void }>;
  /** Above the content of every page. */
  readonly Banners: ComponentType;
  /** In the header of every page: work that continues while other pages are open. */
  readonly HeaderNote: ComponentType;
  /** What the doctor finds, for a page that has nothing to show. */
  readonly DoctorFindings: ComponentType;
  readonly startPages: (mode: Mode) => readonly StartPage[];
  /** The page that `/` leads to, given the chosen one. */
  readonly startPath: (chosen: string, mode: Mode) => string;
}

export const ShellPartsContext = createContext<ShellParts | null>(null);

export function useShellParts(): ShellParts {
  const parts = useContext(ShellPartsContext);
  if (parts === null) throw new Error('the parts of the shell are missing');
  return parts;
}
