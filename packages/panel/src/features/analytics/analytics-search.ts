import type { Address } from '../../platform/browser/address.ts';
import { isPrivateText } from '../../platform/browser/private-text.ts';
import { parseUrlSearch, stringifyUrlSearch, type UrlSearch } from '../../platform/browser/url-search.ts';
import { namedRange, type RangeChoice } from '../../platform/range/range.ts';
import { type RangeRules, readRange, writeRange } from '../../platform/range/range-url.ts';
import {
  countFilters,
  DEFAULT_REQUEST_FILTERS,
  type RequestFilters,
  readRequestFilters,
  writeRequestFilters,
} from '../../platform/requests/request-filters.ts';

export const ANALYTICS_TABS = ['overview', 'trends', 'models', 'apiKeys', 'credentials', 'heatmap', 'compare'] as const;
export type AnalyticsTab = (typeof ANALYTICS_TABS)[number];

/** Ranges of several days begin that many times 24 hours ago. */
export const ANALYTICS_RANGES: RangeRules = {
  names: ['24h', 'today', 'yesterday', '7d', '30d', 'month', 'last_month', 'last_week'],
  fallback: '24h',
  parameter: 'time_range',
  rolling: true,
};

/** Range and filters: what a number counts. The filters are those of monitoring, so that its lists match the sums. */
export interface Scope extends RequestFilters {
  /** Part of the name or hash of client keys; '' = none. */
  readonly keyKeyword: string;
}

const GRANULARITIES = ['auto', 'hour', 'day'] as const;
export type GranularityChoice = (typeof GRANULARITIES)[number];

/** The measure of ranks and shares. */
const RANK_MEASURES = ['cost', 'requests', 'tokens'] as const;
export type RankMeasure = (typeof RANK_MEASURES)[number];

export const COMPARE_MODES = ['periods', 'models', 'keys', 'accounts'] as const;
export type CompareMode = (typeof COMPARE_MODES)[number];

/** What a difference is split into. */
export const COMPARE_PARTS = ['models', 'keys', 'accounts', 'providers'] as const;
export type ComparePart = (typeof COMPARE_PARTS)[number];

const HEAT_MEASURES = ['requests', 'tokens', 'cost', 'failureRate'] as const;
export type HeatMeasure = (typeof HEAT_MEASURES)[number];
const HEAT_SCALES = ['absolute', 'byWeekday', 'byHour'] as const;
export type HeatScale = (typeof HEAT_SCALES)[number];

/** One side of a comparison; a null range follows from the other side. */
interface CompareSide {
  readonly range: RangeChoice | null;
  readonly scope: Scope;
}

/** Address parameters of the page. */
export interface AnalyticsSearch {
  readonly tab: AnalyticsTab;
  readonly scope: Scope;
  readonly granularity: GranularityChoice;
  readonly by: RankMeasure;
  /** Series of the trends, empty = the default ones. */
  readonly series: readonly string[];
  /** Client keys whose lines are drawn, empty = the first of the table. */
  readonly lines: readonly string[];
  /** What the drawer shows: a model, a key, an account, the start of a bucket, a cell. '' = closed. */
  readonly open: string;
  readonly heat: HeatMeasure;
  readonly scale: HeatScale;
  /** A single day of the heat map, ms of its start; 0 = all. */
  readonly day: number;
  readonly mode: CompareMode;
  readonly parts: ComparePart;
  /** null = derived from the other parameters. */
  readonly a: CompareSide | null;
  readonly b: CompareSide | null;
}

const MAX_TEXT = 500;
const DEFAULT_REQUEST_RANGE = DEFAULT_REQUEST_FILTERS.range;

export const DEFAULT_SCOPE: Scope = {
  ...DEFAULT_REQUEST_FILTERS,
  range: namedRange(ANALYTICS_RANGES.fallback),
  keyKeyword: '',
};

const oneOf = <V extends string>(known: readonly V[], text: string | undefined): V =>
  known.find((value) => value === text) ?? (known[0] as V);
const short = (text: string | undefined): string => (text === undefined || text.length > MAX_TEXT ? '' : text);
const list = (texts: readonly string[] | undefined): readonly string[] => [
  ...new Set((texts ?? []).map(short).filter((text) => text !== '')),
];

function readScope(url: UrlSearch): Scope {
  return {
    ...readRequestFilters(url),
    range: readRange(url, ANALYTICS_RANGES),
    keyKeyword: short(url.api_key_keyword?.[0]).trim(),
  };
}

function writeScope(scope: Scope, others: UrlSearch): UrlSearch {
  const { api_key_keyword: _, ...rest } = writeRequestFilters({ ...scope, range: DEFAULT_REQUEST_RANGE }, others);
  const url = writeRange(scope.range, ANALYTICS_RANGES, rest);
  const keep = scope.keyKeyword !== '' && !isPrivateText(scope.keyKeyword);
  return keep ? { ...url, api_key_keyword: [scope.keyKeyword] } : url;
}

/** A side is an encoded query inside the address: `a=time_range%3D7d%26model%3Dm`. */
function readSide(text: string | undefined): CompareSide | null {
  if (text === undefined || text.length > 8 * MAX_TEXT) return null;
  const url = parseUrlSearch(text);
  const scope = readScope(url);
  return { range: url[ANALYTICS_RANGES.parameter] === undefined ? null : scope.range, scope };
}

function writeSide({ range, scope }: CompareSide): string {
  const url = writeScope({ ...scope, range: range ?? DEFAULT_SCOPE.range }, {});
  // The default range is written too: without one the range follows from the other side.
  const exact: UrlSearch = range?.name === ANALYTICS_RANGES.fallback ? { ...url, time_range: [range.name] } : url;
  return stringifyUrlSearch(exact).replace(/^\?/, '');
}

export function readAnalyticsSearch(url: UrlSearch): AnalyticsSearch {
  const day = Number(url.day?.[0]);
  return {
    tab: oneOf(ANALYTICS_TABS, url.tab?.[0]),
    scope: readScope(url),
    granularity: oneOf(GRANULARITIES, url.granularity?.[0]),
    by: oneOf(RANK_MEASURES, url.by?.[0]),
    series: list(url.series),
    lines: list(url.lines),
    open: short(url.open?.[0]),
    heat: oneOf(HEAT_MEASURES, url.heat?.[0]),
    scale: oneOf(HEAT_SCALES, url.scale?.[0]),
    day: Number.isInteger(day) && day > 0 && day < 8.64e15 ? day : 0,
    mode: oneOf(COMPARE_MODES, url.mode?.[0]),
    parts: oneOf(COMPARE_PARTS, url.parts?.[0]),
    a: readSide(url.a?.[0]),
    b: readSide(url.b?.[0]),
  };
}

const OWN = [
  'tab',
  'granularity',
  'by',
  'series',
  'lines',
  'open',
  'heat',
  'scale',
  'day',
  'mode',
  'parts',
  'a',
  'b',
] as const;

/** Writes what differs from the default; other parameters stay. */
export function writeAnalyticsSearch(search: AnalyticsSearch, others: UrlSearch): UrlSearch {
  const url = writeScope(search.scope, others);
  for (const name of OWN) delete url[name];
  const put = (name: (typeof OWN)[number], value: string, fallback = '') => {
    if (value !== fallback) url[name] = [value];
  };
  put('tab', search.tab, ANALYTICS_TABS[0]);
  put('granularity', search.granularity, GRANULARITIES[0]);
  put('by', search.by, RANK_MEASURES[0]);
  if (search.series.length > 0) url.series = [...search.series];
  if (search.lines.length > 0) url.lines = [...search.lines];
  put('open', search.open);
  put('heat', search.heat, HEAT_MEASURES[0]);
  put('scale', search.scale, HEAT_SCALES[0]);
  put('day', search.day === 0 ? '' : String(search.day));
  put('mode', search.mode, COMPARE_MODES[0]);
  put('parts', search.parts, COMPARE_PARTS[0]);
  if (search.a !== null) url.a = [writeSide(search.a)];
  if (search.b !== null) url.b = [writeSide(search.b)];
  return url;
}

export const ANALYTICS_ADDRESS: Address<AnalyticsSearch> = { read: readAnalyticsSearch, write: writeAnalyticsSearch };

export const countScopeFilters = (scope: Scope): number => countFilters(scope) + (scope.keyKeyword === '' ? 0 : 1);

/** Applies a change of the filters, which have neither range nor keyword; cleared filters have no keyword. */
export function withFilters(scope: Scope, next: RequestFilters): Scope {
  const keyKeyword = 'keyKeyword' in next && typeof next.keyKeyword === 'string' ? next.keyKeyword : '';
  return { ...scope, ...next, range: scope.range, keyKeyword };
}

/** No filter, the same range. */
export const clearScope = (scope: Scope): Scope => ({ ...DEFAULT_SCOPE, range: scope.range });

/** Both sides of a comparison with their ranges; without its own range B is the time right before A, or the same. */
export function compareSides(search: AnalyticsSearch): {
  readonly a: Scope;
  readonly b: Scope;
  readonly before: boolean;
} {
  const { a: ownA, b: ownB, mode } = search;
  const a: Scope = ownA === null ? search.scope : { ...ownA.scope, range: ownA.range ?? search.scope.range };
  const before = mode === 'periods' && (ownB === null || ownB.range === null);
  const b: Scope = { ...(ownB?.scope ?? a), range: ownB?.range ?? a.range };
  return { a, b, before };
}
