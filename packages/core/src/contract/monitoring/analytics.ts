import { z } from 'zod';
import { breakdownRequestSchema, breakdownSchema } from './breakdown.ts';
import {
  accountStatsSchema,
  accountTimelineSchema,
  anomalyPointSchema,
  apiKeyStatsSchema,
  apiKeyTimelineSchema,
  channelShareSchema,
  coverageSchema,
  credentialStatsSchema,
  failureSourceSchema,
  heatmapCellSchema,
  hourlyDistributionSchema,
  modelShareSchema,
  modelStatsSchema,
  summaryComparisonSchema,
  summarySchema,
  taskBucketSchema,
  timelineGapSchema,
  timelinePointSchema,
} from './sections.ts';

/**
 * `POST /v0/management/monitoring/analytics`: request and answer. Unknown request members are ignored, `null` equals
 * leaving a member out. Answers leave out empty optional members; numbers are never rounded.
 */

export const ANALYTICS_PATH = '/v0/management/monitoring/analytics';

/** Largest instant a date can hold, in ms. */
export const MAX_TIME_MS = 8.64e15;

export const EVENTS_PAGE_MAX_LIMIT = 50_000;
/**
 * Most points of an account or client key timeline in one answer: about as many bytes as the largest page of events.
 */
export const IDENTITY_TIMELINE_MAX_POINTS = 100_000;
export const EVENTS_PAGE_DEFAULT_LIMIT = 100;

const integer = z.number('integer expected').int('integer expected').nullish();
const text = z.string('string expected').nullish();
const flag = z.boolean('boolean expected').nullish();
/** Values are ORed, trimmed; blanks and duplicates are dropped, and an empty list does not filter. */
const textList = z.array(z.string('string expected'), 'array expected').nullish();

/** Different filters are ANDed. */
export const analyticsFiltersSchema = z.object({
  /** Analytics model; a reasoning suffix is removed from the given values too. Case-sensitive. */
  models: textList,
  /** Provider or provider snapshot, ignoring case. */
  providers: textList,
  /** Account, label, source or auth index, ignoring case. */
  accounts: textList,
  /** First non-blank of auth file, auth index, source hash, source; else `-`. */
  credential_ids: textList,
  auth_files: textList,
  auth_indices: textList,
  api_key_hashes: textList,
  source_hashes: textList,
  project_ids: textList,
  /** Executor types. */
  request_types: textList,
  header_error_kinds: textList,
  header_error_codes: textList,
  header_quota_plans: textList,
  header_trace_ids: textList,
  /** Default true; false = successes only. */
  include_failed: flag,
  /** Default false; true = failures only. Together with `include_failed: false` nothing matches. */
  failed_only: flag,
  /** ≤ 0 is ignored; an unknown latency never matches. */
  min_latency_ms: integer,
  /** `hit`, `miss`, `read` or `creation`; anything else is ignored. */
  cache_status: text,
});

export const eventsPageRequestSchema = z.object({
  /** ≤ 0 or absent = 100. */
  limit: integer,
  /** Cursor: `next_before_ms` and `next_before_id` of the page before. */
  before_ms: integer,
  before_id: integer,
});

export const analyticsIncludeSchema = z.object({
  summary: flag,
  /** `compact` or full. */
  summary_profile: text,
  summary_percentiles: flag,
  summary_comparison: flag,
  timeline: flag,
  hourly_distribution: flag,
  heatmap: flag,
  anomaly_points: flag,
  model_share: flag,
  model_stats: flag,
  channel_share: flag,
  failure_sources: flag,
  account_stats: flag,
  credential_stats: flag,
  credential_timeline: flag,
  api_key_stats: flag,
  api_key_timeline: flag,
  breakdown: breakdownRequestSchema.nullish(),
  /** Only these rows of `account_stats`, `credential_stats` and `api_key_stats`, by their `id`; empty = all. */
  row_ids: textList,
  /** Most `models` of a row of `account_stats`, `credential_stats` and `api_key_stats`; absent or < 0 = all. */
  models_limit: integer,
  /** Most `contexts` of a row of `api_key_stats`; absent or < 0 = all. */
  contexts_limit: integer,
  /**
   * Most `auth_indices`, `sources` and `source_hashes` of a row of `api_key_stats`; absent or < 0 = all. With 0 here and in
   * `contexts_limit` rows tell nothing of accounts, and requests without a client key are one row.
   */
  identities_limit: integer,
  task_buckets: flag,
  filter_options: flag,
  /** Wins over `filter_options`. */
  filter_selectors: flag,
  /** Only files, projects, request types, error kinds, error codes and plans of `filter_options`; both others win. */
  filter_values: flag,
  /** Number of failure rows. */
  recent_failures: integer,
  events_page: eventsPageRequestSchema.nullish(),
  drilldown_preview: z.object({ from_ms: integer, to_ms: integer, limit: integer }).nullish(),
  /** `5m`, `15m`, `hour` or `day`; anything else = hour up to one day of range, else day. */
  granularity: text,
});

export const analyticsRequestSchema = z.object({
  /** Half open range `[from_ms, to_ms)`. Without `from_ms`, or with 1 ("all time"), it has no lower bound. */
  from_ms: integer,
  to_ms: integer,
  /** End of the rolling window; ≤ 0 = the server's clock. */
  now_ms: integer,
  /** IANA name, '' = UTC. */
  time_zone: text,
  /** Substring of any searchable field, ignoring case. */
  search_query: text,
  /** SHA-256 hex of the trimmed search text, so that a pasted client key finds its requests. */
  search_api_key_hash: text,
  filters: analyticsFiltersSchema.nullish(),
  include: analyticsIncludeSchema.nullish(),
});

/** Instants and quantities of quota and error headers; 0 is a value. */
export const headerFields = {
  header_quota_recover_at_ms: z.number().optional(),
  header_quota_used_percent: z.number().optional(),
  header_quota_plan_type: z.string().optional(),
  header_error_kind: z.string().optional(),
  header_error_code: z.string().optional(),
  header_trace_id: z.string().optional(),
};

export const eventRowSchema = z.strictObject({
  event_hash: z.string(),
  timestamp_ms: z.number(),
  /** Display model. */
  model: z.string(),
  requested_model: z.string().optional(),
  analytics_model: z.string().optional(),
  resolved_model: z.string().optional(),
  endpoint: z.string(),
  method: z.string(),
  path: z.string(),
  auth_index: z.string(),
  source: z.string(),
  source_hash: z.string(),
  api_key_hash: z.string(),
  account_snapshot: z.string(),
  auth_label_snapshot: z.string(),
  /** Falls back to the event's provider. */
  auth_provider_snapshot: z.string(),
  request_id: z.string().optional(),
  client_ip: z.string().optional(),
  x_forwarded_for: z.string().optional(),
  user_agent: z.string().optional(),
  auth_file_snapshot: z.string().optional(),
  auth_project_id_snapshot: z.string().optional(),
  reasoning_effort: z.string().optional(),
  service_tier: z.string().optional(),
  executor_type: z.string().optional(),
  /** Normalized total input, cache read and creation included. */
  input_tokens: z.number(),
  output_tokens: z.number(),
  /** The part of the reported cached count beyond cache read and creation. */
  cached_tokens: z.number(),
  cache_read_tokens: z.number(),
  cache_creation_tokens: z.number(),
  /** The part of `cache_creation_tokens` that was written for one hour; left out when 0. */
  cache_write_1h_tokens: z.number().optional(),
  reasoning_tokens: z.number(),
  total_tokens: z.number(),
  /** The billed uncached input; left out when it is the input without the three cached counts. */
  uncached_input_tokens: z.number().optional(),
  /** The billed output; left out when equal to `output_tokens`. */
  billable_output_tokens: z.number().optional(),
  latency_ms: z.number().nullable(),
  ttft_ms: z.number().nullable(),
  failed: z.boolean(),
  fail_status_code: z.number().optional(),
  fail_summary: z.string().optional(),
  /** Groups: quota, errors, trace, routing, response, providers, rate_limit, data_policy, provider_usage. */
  response_metadata: z.record(z.string(), z.unknown()).optional(),
  ...headerFields,
  /** From here on: values from the stored original item. */
  auth_account_id_snapshot: z.string().optional(),
  response_model: z.string().optional(),
  session_id: z.string().optional(),
  parent_session_id: z.string().optional(),
  access_token_sha256: z.string().optional(),
  generate: z.boolean().optional(),
  stream: z.boolean().optional(),
});

export const eventsPageSchema = z.strictObject({
  /** Newest first: `timestamp_ms`, then id. */
  items: z.array(eventRowSchema),
  /** Cursor of the next page, 0 when `has_more` is false. */
  next_before_ms: z.number(),
  next_before_id: z.number(),
  has_more: z.boolean(),
  /** Every match of range, search and filters; the cursor does not change it. */
  total_count: z.number(),
});

/** One row of `recent_failures`. */
export const failureRowSchema = z.strictObject({
  timestamp_ms: z.number(),
  /** Analytics model. */
  model: z.string(),
  api_key_hash: z.string(),
  source: z.string().optional(),
  source_hash: z.string(),
  auth_index: z.string(),
  account_snapshot: z.string().optional(),
  auth_label_snapshot: z.string().optional(),
  auth_provider_snapshot: z.string().optional(),
  auth_project_id_snapshot: z.string().optional(),
  endpoint: z.string(),
  /** Latency, ms. */
  duration_ms: z.number().nullable(),
  fail_status_code: z.number().optional(),
  fail_summary: z.string().optional(),
  response_metadata: z.record(z.string(), z.unknown()).optional(),
  ...headerFields,
});

/**
 * Values for the filter menus: everything in range and search, whatever the filters are. Empty members are left out. With
 * `filter_selectors` accounts have identity only (counters are 0); `filter_options` adds the members after the counts;
 * `filter_values` gives only lists of texts, and no trace ids.
 */
export const filterOptionsSchema = z.strictObject({
  models: z.array(z.string()).optional(),
  api_key_hashes: z.array(z.string()).optional(),
  providers: z.array(z.string()).optional(),
  auth_files: z.array(z.string()).optional(),
  accounts: z.array(z.string()).optional(),
  account_stats: z.array(accountStatsSchema).optional(),
  account_count: z.number().optional(),
  api_key_count: z.number().optional(),
  api_key_stats: z.array(apiKeyStatsSchema).optional(),
  channel_share: z.array(channelShareSchema).optional(),
  model_stats: z.array(modelStatsSchema).optional(),
  project_ids: z.array(z.string()).optional(),
  request_types: z.array(z.string()).optional(),
  header_error_kinds: z.array(z.string()).optional(),
  header_error_codes: z.array(z.string()).optional(),
  header_quota_plans: z.array(z.string()).optional(),
  /** At most the 500 newest. */
  header_trace_ids: z.array(z.string()).optional(),
});

export const granularitySchema = z.enum(['5m', '15m', 'hour', 'day']);

export const analyticsResponseSchema = z.strictObject({
  generated_at_ms: z.number(),
  granularity: granularitySchema,
  coverage: coverageSchema.optional(),
  /** With `timeline`: the newest 200 that touch the range, ascending. */
  gaps: z.array(timelineGapSchema).optional(),
  summary: summarySchema.optional(),
  summary_comparison: summaryComparisonSchema.optional(),
  timeline: z.array(timelinePointSchema).optional(),
  hourly_distribution: z.array(hourlyDistributionSchema).optional(),
  heatmap: z.array(heatmapCellSchema).optional(),
  anomaly_points: z.array(anomalyPointSchema).optional(),
  model_share: z.array(modelShareSchema).optional(),
  model_stats: z.array(modelStatsSchema).optional(),
  channel_share: z.array(channelShareSchema).optional(),
  failure_sources: z.array(failureSourceSchema).optional(),
  account_stats: z.array(accountStatsSchema).optional(),
  credential_stats: z.array(credentialStatsSchema).optional(),
  credential_timeline: z.array(accountTimelineSchema).optional(),
  api_key_stats: z.array(apiKeyStatsSchema).optional(),
  api_key_timeline: z.array(apiKeyTimelineSchema).optional(),
  breakdown: breakdownSchema.optional(),
  task_buckets: z.array(taskBucketSchema).optional(),
  filter_options: filterOptionsSchema.optional(),
  recent_failures: z.array(failureRowSchema).optional(),
  events: eventsPageSchema.optional(),
  drilldown_preview: eventsPageSchema.optional(),
});

export type AnalyticsFilters = z.infer<typeof analyticsFiltersSchema>;
export type AnalyticsInclude = z.infer<typeof analyticsIncludeSchema>;
export type EventsPageRequest = z.infer<typeof eventsPageRequestSchema>;
export type AnalyticsRequest = z.infer<typeof analyticsRequestSchema>;
export type Granularity = z.infer<typeof granularitySchema>;
export type EventRow = z.infer<typeof eventRowSchema>;
export type EventsPage = z.infer<typeof eventsPageSchema>;
export type FailureRow = z.infer<typeof failureRowSchema>;
export type FilterOptions = z.infer<typeof filterOptionsSchema>;
export type AnalyticsResponse = z.infer<typeof analyticsResponseSchema>;
