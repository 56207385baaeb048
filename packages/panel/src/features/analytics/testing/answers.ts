import type { AnalyticsResponse } from '@manager/core/contract/monitoring/analytics';
import type { ApiKeyStats, ModelStats, Summary, TimelinePoint } from '@manager/core/contract/monitoring/sections';
import { DEFAULT_SCOPE } from '../analytics-search.ts';
import type { Answered } from '../use-scope.ts';

const TOKENS = { input_tokens: 0, output_tokens: 0, cached_tokens: 0, cache_read_tokens: 0, cache_creation_tokens: 0 };

export const testSummary = (change: Partial<Summary> = {}): Summary => ({
  total_calls: 0,
  success_calls: 0,
  failure_calls: 0,
  success_rate: 0,
  ...TOKENS,
  cache_hit_rate: 0,
  reasoning_tokens: 0,
  total_tokens: 0,
  total_cost: 0,
  average_cost_per_call: 0,
  average_latency_ms: null,
  p95_latency_ms: null,
  p95_ttft_ms: null,
  rpm_30m: 0,
  tpm_30m: 0,
  avg_daily_requests: 0,
  avg_daily_tokens: 0,
  approx_tasks: 0,
  approx_task_failures: 0,
  approx_task_success_rate: 0,
  zero_token_calls: 0,
  zero_token_models: null,
  unpriced_calls: 0,
  unpriced_models: null,
  inconsistent_calls: 0,
  unclassified_tokens: 0,
  implausible_time_calls: 0,
  ...change,
});

export const testPoint = (bucketMs: number, change: Partial<TimelinePoint> = {}): TimelinePoint => ({
  bucket_ms: bucketMs,
  bucket_end_ms: bucketMs + 3_600_000,
  label: '',
  calls: 1,
  tokens: 0,
  success: 1,
  failure: 0,
  ...TOKENS,
  cache_hit_rate: 0,
  reasoning_tokens: 0,
  total_tokens: 0,
  cost: 0,
  average_latency_ms: null,
  p95_latency_ms: null,
  p95_ttft_ms: null,
  success_rate: 1,
  failure_rate: 0,
  ...change,
});

export const testModel = (model: string, change: Partial<ModelStats> = {}): ModelStats => ({
  model,
  calls: 1,
  success_calls: 1,
  failure_calls: 0,
  success_rate: 1,
  ...TOKENS,
  cache_hit_tokens: 0,
  cache_hit_input_tokens: 0,
  cache_hit_rate: 0,
  total_tokens: 0,
  cost: 0,
  ...change,
});

export const testKey = (hash: string, change: Partial<ApiKeyStats> = {}): ApiKeyStats => ({
  id: `id ${hash}`,
  api_key_hash: hash,
  calls: 1,
  success_calls: 1,
  failure_calls: 0,
  success_rate: 1,
  ...TOKENS,
  total_tokens: 0,
  cost: 0,
  average_latency_ms: null,
  last_seen_ms: 1,
  ...change,
});

/** An answer for hours of UTC. */
export const testAnswered = (
  answer: Partial<AnalyticsResponse>,
  change: Partial<Omit<Answered, 'answer'>> = {},
): Answered => ({
  answer: { generated_at_ms: 0, granularity: 'hour', ...answer },
  fromMs: 0,
  toMs: 4 * 3_600_000,
  nowMs: 10 * 3_600_000,
  zone: 'UTC',
  granularity: 'hour',
  scope: DEFAULT_SCOPE,
  ...change,
});
