import type { EventRow, FilterOptions } from '@manager/core/contract/monitoring/analytics';
import { formatDuration } from '../format/format.ts';
import type { Masker } from '../format/mask.ts';

import type { TextKey, Translate } from '../i18n/index.ts';
import { rangeText } from '../range/labels.ts';
import { accountName, accountToken } from './account-names.ts';
import { accountNameOf, eventNames, keyName } from './event-view.ts';
import {
  DEFAULT_REQUEST_FILTERS,
  LIST_FILTER_NAMES,
  type ListFilter,
  type RequestFilters,
  setListFilter,
} from './request-filters.ts';

const LIST_LABELS = {
  model: 'filter.model',
  provider: 'filter.provider',
  account: 'filter.account',
  auth_file: 'filter.file',
  auth_index: 'filter.authIndex',
  api_key_hash: 'filter.key',
  project_id: 'filter.project',
  request_type: 'filter.requestType',
  error_kind: 'filter.errorKind',
  error_code: 'filter.errorCode',
  quota_plan: 'filter.quotaPlan',
  header_trace_id: 'filter.trace',
} as const satisfies Record<ListFilter, TextKey>;

export interface FilterNames {
  readonly t: Translate;
  readonly locale: string;
  readonly keyNames: ReadonlyMap<string, string>;
  readonly masker: Masker;
  readonly zone: string;
  /** undefined = the range's contents are unknown. */
  readonly selectors: FilterOptions | undefined;
  readonly rare: FilterOptions | undefined;
  /** Requests on screen, which may have names that the menus lack. */
  readonly loaded?: readonly EventRow[];
}

export interface FilterLabel<S extends RequestFilters> {
  readonly key: string;
  /** `Model: alpha-1`, masked as everything on screen. */
  readonly label: string;
  /** The label in another form. */
  readonly title?: string;
  readonly without: S;
}

/** Name of the account with an `auth_index`, masked; '' = unknown. */
function indexName(index: string, { selectors, loaded = [], keyNames, masker }: FilterNames): string {
  const row = selectors?.account_stats?.find(({ auth_indices }) => auth_indices?.includes(index));
  if (row !== undefined) return accountNameOf({ ...row, source: row.sources?.[0] }, masker);
  const event = loaded.find(({ auth_index }) => auth_index === index);
  return event === undefined ? '' : eventNames(event, keyNames, masker).account;
}

/** Every active filter as text, each with a way to remove it. */
export function filterLabels<S extends RequestFilters>(search: S, names: FilterNames): readonly FilterLabel<S>[] {
  const { t, locale, keyNames, masker, zone, selectors, rare } = names;
  const text = (name: ListFilter, value: string): string => {
    if (name === 'account') return masker.account(accountName(value) ?? t('filter.unknownAccount'));
    if (name === 'api_key_hash') return keyName(value, keyNames);
    if (name === 'auth_file') return masker.file(value);
    return name === 'project_id' ? masker.project(value) : value;
  };
  const offered: Partial<Record<ListFilter, readonly string[] | undefined>> = {
    model: selectors?.models,
    provider: selectors?.providers,
    account: selectors?.accounts?.map(accountToken),
    api_key_hash: selectors?.api_key_hashes,
    auth_file: selectors?.auth_files,
    project_id: rare?.project_ids,
    request_type: rare?.request_types,
    error_kind: rare?.header_error_kinds,
    error_code: rare?.header_error_codes,
    quota_plan: rare?.header_quota_plans,
  };
  const absent = (name: ListFilter, value: string): boolean => {
    const list = offered[name];
    return list !== undefined && !list.some((known) => known.toLowerCase() === value.toLowerCase());
  };
  const chips: FilterLabel<S>[] = [];
  if (search.range.name === 'custom') {
    chips.push({
      key: 'range',
      label: rangeText({ fromMs: search.range.fromMs ?? 0, toMs: search.range.toMs ?? 0 }, zone, locale),
      without: { ...search, range: DEFAULT_REQUEST_FILTERS.range },
    });
  }
  for (const name of LIST_FILTER_NAMES) {
    for (const value of search.lists[name]) {
      const named = name === 'auth_index' ? indexName(value, names) : '';
      const own = `${t(LIST_LABELS[name])}: ${text(name, value)}`;
      const label = named === '' ? own : `${t('filter.account')}: ${named}`;
      chips.push({
        key: `${name}:${value}`,
        label: absent(name, value) ? t('filter.notInRange', { value: label }) : label,
        ...(named === '' ? {} : { title: own }),
        without: setListFilter(
          search,
          name,
          search.lists[name].filter((other) => other !== value),
        ),
      });
    }
  }
  if (search.status !== 'all') {
    const word = search.status === 'failed' ? t('filter.failed') : t('filter.succeeded');
    chips.push({ key: 'status', label: `${t('filter.status')}: ${word}`, without: { ...search, status: 'all' } });
  }
  if (search.minLatencyMs > 0) {
    chips.push({
      key: 'latency',
      label: `${t('filter.latency')}: ≥ ${formatDuration(search.minLatencyMs)}`,
      without: { ...search, minLatencyMs: 0 },
    });
  }
  if (search.cache !== '') {
    chips.push({
      key: 'cache',
      label: `${t('filter.cache')}: ${t(CACHE_LABELS[search.cache])}`,
      without: { ...search, cache: '' },
    });
  }
  if (search.search !== '') {
    chips.push({
      key: 'search',
      label: `${t('search.label')}: ${masker.text(search.search)}`,
      without: { ...search, search: '' },
    });
  }
  return chips;
}

const CACHE_LABELS = {
  hit: 'cache.hit',
  miss: 'cache.miss',
  read: 'cache.read',
  creation: 'cache.creation',
} as const satisfies Record<string, TextKey>;
