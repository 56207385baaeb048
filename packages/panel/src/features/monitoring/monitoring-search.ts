import type { UrlSearch } from '../../platform/browser/url-search.ts';
import type { Density } from '../../platform/preferences/preferences.ts';
import type { CompareChoice } from '../../platform/range/range.ts';
import { readCompare, writeCompare } from '../../platform/range/range-url.ts';
import {
  DEFAULT_REQUEST_FILTERS,
  questionKey,
  type RequestFilters,
  readRequestFilters,
  writeRequestFilters,
} from '../../platform/requests/request-filters.ts';
import { COLUMN_IDS, type ColumnId } from './list/columns.ts';

export const MONITORING_TABS = ['realtime', 'accounts', 'keys', 'models', 'failures'] as const;
export type MonitoringTab = (typeof MONITORING_TABS)[number];

/** How failures are grouped. */
export const FAILURE_GROUPS = ['cause', 'kind', 'code', 'account', 'model'] as const;
export type FailureGroup = (typeof FAILURE_GROUPS)[number];

/** Address parameters of the monitoring page. */
export interface MonitoringSearch extends RequestFilters {
  readonly compare: CompareChoice;
  readonly tab: MonitoringTab;
  /** Sort order of the tab's table, as `readSort` takes it; '' = its default. */
  readonly sort: string;
  readonly group: FailureGroup;
  /** null = the stored choice, else the default ones. */
  readonly columns: readonly ColumnId[] | null;
  readonly density: Density | null;
  /** For the grouped tables: rows per page, 0 = all; and the page, from 1. */
  readonly pageSize: number;
  readonly page: number;
}

/** Rows per page; 0 = all, in one virtual list. */
export const PAGE_SIZES = [20, 50, 100, 0] as const;

export const DEFAULT_MONITORING_SEARCH: MonitoringSearch = {
  ...DEFAULT_REQUEST_FILTERS,
  compare: { kind: 'none' },
  tab: 'realtime',
  sort: '',
  group: 'cause',
  columns: null,
  density: null,
  pageSize: 0,
  page: 1,
};

const DENSITIES: readonly Density[] = ['compact', 'comfortable'];

/** Reads the address; an invalid value counts as its default. */
export function readMonitoringSearch(url: UrlSearch): MonitoringSearch {
  const sort = url.sort?.[0] ?? '';
  const page = Number(url.page?.[0]);
  return {
    ...readRequestFilters(url),
    compare: readCompare(url),
    tab: MONITORING_TABS.find((known) => known === url.tab?.[0]) ?? 'realtime',
    sort: /^-?[a-zA-Z]{1,24}$/.test(sort) ? sort : '',
    group: FAILURE_GROUPS.find((known) => known === url.group?.[0]) ?? 'cause',
    columns: readColumns(url.cols?.[0]),
    density: DENSITIES.find((known) => known === url.density?.[0]) ?? null,
    pageSize: PAGE_SIZES.find((known) => String(known) === url.pageSize?.[0]) ?? 0,
    page: Number.isInteger(page) && page > 1 ? page : 1,
  };
}

/** Known names in the order of the table; none of them = no choice. */
export function readColumns(text: string | undefined): readonly ColumnId[] | null {
  const named = new Set((text ?? '').split(','));
  const known = COLUMN_IDS.filter((id) => named.has(id));
  return known.length === 0 ? null : known;
}

/** Writes the parts that differ from the default; other parameters stay. */
export function writeMonitoringSearch(search: MonitoringSearch, others: UrlSearch): UrlSearch {
  const url = writeCompare(search.compare, writeRequestFilters(search, others));
  for (const name of ['tab', 'sort', 'group', 'cols', 'density', 'pageSize', 'page']) delete url[name];
  if (search.tab !== 'realtime') url.tab = [search.tab];
  if (search.sort !== '') url.sort = [search.sort];
  if (search.group !== 'cause') url.group = [search.group];
  if (search.columns !== null) url.cols = [search.columns.join(',')];
  if (search.density !== null) url.density = [search.density];
  if (search.pageSize !== 0) url.pageSize = [String(search.pageSize)];
  if (search.page > 1) url.page = [String(search.page)];
  return url;
}

/** The address after a change: other rows begin with their first page. */
export function changedUrl(next: MonitoringSearch, before: UrlSearch): UrlSearch {
  const same = questionKey(readMonitoringSearch(before)) === questionKey(next);
  return writeMonitoringSearch(same ? next : { ...next, page: 1 }, before);
}

/** The corrected address if a part is invalid; null when it is valid. */
export function correctedUrl(url: UrlSearch): UrlSearch | null {
  const right = writeMonitoringSearch(readMonitoringSearch(url), url);
  const text = (of: UrlSearch) => JSON.stringify(Object.entries(of).sort(([a], [b]) => (a < b ? -1 : 1)));
  return text(right) === text(url) ? null : right;
}
