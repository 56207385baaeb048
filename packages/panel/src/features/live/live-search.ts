import type { AnalyticsFilters } from '@manager/core/contract/monitoring';
import { isPrivateText } from '../../app/private-text.ts';
import type { UrlSearch } from '../../app/url-search.ts';
import type { CompareChoice, RangeChoice } from '../../ui/range/range.ts';
import { type RangeRules, readCompare, readRange, writeCompare, writeRange } from '../../ui/range/range-url.ts';
import { COLUMN_IDS, type ColumnId } from './columns.ts';

/** Ranges of several days begin at a midnight. */
export const LIVE_RANGES: RangeRules = {
  names: ['1h', 'today', '24h', '7d', '30d', 'all', 'yesterday', '14d'],
  fallback: 'today',
  parameter: 'range',
  rolling: false,
};

/** List filters: name in the address → member of the request. One table, so that both always know the same ones. */
const LIST_FILTERS = {
  model: 'models',
  provider: 'providers',
  account: 'accounts',
  auth_file: 'auth_files',
  auth_index: 'auth_indices',
  api_key_hash: 'api_key_hashes',
  project_id: 'project_ids',
  request_type: 'request_types',
  error_kind: 'header_error_kinds',
  error_code: 'header_error_codes',
  quota_plan: 'header_quota_plans',
  header_trace_id: 'header_trace_ids',
} as const satisfies Record<string, keyof AnalyticsFilters>;

export type ListFilter = keyof typeof LIST_FILTERS;
export const LIST_FILTER_NAMES = Object.keys(LIST_FILTERS) as readonly ListFilter[];

export type StatusFilter = 'all' | 'success' | 'failed';
const CACHE_FILTERS = ['', 'hit', 'miss', 'read', 'creation'] as const;
export type CacheFilter = (typeof CACHE_FILTERS)[number];

export const LIVE_TABS = ['realtime', 'accounts', 'keys', 'models', 'failures'] as const;
export type LiveTab = (typeof LIVE_TABS)[number];

/** What failures are put together by. */
export const FAILURE_GROUPS = ['cause', 'kind', 'code', 'account', 'model'] as const;
export type FailureGroup = (typeof FAILURE_GROUPS)[number];

export type Density = 'compact' | 'comfortable';

/** Everything of the live page that its address holds. */
export interface LiveSearch {
  readonly range: RangeChoice;
  readonly lists: Readonly<Record<ListFilter, readonly string[]>>;
  readonly status: StatusFilter;
  /** 0 = none. */
  readonly minLatencyMs: number;
  readonly cache: CacheFilter;
  readonly search: string;
  readonly compare: CompareChoice;
  readonly tab: LiveTab;
  /** Order of the tab's table, as `readSort` takes it; '' = its own. */
  readonly sort: string;
  readonly group: FailureGroup;
  /** null = the remembered choice, else the usual ones. */
  readonly columns: readonly ColumnId[] | null;
  readonly density: Density | null;
}

const emptyLists = (): Record<ListFilter, readonly string[]> =>
  Object.fromEntries(LIST_FILTER_NAMES.map((name) => [name, []])) as unknown as Record<ListFilter, readonly string[]>;

export const DEFAULT_LIVE_SEARCH: LiveSearch = {
  range: { name: 'today', fromMs: null, toMs: null },
  lists: emptyLists(),
  status: 'all',
  minLatencyMs: 0,
  cache: '',
  search: '',
  compare: { kind: 'none' },
  tab: 'realtime',
  sort: '',
  group: 'cause',
  columns: null,
  density: null,
};

/** Largest instant a date can hold, ms. */
const MAX_TIME_MS = 8.64e15;

/** Reads the address; an invalid value counts as its default. */
export function readLiveSearch(url: UrlSearch): LiveSearch {
  const lists = emptyLists();
  for (const name of LIST_FILTER_NAMES) {
    lists[name] = [...new Set((url[name] ?? []).map((value) => value.trim()).filter((value) => value !== ''))];
  }
  const status = url.status?.[0];
  const latency = Number(url.min_latency_ms?.[0]);
  return {
    range: readRange(url, LIVE_RANGES),
    lists,
    status: status === 'success' || status === 'failed' ? status : 'all',
    minLatencyMs: Number.isInteger(latency) && latency > 0 && latency <= MAX_TIME_MS ? latency : 0,
    cache: CACHE_FILTERS.find((known) => known === url.cache_status?.[0]) ?? '',
    search: (url.search?.[0] ?? '').trim(),
    compare: readCompare(url),
    tab: LIVE_TABS.find((known) => known === url.tab?.[0]) ?? 'realtime',
    sort: /^-?[a-zA-Z]{1,24}$/.test(url.sort?.[0] ?? '') ? (url.sort?.[0] ?? '') : '',
    group: FAILURE_GROUPS.find((known) => known === url.group?.[0]) ?? 'cause',
    columns: readColumns(url.cols?.[0]),
    density: DENSITIES.find((known) => known === url.density?.[0]) ?? null,
  };
}

const DENSITIES: readonly Density[] = ['compact', 'comfortable'];

/** Known names in the order of the table; none of them = no choice. */
export function readColumns(text: string | undefined): readonly ColumnId[] | null {
  const named = new Set((text ?? '').split(','));
  const known = COLUMN_IDS.filter((id) => named.has(id));
  return known.length === 0 ? null : known;
}

/** Writes the parts that differ from the default; parameters of others stay. */
export function writeLiveSearch(search: LiveSearch, others: UrlSearch): UrlSearch {
  const url = writeCompare(search.compare, writeRange(search.range, LIVE_RANGES, others));
  for (const name of SINGLE) delete url[name];
  for (const name of LIST_FILTER_NAMES) {
    if (search.lists[name].length > 0) url[name] = [...search.lists[name]];
    else delete url[name];
  }
  if (search.status !== 'all') url.status = [search.status];
  if (search.minLatencyMs > 0) url.min_latency_ms = [String(search.minLatencyMs)];
  if (search.cache !== '') url.cache_status = [search.cache];
  if (search.search !== '' && !isPrivateText(search.search)) url.search = [search.search];
  if (search.tab !== 'realtime') url.tab = [search.tab];
  if (search.sort !== '') url.sort = [search.sort];
  if (search.group !== 'cause') url.group = [search.group];
  if (search.columns !== null) url.cols = [search.columns.join(',')];
  if (search.density !== null) url.density = [search.density];
  return url;
}

/** Parameters of this page that stand once. */
const SINGLE = ['status', 'min_latency_ms', 'cache_status', 'search', 'tab', 'sort', 'group', 'cols', 'density'];

/** An address with an invalid part, as it should be; null when it is right as it is. */
export function correctedUrl(url: UrlSearch): UrlSearch | null {
  const right = writeLiveSearch(readLiveSearch(url), url);
  const text = (of: UrlSearch) => JSON.stringify(Object.entries(of).sort(([a], [b]) => (a < b ? -1 : 1)));
  return text(right) === text(url) ? null : right;
}

/** Members of `filters` in a request; `accounts` are the real names behind the address. */
export function toFilters(search: LiveSearch, accounts: readonly string[]): AnalyticsFilters {
  const filters: AnalyticsFilters = {};
  for (const name of LIST_FILTER_NAMES) {
    const values = name === 'account' ? accounts : search.lists[name];
    if (values.length > 0) filters[LIST_FILTERS[name]] = [...values];
  }
  if (search.status === 'failed') filters.failed_only = true;
  if (search.status === 'success') filters.include_failed = false;
  if (search.minLatencyMs > 0) filters.min_latency_ms = search.minLatencyMs;
  if (search.cache !== '') filters.cache_status = search.cache;
  return filters;
}

/** Number of active filters, the search included. */
export function countFilters(search: LiveSearch): number {
  const lists = LIST_FILTER_NAMES.reduce((sum, name) => sum + search.lists[name].length, 0);
  return (
    lists +
    (search.status === 'all' ? 0 : 1) +
    (search.minLatencyMs > 0 ? 1 : 0) +
    (search.cache === '' ? 0 : 1) +
    (search.search === '' ? 0 : 1)
  );
}

/** No filter; range and view stay. */
export function clearFilters(search: LiveSearch): LiveSearch {
  const { lists, status, minLatencyMs, cache, search: text } = DEFAULT_LIVE_SEARCH;
  return { ...search, lists, status, minLatencyMs, cache, search: text };
}

/** What changes an answer, as one text: not how it is shown. */
export function questionKey({ range, lists, status, minLatencyMs, cache, search }: LiveSearch): string {
  return JSON.stringify([range, lists, status, minLatencyMs, cache, search]);
}

export function setListFilter(search: LiveSearch, name: ListFilter, values: readonly string[]): LiveSearch {
  return { ...search, lists: { ...search.lists, [name]: values } };
}
