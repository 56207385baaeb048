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
  /** Found by these as well, such as the real name behind a mask; never shown. */
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
  /** Part of the cache's key. */
  readonly id: string;
  readonly heading: TextKey;
  /**
   * `always` = listed before anything is typed, too; `typed` = once it matches what is typed; `made` = its items are made from
   * what is typed, so that they are not compared with it.
   */
  readonly found: 'always' | 'typed' | 'made';
  /** It asks the manager, or leads to a page that does. */
  readonly managed?: true;
  /** Asked once when the palette opens, and kept for a while. A failure leaves the other kinds alone. */
  readonly load: (services: Services, signal: AbortSignal) => PaletteItems | Promise<PaletteItems>;
}
