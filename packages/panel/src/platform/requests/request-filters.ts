import type { AnalyticsFilters } from '@manager/core/contract/monitoring/analytics';
import { LIST_FILTERS } from '@manager/core/contract/monitoring/filter-names';
import { isPrivateText } from '../browser/private-text.ts';
import type { UrlSearch } from '../browser/url-search.ts';
import type { RangeChoice } from '../range/range.ts';
import { type RangeRules, readRange, writeRange } from '../range/range-url.ts';

/** Ranges of several days begin at a midnight. */
export const REQUEST_RANGES: RangeRules = {
  names: ['1h', 'today', '24h', '7d', '30d', 'month', 'last_month', 'last_week', 'yesterday', '14d', 'all'],
  fallback: 'today',
  parameter: 'range',
  rolling: false,
};

export type ListFilter = keyof typeof LIST_FILTERS;
export const LIST_FILTER_NAMES = Object.keys(LIST_FILTERS) as readonly ListFilter[];

export type StatusFilter = 'all' | 'success' | 'failed';
const CACHE_FILTERS = ['', 'hit', 'miss', 'read', 'creation'] as const;
export type CacheFilter = (typeof CACHE_FILTERS)[number];

/** Range and filters: which requests a list shows and a sum counts. */
export interface RequestFilters {
  readonly range: RangeChoice;
  readonly lists: Readonly<Record<ListFilter, readonly string[]>>;
  readonly status: StatusFilter;
  /** 0 = none. */
  readonly minLatencyMs: number;
  readonly cache: CacheFilter;
  readonly search: string;
}

const emptyLists = (): Record<ListFilter, readonly string[]> =>
  Object.fromEntries(LIST_FILTER_NAMES.map((name) => [name, []])) as unknown as Record<ListFilter, readonly string[]>;

export const DEFAULT_REQUEST_FILTERS: RequestFilters = {
  range: { name: 'today', fromMs: null, toMs: null },
  lists: emptyLists(),
  status: 'all',
  minLatencyMs: 0,
  cache: '',
  search: '',
};

/** Largest instant a date can hold, ms. */
const MAX_TIME_MS = 8.64e15;

/** Reads the filters of an address; an invalid value counts as its default. */
export function readRequestFilters(url: UrlSearch): RequestFilters {
  const lists = emptyLists();
  for (const name of LIST_FILTER_NAMES) {
    lists[name] = [...new Set((url[name] ?? []).map((value) => value.trim()).filter((value) => value !== ''))];
  }
  const status = url.status?.[0];
  const latency = Number(url.min_latency_ms?.[0]);
  return {
    range: readRange(url, REQUEST_RANGES),
    lists,
    status: status === 'success' || status === 'failed' ? status : 'all',
    minLatencyMs: Number.isInteger(latency) && latency > 0 && latency <= MAX_TIME_MS ? latency : 0,
    cache: CACHE_FILTERS.find((known) => known === url.cache_status?.[0]) ?? '',
    search: (url.search?.[0] ?? '').trim(),
  };
}

/** Writes the filters that differ from the default; other parameters stay. */
export function writeRequestFilters(filters: RequestFilters, others: UrlSearch): UrlSearch {
  const url = writeRange(filters.range, REQUEST_RANGES, others);
  for (const name of ['status', 'min_latency_ms', 'cache_status', 'search']) delete url[name];
  for (const name of LIST_FILTER_NAMES) {
    if (filters.lists[name].length > 0) url[name] = [...filters.lists[name]];
    else delete url[name];
  }
  if (filters.status !== 'all') url.status = [filters.status];
  if (filters.minLatencyMs > 0) url.min_latency_ms = [String(filters.minLatencyMs)];
  if (filters.cache !== '') url.cache_status = [filters.cache];
  if (filters.search !== '' && !isPrivateText(filters.search)) url.search = [filters.search];
  return url;
}

/** The search as sent to the server, which knows hashes of client keys without the panel's `#`. */
export const searchQuery = (text: string): string => text.replace(/^#(?=[0-9a-f]+$)/i, '');

/** Members of `filters` in a request; `accounts` are the real names behind the address. */
export function toFilters(search: RequestFilters, accounts: readonly string[]): AnalyticsFilters {
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
export function countFilters(search: RequestFilters): number {
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
export function clearFilters<S extends RequestFilters>(search: S): S {
  const { lists, status, minLatencyMs, cache, search: text } = DEFAULT_REQUEST_FILTERS;
  return { ...search, lists, status, minLatencyMs, cache, search: text };
}

/** Everything that changes an answer, as one text, without display options. */
export function questionKey({ range, lists, status, minLatencyMs, cache, search }: RequestFilters): string {
  return JSON.stringify([range, lists, status, minLatencyMs, cache, search]);
}

export function setListFilter<S extends RequestFilters>(search: S, name: ListFilter, values: readonly string[]): S {
  return { ...search, lists: { ...search.lists, [name]: values } };
}
