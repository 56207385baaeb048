import type { FactChunk } from '../../facts/chunk.ts';
import { type FactColumn, FactFlag } from '../../facts/columns.ts';
import type { NumberColumn } from '../../facts/segment/integers.ts';
import type { SymbolColumn } from '../../facts/segment/symbol-codes.ts';
import type { FactSums } from './fact-row.ts';
import type { HourlySums } from './hourly-core.ts';

/** One fact of a chunk as the hourly core counts it. */
export interface CountedFact {
  readonly timestampMs: number;
  readonly sums: FactSums;
}

/** Adds the facts of a chunk whose event id lies above `afterId`. Returns how many. */
export function addChunk(sums: HourlySums, chunk: FactChunk, afterId: number): number {
  const ids = chunk.eventIds();
  const factAt = countedFacts(chunk);
  let added = 0;
  for (let row = 0; row < chunk.rowCount; row += 1) {
    if (numberAt(ids, row) <= afterId) continue;
    const fact = factAt(row);
    sums.add(fact.timestampMs, fact.sums);
    added += 1;
  }
  return added;
}

/** What the hourly core depends on. */
export const COUNTED_COLUMNS: ReadonlySet<FactColumn> = new Set<FactColumn>([
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
]);

/** Reads the facts of a chunk by row. */
export function countedFacts(chunk: FactChunk): (row: number) => CountedFact {
  const times = chunk.numbers('timestamp_ms');
  const analytics = chunk.symbols('analytics_model');
  const resolved = chunk.symbols('resolved_model');
  const tiers = chunk.symbols('service_tier');
  const input = chunk.numbers('input_tokens');
  const uncached = chunk.numbers('uncached_input_tokens');
  const cached = chunk.numbers('cached_tokens');
  const read = chunk.numbers('cache_read_tokens');
  const creation = chunk.numbers('cache_creation_tokens');
  const output = chunk.numbers('output_tokens');
  const billable = chunk.numbers('billable_output_tokens');
  const reasoning = chunk.numbers('reasoning_tokens');
  const total = chunk.numbers('total_tokens');
  const latency = chunk.numbers('latency_ms');
  const flags = chunk.numbers('flags');
  return (row) => {
    const analyticsModel = symbolAt(analytics, row);
    return {
      timestampMs: numberAt(times, row),
      sums: {
        analyticsModel,
        billingModel: symbolAt(resolved, row) || analyticsModel,
        serviceTier: symbolAt(tiers, row),
        failed: (numberAt(flags, row) & FactFlag.failed) !== 0,
        inputTokens: numberAt(input, row),
        uncachedInputTokens: numberAt(uncached, row),
        cachedTokens: numberAt(cached, row),
        cacheReadTokens: numberAt(read, row),
        cacheCreationTokens: numberAt(creation, row),
        outputTokens: numberAt(output, row),
        billableOutputTokens: numberAt(billable, row),
        reasoningTokens: numberAt(reasoning, row),
        totalTokens: numberAt(total, row),
        // Stored one higher, 0 = unknown; both unknown and 0 are no sample.
        latencyMs: numberAt(latency, row) - 1,
      },
    };
  };
}

export function numberAt(column: NumberColumn, row: number): number {
  return column.base + (column.values?.[row] ?? 0);
}

export function symbolAt(column: SymbolColumn, row: number): number {
  return column.set[column.codes?.[row] ?? 0] ?? 0;
}
