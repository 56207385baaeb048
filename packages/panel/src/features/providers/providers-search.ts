import type { Address } from '../../platform/browser/address.ts';
import type { UrlSearch } from '../../platform/browser/url-search.ts';
import { KIND_IDS, type KindId } from '../../platform/gateway/providers/kinds.ts';
import { ENABLED_CHOICES, type EnabledChoice } from './model/rows.ts';

/** Address parameters of the page; no part of a key is among them. */
export interface ProvidersSearch {
  /** '' = every kind. */
  readonly type: KindId | '';
  readonly enabled: EnabledChoice;
  readonly search: string;
  /** Id of the open entry, '' = none. */
  readonly entry: string;
}

const MAX_TEXT = 300;

function readProvidersSearch(url: UrlSearch): ProvidersSearch {
  const search = (url.search?.[0] ?? '').trim();
  const entry = url.entry?.[0] ?? '';
  return {
    type: KIND_IDS.find((id) => id === url.type?.[0]) ?? '',
    enabled: ENABLED_CHOICES.find((choice) => choice === url.enabled?.[0]) ?? 'all',
    search: search.length > MAX_TEXT ? '' : search,
    entry: /^[a-z]+-[0-9a-f]{16}(\.\d+)?$/.test(entry) ? entry : '',
  };
}

function writeProvidersSearch({ type, enabled, search, entry }: ProvidersSearch, before: UrlSearch): UrlSearch {
  const { type: _type, enabled: _enabled, search: _search, entry: _entry, ...others } = before;
  return {
    ...others,
    ...(type === '' ? {} : { type: [type] }),
    ...(enabled === 'all' ? {} : { enabled: [enabled] }),
    ...(search === '' ? {} : { search: [search] }),
    ...(entry === '' ? {} : { entry: [entry] }),
  };
}

export const PROVIDERS_ADDRESS: Address<ProvidersSearch> = { read: readProvidersSearch, write: writeProvidersSearch };
