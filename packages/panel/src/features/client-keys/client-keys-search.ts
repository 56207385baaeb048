import type { Address } from '../../platform/browser/address.ts';
import type { UrlSearch } from '../../platform/browser/url-search.ts';
import type { RangeChoice } from '../../platform/range/range.ts';
import { type RangeRules, readRange, writeRange } from '../../platform/range/range-url.ts';
import { SHOW_CHOICES, type ShowChoice } from './key-rows.ts';

/** Range in which the use of keys is counted. */
export const KEY_RANGES: RangeRules = {
  names: ['24h', '7d', '30d', 'month', 'last_month', 'all'],
  fallback: '30d',
  parameter: 'range',
  rolling: true,
};

/** Address parameters of the page. */
export interface ClientKeysSearch {
  readonly range: RangeChoice;
  readonly show: ShowChoice;
  readonly search: string;
  /** Hash of the key open beside the list; '' = none. */
  readonly key: string;
}

const DEFAULT_SHOW: ShowChoice = 'active';
const MAX_TEXT = 300;

export function readClientKeysSearch(url: UrlSearch): ClientKeysSearch {
  const search = (url.search?.[0] ?? '').trim();
  const key = (url.key?.[0] ?? '').toLowerCase();
  return {
    range: readRange(url, KEY_RANGES),
    show: SHOW_CHOICES.find((choice) => choice === url.show?.[0]) ?? DEFAULT_SHOW,
    search: search.length > MAX_TEXT ? '' : search,
    key: /^[0-9a-f]{64}$/.test(key) ? key : '',
  };
}

/** Other parameters are kept, defaults are not written. */
export function writeClientKeysSearch({ range, show, search, key }: ClientKeysSearch, before: UrlSearch): UrlSearch {
  const { show: _show, search: _search, key: _key, ...others } = before;
  return {
    ...writeRange(range, KEY_RANGES, others),
    ...(show === DEFAULT_SHOW ? {} : { show: [show] }),
    ...(search === '' ? {} : { search: [search] }),
    ...(key === '' ? {} : { key: [key] }),
  };
}

export const CLIENT_KEYS_ADDRESS: Address<ClientKeysSearch> = {
  read: readClientKeysSearch,
  write: writeClientKeysSearch,
};
