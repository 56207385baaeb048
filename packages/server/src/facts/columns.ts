/**
 * The catalogue of fact columns: one permanent, narrow row per event. New facts are rows of `facts_tail`; 65,536 of them
 * are sealed into one immutable segment with one compressed blob per column. The order here is the order of `facts_tail`.
 *
 * Kinds
 * - `symbol`: id in the table `symbols`; 0 = empty text.
 * - `count`: integer ≥ 0.
 * - `optional`: integer ≥ 0 or unknown, stored as value + 1, 0 = unknown.
 * - `time`: integer milliseconds, may be negative.
 * - `hash32`: one 32-bit half of a hash.
 * - `bytes`: a 32-byte event hash, or the UTF-8 of an opaque one.
 * - `text`: high-cardinality text.
 */
export type FactColumnKind = 'symbol' | 'count' | 'optional' | 'time' | 'hash32' | 'bytes' | 'text';

export const FACT_COLUMNS = {
  timestamp_ms: 'time',
  provider: 'symbol',
  auth_provider_snapshot: 'symbol',
  executor_type: 'symbol',
  model: 'symbol',
  requested_model: 'symbol',
  resolved_model: 'symbol',
  analytics_model: 'symbol',
  endpoint: 'symbol',
  method: 'symbol',
  path: 'symbol',
  auth_index: 'symbol',
  source: 'symbol',
  source_hash: 'symbol',
  api_key_hash: 'symbol',
  account_snapshot: 'symbol',
  auth_label_snapshot: 'symbol',
  auth_file_snapshot: 'symbol',
  auth_project_id_snapshot: 'symbol',
  reasoning_effort: 'symbol',
  service_tier: 'symbol',
  client_ip: 'symbol',
  x_forwarded_for: 'symbol',
  user_agent: 'symbol',
  header_quota_plan_type: 'symbol',
  header_error_kind: 'symbol',
  header_error_code: 'symbol',
  /** Normalized total input. */
  input_tokens: 'count',
  /** Uncached input of this event, so that costs from sums are exactly additive. */
  uncached_input_tokens: 'count',
  /** The part of the legacy cached count beyond cache read and creation. */
  cached_tokens: 'count',
  cache_read_tokens: 'count',
  cache_creation_tokens: 'count',
  output_tokens: 'count',
  billable_output_tokens: 'count',
  reasoning_tokens: 'count',
  total_tokens: 'count',
  unclassified_tokens: 'count',
  latency_ms: 'optional',
  ttft_ms: 'optional',
  fail_status_code: 'optional',
  /** Bits of `FactFlag`. */
  flags: 'count',
  /** Halves of a 64-bit hash over timestamp text, source hash and auth index. */
  task_key_high: 'hash32',
  task_key_low: 'hash32',
  event_hash: 'bytes',
  request_id: 'text',
  header_trace_id: 'text',
  fail_summary: 'text',
  /** The part of `cache_creation_tokens` that was written for one hour. */
  cache_write_1h_tokens: 'count',
} as const satisfies Record<string, FactColumnKind>;

export type FactColumn = keyof typeof FACT_COLUMNS;

/** Columns that a fact segment has only where a value is not 0; so segments of earlier versions need not be rewritten. */
export const RARE_COLUMNS: ReadonlySet<string> = new Set<FactColumn>(['cache_write_1h_tokens']);

export const FACT_COLUMN_NAMES = Object.keys(FACT_COLUMNS) as readonly FactColumn[];

interface ValueOfKind extends Record<FactColumnKind, number | string | Uint8Array> {
  symbol: number;
  count: number;
  optional: number;
  time: number;
  hash32: number;
  bytes: Uint8Array | string;
  text: string;
}

/** A row of `facts_tail`. */
export type FactRow = { readonly event_id: number } & {
  readonly [Name in FactColumn]: ValueOfKind[(typeof FACT_COLUMNS)[Name]];
};

export const FactFlag = {
  failed: 1,
  /** Any of the four cache counts, as reported, is above 0. */
  cacheHit: 2,
  inconsistent: 4,
  unclassified: 8,
  /** The time is outside `[2000-01-01, arrival + 1 day]`. */
  implausibleTime: 16,
} as const;

/** Facts per sealed segment. */
export const SEGMENT_ROWS = 65_536;
