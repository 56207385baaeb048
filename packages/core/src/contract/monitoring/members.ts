import { z } from 'zod';

/** Members that several sections have. */

export const count = z.number();
export const rate = z.number();
export const usd = z.number();
export const milliseconds = z.number();
/** null when no event has a value above 0. */
export const latency = z.number().nullable();

export const tokens = {
  /** Normalized total input, cache read and creation included. */
  input_tokens: count,
  output_tokens: count,
  cached_tokens: count,
  cache_read_tokens: count,
  cache_creation_tokens: count,
};

/** Of the newest event with a value. */
export const snapshots = {
  account_snapshot: z.string().optional(),
  auth_label_snapshot: z.string().optional(),
  auth_provider_snapshot: z.string().optional(),
};

export const accountFields = {
  auth_file_snapshot: z.string().optional(),
  auth_index: z.string().optional(),
  source: z.string().optional(),
  source_hash: z.string().optional(),
  ...snapshots,
  auth_project_id_snapshot: z.string().optional(),
};

export const costs = {
  cost: usd,
  /** Unpriced requests: their cost is missing. Left out when 0. */
  unpriced_calls: z.number().optional(),
};

export const rates = { success_rate: rate, failure_rate: rate };

export const distinctValues = {
  auth_indices: z.array(z.string()).optional(),
  sources: z.array(z.string()).optional(),
  source_hashes: z.array(z.string()).optional(),
};

export const cacheHits = {
  cache_hit_tokens: count,
  cache_hit_input_tokens: count,
  cache_hit_rate: rate,
};

export const calls = { calls: count, success_calls: count, failure_calls: count, success_rate: rate };

export const totalsBlock = {
  ...calls,
  ...tokens,
  total_tokens: count,
  ...costs,
  average_latency_ms: latency,
  last_seen_ms: milliseconds,
};
