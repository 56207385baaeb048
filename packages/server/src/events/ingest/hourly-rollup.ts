import type { Database } from 'bun:sqlite';
import { type FactColumn, FactFlag, type FactRow } from '../../facts/columns.ts';

/** Requests with more total input than this are "long" (272,000 itself is not). */
const LONG_INPUT_TOKENS = 272_000;
const HOUR_MS = 3_600_000;

/** The fact columns that the hourly rollup needs. */
export const COUNTED_COLUMNS = [
  'timestamp_ms',
  'analytics_model',
  'resolved_model',
  'service_tier',
  'input_tokens',
  'uncached_input_tokens',
  'cached_tokens',
  'cache_read_tokens',
  'cache_creation_tokens',
  'output_tokens',
  'billable_output_tokens',
  'reasoning_tokens',
  'total_tokens',
  'latency_ms',
  'flags',
  'cache_write_1h_tokens',
] as const satisfies readonly FactColumn[];

export type CountedFact = Pick<FactRow, (typeof COUNTED_COLUMNS)[number]>;

export const KEY_COLUMNS = ['hour_ms', 'analytics_model', 'billing_model', 'service_tier', 'failed'] as const;
const NO_SUMS = {
  calls: 0,
  input_tokens: 0,
  uncached_input_tokens: 0,
  cached_tokens: 0,
  cache_read_tokens: 0,
  cache_creation_tokens: 0,
  output_tokens: 0,
  billable_output_tokens: 0,
  reasoning_tokens: 0,
  total_tokens: 0,
  long_uncached_input_tokens: 0,
  long_cached_tokens: 0,
  long_cache_read_tokens: 0,
  long_cache_creation_tokens: 0,
  long_billable_output_tokens: 0,
  latency_sum_ms: 0,
  latency_samples: 0,
  zero_token_calls: 0,
  cache_write_1h_tokens: 0,
  long_cache_write_1h_tokens: 0,
};

export const SUM_COLUMNS = Object.keys(NO_SUMS) as readonly (keyof typeof NO_SUMS)[];
export const HOURLY_COLUMNS = [...KEY_COLUMNS, ...SUM_COLUMNS];

/** A row of `hourly_core`. */
export type HourlyRow = Readonly<Record<(typeof HOURLY_COLUMNS)[number], number>>;

type KeyColumn = (typeof KEY_COLUMNS)[number];
type HourlyGroup = Pick<HourlyRow, KeyColumn> & Record<keyof typeof NO_SUMS, number>;

const UPSERT = `
INSERT INTO hourly_core (${HOURLY_COLUMNS.join(', ')})
VALUES (${HOURLY_COLUMNS.map((name) => `$${name}`).join(', ')})
ON CONFLICT (${KEY_COLUMNS.join(', ')}) DO UPDATE SET
${SUM_COLUMNS.map((name) => `  ${name} = ${name} + excluded.${name}`).join(',\n')}`;

/** Sums of one batch by the key of the hourly rollup: many events of a batch share a row. */
export class HourlySums {
  readonly #groups = new Map<string, HourlyGroup>();

  add(fact: CountedFact): void {
    addFact(this.#groupOf(fact), fact, 1);
  }

  /** Subtracts what `add` added, here or in an earlier transaction. */
  remove(fact: CountedFact): void {
    addFact(this.#groupOf(fact), fact, -1);
  }

  #groupOf({ timestamp_ms, analytics_model, resolved_model, service_tier, flags }: CountedFact): HourlyGroup {
    const hour_ms = Math.floor(timestamp_ms / HOUR_MS) * HOUR_MS;
    const billing_model = resolved_model || analytics_model;
    const failed = isFailed(flags) ? 1 : 0;
    const name = `${hour_ms} ${analytics_model} ${billing_model} ${service_tier} ${failed}`;
    let group = this.#groups.get(name);
    if (group === undefined) {
      group = { hour_ms, analytics_model, billing_model, service_tier, failed, ...NO_SUMS };
      this.#groups.set(name, group);
    }
    return group;
  }

  rows(): readonly HourlyRow[] {
    return [...this.#groups.values()];
  }

  writeTo(db: Database): void {
    const upsert = db.query<never, [HourlyRow]>(UPSERT);
    for (const row of this.rows()) upsert.run(row);
  }
}

function isFailed(flags: number): boolean {
  return (flags & FactFlag.failed) !== 0;
}

function addFact(sums: HourlyGroup, fact: CountedFact, sign: 1 | -1): void {
  sums.calls += sign;
  sums.input_tokens += sign * fact.input_tokens;
  sums.uncached_input_tokens += sign * fact.uncached_input_tokens;
  sums.cached_tokens += sign * fact.cached_tokens;
  sums.cache_read_tokens += sign * fact.cache_read_tokens;
  sums.cache_creation_tokens += sign * fact.cache_creation_tokens;
  sums.cache_write_1h_tokens += sign * fact.cache_write_1h_tokens;
  sums.output_tokens += sign * fact.output_tokens;
  sums.billable_output_tokens += sign * fact.billable_output_tokens;
  sums.reasoning_tokens += sign * fact.reasoning_tokens;
  sums.total_tokens += sign * fact.total_tokens;
  if (fact.input_tokens > LONG_INPUT_TOKENS) {
    sums.long_uncached_input_tokens += sign * fact.uncached_input_tokens;
    sums.long_cached_tokens += sign * fact.cached_tokens;
    sums.long_cache_read_tokens += sign * fact.cache_read_tokens;
    sums.long_cache_creation_tokens += sign * fact.cache_creation_tokens;
    sums.long_cache_write_1h_tokens += sign * fact.cache_write_1h_tokens;
    sums.long_billable_output_tokens += sign * fact.billable_output_tokens;
  }
  // Stored plus 1, 0 = unknown; unknown and 0 are no samples.
  if (fact.latency_ms > 1) {
    sums.latency_sum_ms += sign * (fact.latency_ms - 1);
    sums.latency_samples += sign;
  }
  if (!isFailed(fact.flags) && fact.total_tokens === 0) sums.zero_token_calls += sign;
}
