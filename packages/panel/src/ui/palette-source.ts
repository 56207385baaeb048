import type { Services } from '../platform/api/services.ts';
import type { UrlSearch } from '../platform/browser/url-search.ts';
import type { Masker } from '../platform/format/mask.ts';
import type { TextKey, Translate } from '../platform/i18n/index.ts';
import type { Mode } from '../platform/session/identity.ts';
import type { IconName } from './icons.tsx';

interface PaletteTarget {
  readonly to: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly search?: UrlSearch;
}

export interface PaletteItem {
  readonly key: string;
  /** As shown: masked while masking is on. */
  readonly label: string;
  readonly detail?: string;
  readonly icon: IconName;
  /** Further search texts, such as the real name behind a mask; never shown. */
  readonly words?: string;
  readonly open: PaletteTarget | (() => void);
}

export interface PaletteContext {
  readonly t: Translate;
  readonly masker: Masker;
  /** Names of client keys by hash. */
  readonly keyNames: ReadonlyMap<string, string>;
  readonly services: Services;
  readonly mode: Mode;
  /** What was typed, trimmed. */
  readonly text: string;
}

type PaletteItems = (context: PaletteContext) => readonly PaletteItem[];

/**
 * One kind of thing that the palette finds. A feature exports its own and adds it to `sources.ts`.
 *
 *     export const modelSource: PaletteSource = {
 *       id: 'models', heading: 'palette.models', found: 'typed',
 *       load: async ({ manager }, signal) => {
 *         const models = await …;
 *         return () => models.map((model) => ({ key: model, label: model, icon: 'prices', open: { to: '/…' } }));
 *       },
 *     };
 */
export interface PaletteSource {
  /** Part of the query key. */
  readonly id: string;
  readonly heading: TextKey;
  /**
   * `always` = also listed without search text; `typed` = listed when it matches; `made` = items are generated from the search
   * text, so they are not compared with it.
   */
  readonly found: 'always' | 'typed' | 'made';
  /** Needs the manager. */
  readonly managed?: true;
  /** Loaded when the palette opens, and cached for a while. A failure does not affect the other kinds. */
  readonly load: (services: Services, signal: AbortSignal) => PaletteItems | Promise<PaletteItems>;
}
