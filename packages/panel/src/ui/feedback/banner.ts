import type { UrlSearch } from '../../platform/browser/url-search.ts';
import type { TextKey } from '../../platform/i18n/index.ts';

/** Values are raw; the view formats times and counts. */
export interface StatusNote {
  /** One note per kind, with its cause where it has several; also the key of a dismissal. */
  readonly kind: string;
  readonly tone: 'bad' | 'warn' | 'wait';
  readonly fact: TextKey;
  readonly text: TextKey;
  /** Sentences after it. */
  readonly also?: readonly TextKey[];
  readonly counts?: Readonly<Record<string, number>>;
  readonly times?: Readonly<Record<string, number | null>>;
  /** Durations, ms. */
  readonly spans?: Readonly<Record<string, number>>;
  /** Text of the server, shown unchanged. */
  readonly detail?: string;
  readonly to?: '/settings' | '/doctor' | '/system' | '/usage-maintenance' | '/model-prices' | '/report';
  readonly search?: UrlSearch;
  readonly link?: TextKey;
  /** Can be dismissed; absent = stays until the problem is fixed. */
  readonly dismiss?: 'day' | 'ever';
  /** In place of the link. */
  readonly action?: 'reload' | 'publish';
}

/** A note of any source. */
export interface Banner extends StatusNote {
  /** Values shown unchanged. */
  readonly words?: Readonly<Record<string, string>>;
}

/** Unpriced requests in a page's range; null = none. */
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
