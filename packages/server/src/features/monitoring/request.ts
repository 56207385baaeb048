import { AppError } from '@manager/core/contract/errors';
import {
  type AnalyticsFilters,
  type AnalyticsInclude,
  type AnalyticsRequest,
  analyticsRequestSchema,
  EVENTS_PAGE_DEFAULT_LIMIT,
  EVENTS_PAGE_MAX_LIMIT,
  type EventsPageRequest,
  type Granularity,
  MAX_TIME_MS,
} from '@manager/core/contract/monitoring/analytics';
import {
  BREAKDOWN_MAX_DAYS,
  BREAKDOWN_MAX_PARTS,
  BREAKDOWN_MAX_ROWS,
  type BreakdownKind,
  type BreakdownMeasure,
  type BreakdownRequest,
} from '@manager/core/contract/monitoring/breakdown';
import { trimText } from '@manager/core/json/text';
import { checkTimeZone } from '@manager/core/time/check-time-zone';
import type { EventCursor } from '../../facts/kernels/top.ts';
import { CACHE_STATUSES, type FactFilters, type FactSearch } from '../../facts/query.ts';
import { parseShape } from '../../http/body.ts';
import { parseJsonText } from '../../http/json-question.ts';

/** Which requests are meant. */
export interface AnalyticsQuestion {
  readonly fromMs: number;
  readonly toMs: number;
  readonly filters: FactFilters;
  readonly search: FactSearch;
  /** IANA name, '' = UTC; checked. */
  readonly timeZone: string;
}

/** A validated analytics request with all defaults. */
export interface AnalyticsQuery extends AnalyticsQuestion {
  readonly granularity: Granularity;
  /** End of the rolling window; null = the server's clock. */
  readonly nowMs: number | null;
  readonly include: IncludedSections;
  readonly rows: RowLimits;
  readonly breakdown: BreakdownQuery | null;
  readonly eventsPage: EventsPageQuery | null;
  /** null when not requested or its range is empty. */
  readonly drilldown: { readonly fromMs: number; readonly toMs: number; readonly limit: number } | null;
  /** Number of failure rows. */
  readonly recentFailures: number;
}

/** The sections that are on or off. */
export interface IncludedSections {
  readonly summary: boolean;
  readonly compact: boolean;
  readonly percentiles: boolean;
  readonly comparison: boolean;
  readonly timeline: boolean;
  readonly hourly_distribution: boolean;
  readonly heatmap: boolean;
  readonly anomaly_points: boolean;
  readonly model_share: boolean;
  readonly model_stats: boolean;
  readonly channel_share: boolean;
  readonly failure_sources: boolean;
  readonly account_stats: boolean;
  readonly credential_stats: boolean;
  readonly credential_timeline: boolean;
  readonly api_key_stats: boolean;
  /** Only with a key filter: it would be unbounded. */
  readonly api_key_timeline: boolean;
  readonly task_buckets: boolean;
  /** Selectors win over options, options over values. */
  readonly filter_options: boolean;
  readonly filter_selectors: boolean;
  readonly filter_values: boolean;
}

/** What is wanted of the rows of accounts and client keys. */
export interface RowLimits {
  /** Ids of rows, empty = all. */
  readonly ids: readonly string[];
  /** Most parts of a row; Infinity = all. */
  readonly models: number;
  readonly contexts: number;
  /** Auth indices, sources and source hashes of a client key. */
  readonly identities: number;
}

export const NO_LIMITS: RowLimits = {
  ids: [],
  models: Number.POSITIVE_INFINITY,
  contexts: Number.POSITIVE_INFINITY,
  identities: Number.POSITIVE_INFINITY,
};

export interface BreakdownQuery {
  readonly by: BreakdownKind;
  /** null = rows without parts. */
  readonly parts: BreakdownKind | null;
  readonly compare: { readonly fromMs: number; readonly toMs: number } | null;
  readonly order: BreakdownMeasure;
  readonly limit: number;
  readonly partsLimit: number;
  readonly days: boolean;
}

export interface EventsPageQuery {
  readonly limit: number;
  readonly cursor: EventCursor | null;
}

/** Long bodies are passed as text, so that the main thread does not parse them. */
export type AnalyticsInput = { readonly query: AnalyticsQuery } | { readonly body: string };

const DAY_MS = 86_400_000;
const MAX_RECENT_FAILURES = 500;
const DEFAULT_DRILLDOWN = 20;
const MAX_DRILLDOWN = 100;
const GRANULARITIES: readonly string[] = ['5m', '15m', 'hour', 'day'] satisfies readonly Granularity[];

/** @throws AppError 400 for an invalid request */
export function parseAnalyticsRequest(body: string): AnalyticsQuery {
  return checkRequest(parseShape(analyticsRequestSchema, parseJsonText(body)));
}

type QuestionRequest = Pick<
  AnalyticsRequest,
  'from_ms' | 'to_ms' | 'time_zone' | 'filters' | 'search_query' | 'search_api_key_hash'
>;

/** @throws AppError 400 for an invalid range, time zone or filter */
export function checkQuestion(request: QuestionRequest): AnalyticsQuestion {
  const { fromMs, toMs } = checkRange(request);
  checkTimeZone(request.time_zone ?? '');
  return {
    fromMs,
    toMs,
    filters: checkFilters(request.filters ?? null),
    search: {
      query: trimText(request.search_query ?? ''),
      apiKeyHash: trimText(request.search_api_key_hash ?? ''),
    },
    timeZone: request.time_zone ?? '',
  };
}

function checkRequest(request: AnalyticsRequest): AnalyticsQuery {
  const question = checkQuestion(request);
  const { fromMs, toMs, filters, search } = question;
  const include = request.include ?? null;
  checkInstant('now_ms', request.now_ms ?? 0);
  const eventsPage = include?.events_page ?? null;
  const page = eventsPage === null ? null : checkPage(eventsPage);
  const hasKeyFilter = filters.api_key_hashes.length > 0 || search.apiKeyHash !== '';
  return {
    ...question,
    granularity: granularityOf(include?.granularity ?? '', toMs - fromMs),
    nowMs: (request.now_ms ?? 0) > 0 ? (request.now_ms ?? null) : null,
    include: includedSections(include, hasKeyFilter),
    rows: {
      // Opaque, so not trimmed.
      ids: include?.row_ids ?? [],
      models: limitOf(include?.models_limit),
      contexts: limitOf(include?.contexts_limit),
      identities: limitOf(include?.identities_limit),
    },
    breakdown: checkBreakdown(include?.breakdown ?? null, toMs - fromMs),
    eventsPage: page,
    drilldown: checkDrilldown(include),
    recentFailures: Math.min(Math.max(include?.recent_failures ?? 0, 0), MAX_RECENT_FAILURES),
  };
}

function includedSections(include: AnalyticsInclude | null, hasKeyFilter: boolean): IncludedSections {
  const summary = include?.summary === true;
  return {
    summary,
    compact: include?.summary_profile === 'compact',
    percentiles: include?.summary_percentiles === true,
    comparison: summary && include?.summary_comparison === true,
    timeline: include?.timeline === true,
    hourly_distribution: include?.hourly_distribution === true,
    heatmap: include?.heatmap === true,
    anomaly_points: include?.anomaly_points === true,
    model_share: include?.model_share === true,
    model_stats: include?.model_stats === true,
    channel_share: include?.channel_share === true,
    failure_sources: include?.failure_sources === true,
    account_stats: include?.account_stats === true,
    credential_stats: include?.credential_stats === true,
    credential_timeline: include?.credential_timeline === true,
    api_key_stats: include?.api_key_stats === true,
    api_key_timeline: include?.api_key_timeline === true && hasKeyFilter,
    task_buckets: include?.task_buckets === true,
    filter_options: include?.filter_options === true && include.filter_selectors !== true,
    filter_selectors: include?.filter_selectors === true,
    filter_values:
      include?.filter_values === true && include.filter_selectors !== true && include.filter_options !== true,
  };
}

const limitOf = (limit: number | null | undefined): number =>
  limit === null || limit === undefined || limit < 0 ? Number.POSITIVE_INFINITY : limit;

function checkBreakdown(asked: BreakdownRequest | null, spanMs: number): BreakdownQuery | null {
  if (asked === null) return null;
  const { by, parts = null, compare_from_ms: fromMs = null, compare_to_ms: toMs = null } = asked;
  const hasOne = fromMs !== null || toMs !== null;
  if (hasOne && (fromMs === null || toMs === null || fromMs <= 0 || toMs <= fromMs || toMs > MAX_TIME_MS)) {
    throw badRequest('include.breakdown: compare_from_ms and compare_to_ms, both or none, the first smaller');
  }
  const days = asked.days === true;
  if (days && spanMs > BREAKDOWN_MAX_DAYS * DAY_MS) {
    throw badRequest(`include.breakdown.days: at most ${BREAKDOWN_MAX_DAYS} days between from_ms and to_ms`);
  }
  return {
    by,
    parts,
    days,
    compare: fromMs === null || toMs === null ? null : { fromMs, toMs },
    order: asked.order ?? 'cost',
    limit: partLimit('limit', asked.limit, BREAKDOWN_MAX_ROWS),
    partsLimit: partLimit('parts_limit', asked.parts_limit, BREAKDOWN_MAX_PARTS),
  };
}

function partLimit(name: string, asked: number | null | undefined, most: number): number {
  if (asked === null || asked === undefined || asked <= 0) return most;
  if (asked > most) throw badRequest(`include.breakdown.${name}: at most ${most}`);
  return asked;
}

function checkDrilldown(include: AnalyticsInclude | null): AnalyticsQuery['drilldown'] {
  const asked = include?.drilldown_preview ?? null;
  const fromMs = lowerBound(asked?.from_ms);
  const toMs = asked?.to_ms ?? 0;
  if (fromMs === null || toMs <= Math.max(fromMs, 0)) return null;
  if (toMs > MAX_TIME_MS) throw badRequest(`include.drilldown_preview.to_ms: at most ${MAX_TIME_MS}`);
  const limit = asked?.limit ?? 0;
  return { fromMs, toMs, limit: limit > 0 ? Math.min(limit, MAX_DRILLDOWN) : DEFAULT_DRILLDOWN };
}

function checkRange(request: Pick<AnalyticsRequest, 'from_ms' | 'to_ms'>): {
  readonly fromMs: number;
  readonly toMs: number;
} {
  const fromMs = lowerBound(request.from_ms);
  const toMs = request.to_ms ?? 0;
  if (fromMs === null || toMs <= Math.max(fromMs, 0)) throw badRequest('from_ms, to_ms: both needed, from_ms < to_ms');
  for (const [name, value] of [
    ['from_ms', fromMs],
    ['to_ms', toMs],
  ] as const) {
    checkInstant(name, value);
  }
  return { fromMs, toMs };
}

function checkInstant(name: string, value: number): void {
  if (value > MAX_TIME_MS) throw badRequest(`${name}: at most ${MAX_TIME_MS}`);
}

/** How clients ask for all time; events can be older. */
const ALL_TIME_MS = 1;

/** The start of a range, before every event where none is given; null = invalid. */
function lowerBound(fromMs: number | null | undefined): number | null {
  if (fromMs === null || fromMs === undefined || fromMs === ALL_TIME_MS) return -MAX_TIME_MS;
  return fromMs > 0 ? fromMs : null;
}

function granularityOf(asked: string, rangeMs: number): Granularity {
  if (GRANULARITIES.includes(asked)) return asked as Granularity;
  return rangeMs <= DAY_MS ? 'hour' : 'day';
}

function checkFilters(filters: AnalyticsFilters | null): FactFilters {
  const status = trimText(filters?.cache_status ?? '').toLowerCase();
  return {
    models: listOf(filters?.models),
    providers: listOf(filters?.providers),
    accounts: listOf(filters?.accounts),
    credential_ids: listOf(filters?.credential_ids),
    auth_files: listOf(filters?.auth_files),
    auth_indices: listOf(filters?.auth_indices),
    api_key_hashes: listOf(filters?.api_key_hashes),
    source_hashes: listOf(filters?.source_hashes),
    project_ids: listOf(filters?.project_ids),
    request_types: listOf(filters?.request_types),
    header_error_kinds: listOf(filters?.header_error_kinds),
    header_error_codes: listOf(filters?.header_error_codes),
    header_quota_plans: listOf(filters?.header_quota_plans),
    header_trace_ids: listOf(filters?.header_trace_ids),
    include_failed: filters?.include_failed ?? true,
    failed_only: filters?.failed_only ?? false,
    min_latency_ms: Math.max(filters?.min_latency_ms ?? 0, 0),
    cache_status: CACHE_STATUSES.find((known) => known === status) ?? null,
  };
}

function listOf(values: readonly string[] | null | undefined): string[] {
  const trimmed = new Set((values ?? []).map(trimText));
  trimmed.delete('');
  return [...trimmed];
}

function checkPage(page: EventsPageRequest): EventsPageQuery {
  const limit = page.limit ?? 0;
  if (limit > EVENTS_PAGE_MAX_LIMIT) throw badRequest(`events_page.limit: at most ${EVENTS_PAGE_MAX_LIMIT}`);
  const beforeMs = page.before_ms ?? null;
  const beforeId = page.before_id ?? 0;
  // The id tells a cursor at or before 1970 from one that is not set.
  const isSet = beforeMs !== null && (beforeMs > 0 || beforeId > 0);
  return {
    limit: limit > 0 ? limit : EVENTS_PAGE_DEFAULT_LIMIT,
    cursor: isSet ? { timestampMs: beforeMs, eventId: beforeId > 0 ? beforeId : null } : null,
  };
}

function badRequest(message: string): AppError {
  return new AppError('invalid_request', { message });
}
