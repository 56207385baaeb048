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
} from '@manager/core/contract/monitoring';
import { trimText } from '@manager/core/usage/text';
import type { EventCursor } from '../../facts/kernels/top.ts';
import type { CacheStatus, FactFilters, FactSearch } from '../../facts/query.ts';
import { parseShape } from '../../http/body.ts';

/** A checked analytics question with every default filled in. */
export interface AnalyticsQuery {
  readonly fromMs: number;
  readonly toMs: number;
  readonly granularity: Granularity;
  readonly filters: FactFilters;
  readonly search: FactSearch;
  readonly eventsPage: EventsPageQuery | null;
  readonly filterSelectors: boolean;
}

export interface EventsPageQuery {
  readonly limit: number;
  readonly cursor: EventCursor | null;
}

/** Long bodies travel as text, so that the main thread does not parse them. */
export type AnalyticsInput = { readonly query: AnalyticsQuery } | { readonly body: string };

const DAY_MS = 86_400_000;
const GRANULARITIES: readonly string[] = ['5m', '15m', 'hour', 'day'] satisfies readonly Granularity[];
const CACHE_STATUSES: readonly string[] = ['hit', 'miss', 'read', 'creation'] satisfies readonly CacheStatus[];

/** @throws AppError 400 when the text is not such a request, 501 when it asks for a section that is not served yet */
export function parseAnalyticsRequest(body: string): AnalyticsQuery {
  return checkRequest(parseShape(analyticsRequestSchema, parseJson(body)));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw badRequest('request body: not valid JSON');
  }
}

function checkRequest(request: AnalyticsRequest): AnalyticsQuery {
  const { fromMs, toMs } = checkRange(request);
  checkTimeZone(request.time_zone ?? '');
  const include = request.include ?? null;
  const filters = checkFilters(request.filters ?? null);
  const search = {
    query: trimText(request.search_query ?? ''),
    apiKeyHash: trimText(request.search_api_key_hash ?? ''),
  };
  const eventsPage = include?.events_page ?? null;
  const page = eventsPage === null ? null : checkPage(eventsPage);
  if (include !== null) refuseUnserved(include, filters.api_key_hashes.length > 0 || search.apiKeyHash !== '');
  return {
    fromMs,
    toMs,
    granularity: granularityOf(include?.granularity ?? '', toMs - fromMs),
    filters,
    search,
    eventsPage: page,
    filterSelectors: include?.filter_selectors === true,
  };
}

function checkRange(request: AnalyticsRequest): { readonly fromMs: number; readonly toMs: number } {
  const fromMs = request.from_ms ?? 0;
  const toMs = request.to_ms ?? 0;
  if (fromMs <= 0 || toMs <= fromMs) throw badRequest('from_ms, to_ms: both needed, from_ms < to_ms');
  for (const [name, value] of [
    ['from_ms', fromMs],
    ['to_ms', toMs],
    ['now_ms', request.now_ms ?? 0],
  ] as const) {
    if (value > MAX_TIME_MS) throw badRequest(`${name}: at most ${MAX_TIME_MS}`);
  }
  return { fromMs, toMs };
}

/** The runtime accepts offsets such as `+08:00` too, which are no IANA names. */
function checkTimeZone(name: string): void {
  if (name === '') return;
  try {
    if (/^[+-]/.test(name)) throw new RangeError(name);
    new Intl.DateTimeFormat('en', { timeZone: name });
  } catch {
    throw new AppError('invalid_time_zone', { message: `unknown time zone: ${name}` });
  }
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
    cache_status: CACHE_STATUSES.includes(status) ? (status as CacheStatus) : null,
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
  const beforeMs = page.before_ms ?? 0;
  const beforeId = page.before_id ?? 0;
  return {
    limit: limit > 0 ? limit : EVENTS_PAGE_DEFAULT_LIMIT,
    cursor: beforeMs > 0 ? { timestampMs: beforeMs, eventId: beforeId > 0 ? beforeId : null } : null,
  };
}

/** Sections that this version does not compute; those that would be left out of the answer anyway are let pass. */
function refuseUnserved(include: AnalyticsInclude, hasKeyFilter: boolean): void {
  const drilldown = include.drilldown_preview ?? null;
  const asked: Readonly<Record<string, boolean>> = {
    summary: include.summary === true,
    timeline: include.timeline === true,
    hourly_distribution: include.hourly_distribution === true,
    heatmap: include.heatmap === true,
    anomaly_points: include.anomaly_points === true,
    model_share: include.model_share === true,
    model_stats: include.model_stats === true,
    channel_share: include.channel_share === true,
    failure_sources: include.failure_sources === true,
    account_stats: include.account_stats === true,
    credential_stats: include.credential_stats === true,
    credential_timeline: include.credential_timeline === true,
    api_key_stats: include.api_key_stats === true,
    api_key_timeline: include.api_key_timeline === true && hasKeyFilter,
    task_buckets: include.task_buckets === true,
    filter_options: include.filter_options === true && include.filter_selectors !== true,
    recent_failures: (include.recent_failures ?? 0) > 0,
    drilldown_preview:
      drilldown !== null && (drilldown.from_ms ?? 0) > 0 && (drilldown.to_ms ?? 0) > (drilldown.from_ms ?? 0),
  };
  const name = Object.keys(asked).find((section) => asked[section] === true);
  if (name !== undefined) {
    throw new AppError('feature_not_available', { message: `include.${name} is not available in this version` });
  }
}

function badRequest(message: string): AppError {
  return new AppError('request_failed', { status: 400, message });
}
