import type { Database } from 'bun:sqlite';
import type { FactSums } from './fact-row.ts';

/** Requests with more total input than this are "long" (272,000 itself is not). */
const LONG_INPUT_TOKENS = 272_000;
const HOUR_MS = 3_600_000;

const KEY_COLUMNS = ['hour_ms', 'analytics_model', 'billing_model', 'service_tier', 'failed'] as const;
export const SUM_COLUMNS = [
  'calls',
  'input_tokens',
  'uncached_input_tokens',
  'cached_tokens',
  'cache_read_tokens',
  'cache_creation_tokens',
  'output_tokens',
  'billable_output_tokens',
  'reasoning_tokens',
  'total_tokens',
  'long_uncached_input_tokens',
  'long_cached_tokens',
  'long_cache_read_tokens',
  'long_cache_creation_tokens',
  'long_billable_output_tokens',
  'latency_sum_ms',
  'latency_samples',
  'zero_token_calls',
] as const;

const UPSERT = `
INSERT INTO hourly_core (${[...KEY_COLUMNS, ...SUM_COLUMNS].join(', ')})
VALUES (${[...KEY_COLUMNS, ...SUM_COLUMNS].map(() => '?').join(', ')})
ON CONFLICT (${KEY_COLUMNS.join(', ')}) DO UPDATE SET
${SUM_COLUMNS.map((name) => `  ${name} = ${name} + excluded.${name}`).join(',\n')}`;

/** Sums of one batch by the key of the hourly core: many events of a batch share a row. */
export class HourlySums {
  readonly #groups = new Map<string, { readonly key: readonly number[]; readonly sums: Float64Array }>();

  add(timestampMs: number, fact: FactSums): void {
    addFact(this.#sumsOf(timestampMs, fact), fact, 1);
  }

  /** Takes back what `add` added, here or in an earlier transaction. */
  remove(timestampMs: number, fact: FactSums): void {
    addFact(this.#sumsOf(timestampMs, fact), fact, -1);
  }

  #sumsOf(timestampMs: number, fact: FactSums): Float64Array {
    const hourMs = Math.floor(timestampMs / HOUR_MS) * HOUR_MS;
    const failed = fact.failed ? 1 : 0;
    const name = `${hourMs} ${fact.analyticsModel} ${fact.billingModel} ${fact.serviceTier} ${failed}`;
    let group = this.#groups.get(name);
    if (group === undefined) {
      const key = [hourMs, fact.analyticsModel, fact.billingModel, fact.serviceTier, failed];
      group = { key, sums: new Float64Array(SUM_COLUMNS.length) };
      this.#groups.set(name, group);
    }
    return group.sums;
  }

  /** Rows as they are compared and stored: key, then sums. */
  rows(): readonly (readonly number[])[] {
    return [...this.#groups.values()].map(({ key, sums }) => [...key, ...sums]);
  }

  writeTo(db: Database): void {
    const upsert = db.query(UPSERT);
    for (const row of this.rows()) upsert.run(...row);
  }
}

/** In the order of `SUM_COLUMNS`. Written out, because it runs for every event. */
function addFact(sums: Float64Array, fact: FactSums, sign: 1 | -1): void {
  add(sums, 0, sign);
  add(sums, 1, sign * fact.inputTokens);
  add(sums, 2, sign * fact.uncachedInputTokens);
  add(sums, 3, sign * fact.cachedTokens);
  add(sums, 4, sign * fact.cacheReadTokens);
  add(sums, 5, sign * fact.cacheCreationTokens);
  add(sums, 6, sign * fact.outputTokens);
  add(sums, 7, sign * fact.billableOutputTokens);
  add(sums, 8, sign * fact.reasoningTokens);
  add(sums, 9, sign * fact.totalTokens);
  if (fact.inputTokens > LONG_INPUT_TOKENS) {
    add(sums, 10, sign * fact.uncachedInputTokens);
    add(sums, 11, sign * fact.cachedTokens);
    add(sums, 12, sign * fact.cacheReadTokens);
    add(sums, 13, sign * fact.cacheCreationTokens);
    add(sums, 14, sign * fact.billableOutputTokens);
  }
  if (fact.latencyMs > 0) {
    add(sums, 15, sign * fact.latencyMs);
    add(sums, 16, sign);
  }
  if (!fact.failed && fact.totalTokens === 0) add(sums, 17, sign);
}

function add(sums: Float64Array, index: number, value: number): void {
  sums[index] = (sums[index] ?? 0) + value;
}
