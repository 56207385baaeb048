import type { UrlSearch } from '../../platform/browser/url-search.ts';
import type { TextKey } from '../../platform/i18n/index.ts';

/** Values are raw; the view formats times and counts. */
export interface StatusNote {
  /** One note per kind, with its cause where it has several; also the name under which a dismissal is kept. */
  readonly kind: string;
  readonly tone: 'bad' | 'warn' | 'wait';
  readonly fact: TextKey;
  readonly text: TextKey;
  /** Sentences that follow it. */
  readonly also?: readonly TextKey[];
  readonly counts?: Readonly<Record<string, number>>;
  readonly times?: Readonly<Record<string, number | null>>;
  /** Words of the server, shown as they are. */
  readonly detail?: string;
  readonly to?: '/settings' | '/doctor' | '/system' | '/usage-maintenance' | '/model-prices';
  readonly search?: UrlSearch;
  readonly link?: TextKey;
  /** Goes away when dismissed; absent = stays until it is mended. */
  readonly dismiss?: 'day' | 'ever';
}

/** One banner: a note, or one whose action is no link. */
export interface Banner extends StatusNote {
  /** Values that are shown as they are. */
  readonly words?: Readonly<Record<string, string>>;
  readonly action?: 'reload';
}

/** Requests of a page's range that cost something nobody knows; null = none. */
export function unpricedBanner(requests: number): Banner | null {
  if (requests === 0) return null;
  return {
    kind: 'unpriced',
    tone: 'warn',
    fact: 'note.unpricedFact',
    text: 'note.unpricedText',
    counts: { requests },
    to: '/model-prices',
    search: { filter: ['missing'] },
    link: 'note.openPrices',
    dismiss: 'day',
  };
}
