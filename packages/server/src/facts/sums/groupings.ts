import { IDENTITY_COLUMNS } from '../answers/identity-columns.ts';
import type { FactColumn } from '../columns.ts';

/**
 * What a segment's stored sums are grouped by, for the questions that every view asks without a filter. Each also splits by
 * what selects a price, because costs are computed with the prices of the question.
 */
export type SymbolGrouping = 'identities' | 'times' | 'keys' | 'key_identities';

/** The stored sums of a segment. `slowest`: see `slowest.ts`; `tasks`: see `task-edges.ts`. */
export type Grouping = SymbolGrouping | 'slowest' | 'tasks';

/** Version of the groupings, their columns and their form; sums of another version count as missing. */
export const SUMS_VERSION = 2;

/** Everything but tokens that a price can depend on. */
const PRICED_BY = [
  'analytics_model',
  'resolved_model',
  'service_tier',
  'requested_model',
  'model',
] as const satisfies readonly FactColumn[];

/** Symbol columns by grouping, fewest groups first. `times` also splits by stretches of time. */
export const GROUPINGS: Readonly<Record<SymbolGrouping, readonly FactColumn[]>> = {
  identities: [...IDENTITY_COLUMNS, ...PRICED_BY],
  times: PRICED_BY,
  keys: ['api_key_hash', ...PRICED_BY],
  key_identities: ['api_key_hash', ...IDENTITY_COLUMNS, ...PRICED_BY],
};

export const SYMBOL_GROUPINGS = Object.keys(GROUPINGS) as readonly SymbolGrouping[];

export const GROUPING_NAMES: readonly Grouping[] = [...SYMBOL_GROUPINGS, 'slowest', 'tasks'];

/** Counts of an event, stored as the sum of a group. */
export const SUMMED_COLUMNS = [
  'input_tokens',
  'uncached_input_tokens',
  'cached_tokens',
  'cache_read_tokens',
  'cache_creation_tokens',
  'output_tokens',
  'billable_output_tokens',
  'reasoning_tokens',
  'total_tokens',
  'unclassified_tokens',
  'cache_write_1h_tokens',
] as const satisfies readonly FactColumn[];

/** Numbers of a group that events do not have. */
export const SUM_COLUMNS = [
  'calls',
  'failures',
  'latency_sum_ms',
  /** Latency unknown or 0. */
  'calls_without_latency',
  /** Successes without tokens. */
  'zero_token_calls',
  /** Calls with tokens. */
  'token_calls',
  'inconsistent_calls',
  'implausible_calls',
  'newest_ms',
  'newest_event_id',
  /** Number of `CLASS_LIMITS` that the input of each event is above. */
  'input_class',
] as const;

/** Numbers of the rows of `slowest`. */
export const SLOWEST_COLUMNS = ['metric', 'value', 'dropped', 'floor'] as const;

export type SumColumn = (typeof SUM_COLUMNS)[number] | (typeof SLOWEST_COLUMNS)[number];

/**
 * Tokens of input from which prices are known to change. Groups never mix events below and above one of them. With a price that
 * changes elsewhere, the costs of a segment are computed from its events.
 */
export const CLASS_LIMITS: readonly number[] = [128_000, 200_000, 256_000, 272_000];

const MINUTE_MS = 60_000;
/** Stretches of time, shortest first: every time zone has an offset of whole quarters of an hour. */
export const TIME_WIDTHS_MS: readonly number[] = [15 * MINUTE_MS, 30 * MINUTE_MS, 60 * MINUTE_MS];

/** The grouping with the fewest groups that has all of these columns; null when none has. */
export function groupingFor(columns: readonly FactColumn[]): Grouping | null {
  const has = (name: SymbolGrouping, column: FactColumn) =>
    column === 'timestamp_ms' ? name === 'times' : GROUPINGS[name].includes(column);
  return SYMBOL_GROUPINGS.find((name) => columns.every((column) => has(name, column))) ?? null;
}
