import { type ComponentType, createContext, useContext } from 'react';
import type { TextKey } from '../../platform/i18n/index.ts';
import type { Mode } from '../../platform/session/identity.ts';

/** A page that `/` may lead to. */
interface StartPage {
  readonly path: string;
  readonly label: TextKey;
}

/** What pages need from the shell, which knows all features: they do not import it, `main.tsx` provides it. */
export interface ShellParts {
  /** Navigation, for a page on a narrow screen. */
  readonly Sidebar: ComponentType<{ readonly onFollow: () => void }>;
  /** Above the content of every page. */
  readonly Banners: ComponentType;
  /** In the header of every page: work that continues on other pages. */
  readonly HeaderNote: ComponentType;
  /** The doctor's findings, for a page without data. */
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
