import { z } from 'zod';
import { failureRowSchema } from './monitoring/analytics.ts';
import { coverageSchema, timelineGapSchema } from './monitoring/sections.ts';

/**
 * `GET /v0/management/dashboard/summary`: one day, from the client's local midnight. Tokens are counts, costs USD,
 * rates and shares between 0 and 1; nothing is rounded. Instants are ms. Empty arrays are included.
 */

export const DASHBOARD_HOURS = 24;
export const DASHBOARD_POINTS = 144;

const count = z.number();
const rate = z.number();
const usd = z.number();
const milliseconds = z.number();
/** null when no event has a value above 0. */
const latency = z.number().nullable();

/** Of the newest event with a value. */
const snapshots = {
  source: z.string().optional(),
  account_snapshot: z.string().optional(),
  auth_label_snapshot: z.string().optional(),
  /** Falls back to the event's provider. */
  auth_provider_snapshot: z.string().optional(),
};

const costs = {
  cost: usd,
  /** Unpriced requests: their cost is missing. Left out when 0. */
  unpriced_calls: z.number().optional(),
};

const modelMembers = {
  model: z.string(),
  calls: count,
  tokens: count,
  ...costs,
  success_rate: rate,
};

const todaySchema = z.strictObject({
  total_calls: count,
  success_calls: count,
  failure_calls: count,
  success_rate: rate,
  /** Normalized total input, cache read and creation included. */
  input_tokens: count,
  output_tokens: count,
  cached_tokens: count,
  cache_read_tokens: count,
  cache_creation_tokens: count,
  reasoning_tokens: count,
  total_tokens: count,
  total_cost: usd,
  average_latency_ms: latency,
  /** Successes without tokens. */
  zero_token_calls: count,
  /** Unpriced requests: their cost is missing from the total. */
  unpriced_calls: count,
});

/** Hours from the start of the day, not clock hours. */
const trafficSlotSchema = z.strictObject({
  bucket_ms: milliseconds,
  calls: count,
  tokens: count,
  success: count,
  failure: count,
  /** Of the busiest slot's calls. */
  calls_share: rate,
  /** Of the largest slot's tokens. */
  tokens_share: rate,
  failure_rate: rate,
});

const activitySlotSchema = z.strictObject({
  /** Number of the slot, 0–23. */
  hour_index: z.number(),
  bucket_ms: milliseconds,
  calls: count,
  tokens: count,
  /** The larger of the slot's two shares. */
  intensity: rate,
});

export const healthToneSchema = z.enum(['good', 'warn', 'bad']);

const healthPointSchema = z.strictObject({
  bucket_ms: milliseconds,
  calls: count,
  tokens: count,
  success: count,
  failure: count,
  success_rate: rate,
  failure_rate: rate,
  tone: z.enum(['future', 'empty', ...healthToneSchema.options]),
  /** Of the busiest point's calls. */
  intensity: rate,
  future: z.boolean(),
});

const channelHealthSchema = z.strictObject({
  /** `-` when the event has none. */
  auth_index: z.string(),
  ...snapshots,
  calls: count,
  failures: count,
  failure_rate: rate,
  success_rate: rate,
  tokens: count,
  ...costs,
  average_latency_ms: latency,
  tone: healthToneSchema,
});

const failureSourceSchema = z.strictObject({
  source_hash: z.string(),
  auth_index: z.string(),
  ...snapshots,
  /** Successes included. */
  calls: count,
  failures: count,
  failure_rate: rate,
  /** Newest event of the group, failed or not. */
  last_seen_ms: milliseconds,
  average_latency_ms: latency,
  tone: z.enum(['warn', 'bad']),
});

export const dashboardResponseSchema = z.strictObject({
  /** The server's clock. */
  generated_at_ms: milliseconds,
  /** The part of these numbers that comes from deleted raw events, if any. */
  coverage: coverageSchema.optional(),
  /** Gaps of the day: the newest 200, ascending. */
  gaps: z.array(timelineGapSchema).optional(),
  window: z.strictObject({
    today_start_ms: milliseconds,
    now_ms: milliseconds,
    rolling_30m_start_ms: milliseconds,
  }),
  today: todaySchema,
  rolling_30m: z.strictObject({
    /** Per minute. */
    rpm: z.number(),
    tpm: z.number(),
    total_calls: count,
    total_tokens: count,
  }),
  /** Most requests first. */
  top_models_today: z.array(z.strictObject(modelMembers)),
  /** Highest cost first. */
  model_cost_rank: z.array(
    z.strictObject({
      ...modelMembers,
      /** Of the highest cost. */
      cost_share: rate,
    }),
  ),
  traffic_timeline: z.array(trafficSlotSchema).length(DASHBOARD_HOURS),
  hourly_activity: z.array(activitySlotSchema).length(DASHBOARD_HOURS),
  today_request_health_timeline: z.strictObject({
    from_ms: milliseconds,
    to_ms: milliseconds,
    /** Length of a point. */
    bucket_ms: milliseconds,
    /** Sums of the points. */
    success_calls: count,
    failure_calls: count,
    total_calls: count,
    success_rate: rate,
    points: z.array(healthPointSchema).length(DASHBOARD_POINTS),
  }),
  /** Always these four, in this order. */
  token_mix: z.array(
    z.strictObject({
      key: z.enum(['input', 'cached', 'output', 'reasoning']),
      tokens: count,
      /** Of the four together. */
      share: rate,
    }),
  ),
  /** The five accounts with the most problems. */
  channel_health: z.array(channelHealthSchema),
  /** Success rate below 0.85, most failures first, at most five; left out when `channel_health` has all of them. */
  failing_channels: z.array(channelHealthSchema).optional(),
  failure_sources: z.array(failureSourceSchema),
  /** Newest first. */
  recent_failures: z.array(failureRowSchema),
});

export type DashboardResponse = z.infer<typeof dashboardResponseSchema>;
export type HealthTone = z.infer<typeof healthToneSchema>;
export type HealthPoint = z.infer<typeof healthPointSchema>;
export type ChannelHealth = z.infer<typeof channelHealthSchema>;
