import { z } from 'zod';
import {
  accountFields,
  cacheHits,
  calls,
  costs,
  count,
  distinctValues,
  latency,
  milliseconds,
  rate,
  rates,
  snapshots,
  tokens,
  totalsBlock,
  usd,
} from './members.ts';

/**
 * The sections of a `monitoring/analytics` answer that hold sums. Tokens are counts, costs USD, latencies ms, rates and
 * shares between 0 and 1; nothing is rounded. Instants are ms. Empty optional members are left out.
 */

export const summarySchema = z.strictObject({
  total_calls: count,
  success_calls: count,
  failure_calls: count,
  success_rate: rate,
  ...tokens,
  cache_hit_rate: rate,
  reasoning_tokens: count,
  total_tokens: count,
  total_cost: usd,
  average_cost_per_call: usd,
  average_latency_ms: latency,
  /** null with the compact profile, unless percentiles were requested. */
  p95_latency_ms: latency,
  p95_ttft_ms: latency,
  /** Of the 30 minutes before `now_ms`. With the compact profile this and all members up to the success rate are 0. */
  rpm_30m: z.number(),
  tpm_30m: z.number(),
  /** Per local date with an event. */
  avg_daily_requests: z.number(),
  avg_daily_tokens: z.number(),
  approx_tasks: count,
  approx_task_failures: count,
  approx_task_success_rate: rate,
  /** Successes without tokens. */
  zero_token_calls: count,
  /** Analytics models of those requests, sorted; null with the compact profile. */
  zero_token_models: z.array(z.string()).nullable(),
  /** Unpriced requests: their cost is missing from the total. */
  unpriced_calls: count,
  /** null with the compact profile. */
  unpriced_models: z.array(z.string()).nullable(),
  /** Events with an inconsistent token breakdown. */
  inconsistent_calls: count,
  /** Tokens in no bucket; not part of the total. */
  unclassified_tokens: count,
  /** Events whose time lies outside `[2000-01-01, arrival + 1 day]`. */
  implausible_time_calls: count,
});

export const summaryComparisonSchema = z.strictObject({
  from_ms: milliseconds,
  to_ms: milliseconds,
  total_calls: count,
  success_calls: count,
  failure_calls: count,
  success_rate: rate,
  total_tokens: count,
  total_cost: usd,
  unpriced_calls: costs.unpriced_calls,
});

export const timelinePointSchema = z.strictObject({
  bucket_ms: milliseconds,
  /** Start of the next calendar bucket. */
  bucket_end_ms: milliseconds,
  label: z.string(),
  calls: count,
  tokens: count,
  success: count,
  failure: count,
  ...tokens,
  cache_hit_rate: rate,
  reasoning_tokens: count,
  total_tokens: count,
  ...costs,
  average_latency_ms: latency,
  p95_latency_ms: latency,
  p95_ttft_ms: latency,
  ...rates,
});

export const hourlyDistributionSchema = z.strictObject({ hour: z.number(), calls: count, tokens: count });

const contributorSchema = z.strictObject({
  key: z.string(),
  label: z.string(),
  calls: count,
  success: count,
  failure: count,
  tokens: count,
  ...costs,
  failure_rate: rate,
  /** Of the requests of the cell. */
  share: rate,
});

export const heatmapCellSchema = z.strictObject({
  /** Local; 0 = Sunday. */
  weekday: z.number(),
  hour: z.number(),
  calls: count,
  success: count,
  failure: count,
  tokens: count,
  ...costs,
  failure_rate: rate,
  model_contributors: z.array(contributorSchema).optional(),
  api_key_contributors: z.array(contributorSchema).optional(),
  provider_contributors: z.array(contributorSchema).optional(),
});

export const anomalyPointSchema = z.strictObject({
  bucket_ms: milliseconds,
  bucket_end_ms: milliseconds,
  label: z.string(),
  severity: z.enum(['low', 'medium', 'high']),
  metric_keys: z.array(
    z.enum([
      'request_spike',
      'cost_spike',
      'tokens_per_request_spike',
      'cache_hit_drop',
      'failure_rate_spike',
      'latency_spike',
    ]),
  ),
  calls: count,
  total_tokens: count,
  ...costs,
  failure_rate: rate,
  /** Compared with the previous bucket that has events. */
  request_change: z.number(),
  cost_change: z.number(),
  tokens_per_request_change: z.number(),
  cache_hit_rate_change: z.number(),
  failure_rate_change: z.number(),
  latency_p95_change: z.number(),
});

export const modelShareSchema = z.strictObject({ model: z.string(), calls: count, tokens: count, ...costs });

export const modelStatsSchema = z.strictObject({
  model: z.string(),
  ...calls,
  ...tokens,
  ...cacheHits,
  total_tokens: count,
  ...costs,
});

export const channelShareSchema = z.strictObject({
  /** `-` when the event has none. */
  auth_index: z.string(),
  source: z.string().optional(),
  ...snapshots,
  auth_account_id_snapshot: z.string().optional(),
  calls: count,
  success: count,
  failure: count,
  tokens: count,
  ...costs,
  average_latency_ms: latency,
});

export const failureSourceSchema = z.strictObject({
  source: z.string().optional(),
  source_hash: z.string(),
  auth_index: z.string(),
  ...snapshots,
  calls: count,
  failure: count,
  last_seen_ms: milliseconds,
  average_latency_ms: latency,
});

const modelSubRowSchema = z.strictObject({
  /** `-` when the event has none. */
  model: z.string(),
  ...calls,
  ...tokens,
  ...cacheHits,
  total_tokens: count,
  ...costs,
  last_seen_ms: milliseconds,
});

/** Most expensive first. */
const modelSubRows = {
  models: z.array(modelSubRowSchema).optional(),
  /** How many there are, where `models_limit` left some out. */
  models_total: count.optional(),
};

export const accountStatsSchema = z.strictObject({
  /** Opaque and stable. */
  id: z.string(),
  ...snapshots,
  ...distinctValues,
  ...totalsBlock,
  ...modelSubRows,
});

export const credentialStatsSchema = z.strictObject({
  id: z.string(),
  ...accountFields,
  ...totalsBlock,
  ...modelSubRows,
});

const keyContextSchema = z.strictObject({
  id: z.string(),
  ...snapshots,
  auth_index: z.string().optional(),
  source: z.string().optional(),
  source_hash: z.string().optional(),
  calls: count,
  success_calls: count,
  failure_calls: count,
  ...rates,
  total_tokens: count,
  ...costs,
  average_latency_ms: latency,
  last_seen_ms: milliseconds,
});

export const apiKeyStatsSchema = z.strictObject({
  id: z.string(),
  /** '' for requests without a client key. */
  api_key_hash: z.string(),
  ...snapshots,
  ...distinctValues,
  ...totalsBlock,
  ...modelSubRows,
  /** Most expensive first. */
  contexts: z.array(keyContextSchema).optional(),
  /** How many there are, where `contexts_limit` left some out. */
  contexts_total: count.optional(),
});

const seriesPoint = {
  bucket_ms: milliseconds,
  bucket_label: z.string(),
  calls: count,
  tokens: count,
  success: count,
  failure: count,
  ...tokens,
  reasoning_tokens: count,
  total_tokens: count,
  ...costs,
  average_latency_ms: latency,
  ...rates,
};

export const accountTimelineSchema = z.strictObject({
  id: z.string(),
  label: z.string(),
  ...accountFields,
  ...seriesPoint,
});

export const apiKeyTimelineSchema = z.strictObject({ api_key_hash: z.string(), ...seriesPoint });

export const taskBucketSchema = z.strictObject({
  /**
   * `timestamp|source_hash|auth_index`. When the digits below a millisecond are lost with the raw events, the time ends
   * in `#` and a hash.
   */
  bucket_key: z.string(),
  total: count,
  success: count,
  failure: count,
  first_ms: milliseconds,
  last_ms: milliseconds,
  source: z.string(),
  source_hash: z.string(),
  auth_index: z.string(),
  models: z.array(z.string()),
  endpoints: z.array(z.string()),
  ...tokens,
  total_tokens: count,
  average_latency_ms: latency,
  max_latency_ms: latency,
});

/** A gap that overlaps the range. */
export const timelineGapSchema = z.strictObject({
  from_ms: milliseconds,
  /** null = still open. */
  to_ms: milliseconds.nullable(),
  kind: z.string(),
  estimated_lost: z.number().nullable(),
});

/**
 * The part of the answer that comes from raw events that were deleted after a verified archive. Left out when there are none.
 */
export const coverageSchema = z.strictObject({
  scope: z.enum(['time_range', 'requested_ranges']),
  mode: z.enum(['mixed', 'aggregate_only']),
  raw_complete: z.literal(false),
  core_aggregate_used: z.boolean(),
  raw_event_count: z.number().optional(),
  raw_deleted_event_count: z.number(),
  min_deleted_timestamp_ms: milliseconds,
  max_deleted_timestamp_ms: milliseconds,
  comparison_raw_event_count: z.number().optional(),
  comparison_raw_deleted_event_count: z.number().optional(),
  comparison_min_deleted_timestamp_ms: milliseconds.optional(),
  comparison_max_deleted_timestamp_ms: milliseconds.optional(),
  auxiliary_ranges: z
    .array(
      z.strictObject({
        scope: z.enum(['rolling_30m', 'drilldown_preview']),
        from_ms: milliseconds,
        to_ms: milliseconds,
        raw_event_count: z.number().optional(),
        raw_deleted_event_count: z.number(),
        min_deleted_timestamp_ms: milliseconds.optional(),
        max_deleted_timestamp_ms: milliseconds.optional(),
      }),
    )
    .optional(),
  fidelity_limitations: z.array(z.string()),
});

export type Summary = z.infer<typeof summarySchema>;
export type SummaryComparison = z.infer<typeof summaryComparisonSchema>;
export type TimelinePoint = z.infer<typeof timelinePointSchema>;
export type HourlyDistribution = z.infer<typeof hourlyDistributionSchema>;
export type HeatmapCell = z.infer<typeof heatmapCellSchema>;
export type Contributor = z.infer<typeof contributorSchema>;
export type AnomalyPoint = z.infer<typeof anomalyPointSchema>;
export type ModelShare = z.infer<typeof modelShareSchema>;
export type ModelStats = z.infer<typeof modelStatsSchema>;
export type ChannelShare = z.infer<typeof channelShareSchema>;
export type FailureSource = z.infer<typeof failureSourceSchema>;
export type ModelSubRow = z.infer<typeof modelSubRowSchema>;
export type AccountStats = z.infer<typeof accountStatsSchema>;
export type CredentialStats = z.infer<typeof credentialStatsSchema>;
export type KeyContext = z.infer<typeof keyContextSchema>;
export type ApiKeyStats = z.infer<typeof apiKeyStatsSchema>;
export type AccountTimelinePoint = z.infer<typeof accountTimelineSchema>;
export type ApiKeyTimelinePoint = z.infer<typeof apiKeyTimelineSchema>;
export type TaskBucket = z.infer<typeof taskBucketSchema>;
export type TimelineGap = z.infer<typeof timelineGapSchema>;
export type Coverage = z.infer<typeof coverageSchema>;
