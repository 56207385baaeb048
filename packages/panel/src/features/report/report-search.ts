import { BREAKDOWN_KINDS } from '@manager/core/contract/constants';
import type { BreakdownKind } from '@manager/core/contract/monitoring/breakdown';
import type { Address } from '../../platform/browser/address.ts';
import type { UrlSearch } from '../../platform/browser/url-search.ts';
import { isTimeZone } from '../../platform/preferences/preferences.ts';
import {
  DEFAULT_REQUEST_FILTERS,
  type ListFilter,
  type RequestFilters,
  readRequestFilters,
} from '../../platform/requests/request-filters.ts';
import { isDay, isMonth, type Period } from './period.ts';

/** The measure of order, shares and changes. */
export const REPORT_MEASURES = ['cost', 'requests', 'tokens'] as const;
export type ReportMeasure = (typeof REPORT_MEASURES)[number];

/** Everything a report depends on: the same address opens the same report. */
export interface ReportSearch {
  /** null = not chosen yet: the running month. */
  readonly period: Period | null;
  /** '' = not chosen yet: the zone of the panel. */
  readonly zone: string;
  readonly by: BreakdownKind;
  /** null = rows without parts. */
  readonly parts: BreakdownKind | null;
  readonly measure: ReportMeasure;
  /** Which requests are counted. */
  readonly filters: ReportFilters;
}

/** Names of the filters in the address, as on other pages. */
const REPORT_FILTERS = ['api_key_hash', 'model', 'account', 'provider'] as const satisfies readonly ListFilter[];
export type ReportFilters = Pick<RequestFilters['lists'], (typeof REPORT_FILTERS)[number]>;

/** The same filters for controls that know those of all pages. */
export const requestFiltersOf = (filters: ReportFilters): RequestFilters => ({
  ...DEFAULT_REQUEST_FILTERS,
  lists: { ...DEFAULT_REQUEST_FILTERS.lists, ...filters },
});

export const reportFiltersOf = ({ lists }: RequestFilters): ReportFilters => ({
  api_key_hash: lists.api_key_hash,
  model: lists.model,
  account: lists.account,
  provider: lists.provider,
});

const DEFAULT_BY: BreakdownKind = 'client_key';
const NO_PARTS = 'none';

/** Parts of a kind of rows unless others are chosen. */
const usualParts = (by: BreakdownKind): BreakdownKind => (by === 'model' ? 'client_key' : 'model');

function readPeriod(url: UrlSearch): Period | null {
  const month = url.month?.[0] ?? '';
  if (isMonth(month)) return { kind: 'month', month };
  const [from, to] = [url.from?.[0] ?? '', url.to?.[0] ?? ''];
  return isDay(from) && isDay(to) && from <= to ? { kind: 'days', from, to } : null;
}

function readZone(text = ''): string {
  return isTimeZone(text) ? text : '';
}

const kindOf = (text: string | undefined): BreakdownKind | undefined => BREAKDOWN_KINDS.find((kind) => kind === text);

function readReportSearch(url: UrlSearch): ReportSearch {
  const by = kindOf(url.by?.[0]) ?? DEFAULT_BY;
  const asked = url.parts?.[0];
  const parts = kindOf(asked);
  return {
    period: readPeriod(url),
    zone: readZone(url.zone?.[0]),
    by,
    parts: asked === NO_PARTS ? null : parts === undefined || parts === by ? usualParts(by) : parts,
    measure: REPORT_MEASURES.find((measure) => measure === url.measure?.[0]) ?? 'cost',
    filters: reportFiltersOf(readRequestFilters(url)),
  };
}

/** Period and zone are always written: "this month" is another one for whom the link is sent to later. */
function writeReportSearch({ period, zone, by, parts, measure, filters }: ReportSearch, others: UrlSearch): UrlSearch {
  const { month: _, from: _from, to: _to, zone: _zone, by: _by, parts: _parts, measure: _measure, ...url } = others;
  for (const name of REPORT_FILTERS) delete url[name];
  const active = REPORT_FILTERS.filter((name) => filters[name].length > 0);
  return {
    ...url,
    ...Object.fromEntries(active.map((name) => [name, [...filters[name]]])),
    ...(period?.kind === 'month' ? { month: [period.month] } : {}),
    ...(period?.kind === 'days' ? { from: [period.from], to: [period.to] } : {}),
    ...(zone === '' ? {} : { zone: [zone] }),
    ...(by === DEFAULT_BY ? {} : { by: [by] }),
    ...(parts === usualParts(by) ? {} : { parts: [parts ?? NO_PARTS] }),
    ...(measure === 'cost' ? {} : { measure: [measure] }),
  };
}

export const REPORT_ADDRESS: Address<ReportSearch> = { read: readReportSearch, write: writeReportSearch };

/** Another dimension of the rows; parts of the same one become those that were the rows. */
export function withRows(search: ReportSearch, by: BreakdownKind): Pick<ReportSearch, 'by' | 'parts'> {
  if (search.parts === null) return { by, parts: null };
  return { by, parts: search.parts === by ? search.by : search.parts };
}
