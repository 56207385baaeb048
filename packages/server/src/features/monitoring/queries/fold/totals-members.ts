import { costOfTotals, type Totals } from '../../../../facts/kernels/totals.ts';
import { averageLatency, cacheHitRate, ratio } from '../../../../facts/ratios.ts';
import { numberMembers } from '../json/json-writer.ts';

/** Members of rows that are sums, with their sources, in the order of answers. */

const successes = ({ calls, failures }: Totals) => calls - failures;
const failures = (totals: Totals) => totals.failures;
const successRate = (totals: Totals) => ratio(successes(totals), totals.calls);
const failureRate = (totals: Totals) => ratio(totals.failures, totals.calls);
const totalTokens = (totals: Totals) => totals.totalTokens;
/** Left out when 0. */
const unpricedCalls = (totals: Totals) => totals.unpricedCalls || undefined;
const lastSeenMs = ({ newestMs }: Totals) => newestMs;

const COST = { cost: costOfTotals, unpriced_calls: unpricedCalls };

const CALLS = {
  calls: ({ calls }: Totals) => calls,
  success_calls: successes,
  failure_calls: failures,
  success_rate: successRate,
};

const TOKENS = {
  input_tokens: ({ inputTokens }: Totals) => inputTokens,
  output_tokens: ({ outputTokens }: Totals) => outputTokens,
  cached_tokens: ({ cachedTokens }: Totals) => cachedTokens,
  cache_read_tokens: ({ cacheReadTokens }: Totals) => cacheReadTokens,
  cache_creation_tokens: ({ cacheCreationTokens }: Totals) => cacheCreationTokens,
};

/** Of accounts and client keys. */
export const TOTALS_MEMBERS = numberMembers<Totals>({
  ...CALLS,
  ...TOKENS,
  total_tokens: totalTokens,
  ...COST,
  average_latency_ms: averageLatency,
  last_seen_ms: lastSeenMs,
});

/** Of one model within such a row. */
export const MODEL_MEMBERS = numberMembers<Totals>({
  ...CALLS,
  ...TOKENS,
  cache_hit_tokens: ({ cachedTokens, cacheReadTokens }) => cachedTokens + cacheReadTokens,
  cache_hit_input_tokens: ({ inputTokens }) => inputTokens,
  cache_hit_rate: cacheHitRate,
  total_tokens: totalTokens,
  ...COST,
  last_seen_ms: lastSeenMs,
});

/** Of the context in which a client key was used. */
export const CONTEXT_MEMBERS = numberMembers<Totals>({
  ...CALLS,
  failure_rate: failureRate,
  total_tokens: totalTokens,
  ...COST,
  average_latency_ms: averageLatency,
  last_seen_ms: lastSeenMs,
});

/** Of one account or client key in one bucket. */
export const POINT_MEMBERS = numberMembers<Totals>({
  calls: ({ calls }) => calls,
  tokens: totalTokens,
  success: successes,
  failure: failures,
  ...TOKENS,
  reasoning_tokens: ({ reasoningTokens }) => reasoningTokens,
  total_tokens: totalTokens,
  ...COST,
  average_latency_ms: averageLatency,
  success_rate: successRate,
  failure_rate: failureRate,
});
