import type { FactChunk } from '../../facts/chunk.ts';
import type { NumberColumn } from '../../facts/segment/integers.ts';
import type { SymbolColumn } from '../../facts/segment/symbol-codes.ts';
import type { CountedFact, HourlySums } from './hourly-rollup.ts';

/** Adds the facts of a chunk with event ids above `afterId`. Returns how many. */
export function addChunk(sums: HourlySums, chunk: FactChunk, afterId: number): number {
  const ids = chunk.eventIds();
  const factAt = countedFacts(chunk);
  let added = 0;
  for (let row = 0; row < chunk.rowCount; row += 1) {
    if (numberAt(ids, row) <= afterId) continue;
    sums.add(factAt(row));
    added += 1;
  }
  return added;
}

/** Reads the facts of a chunk by row. */
export function countedFacts(chunk: FactChunk): (row: number) => CountedFact {
  const time = chunk.numbers('timestamp_ms');
  const analyticsModel = chunk.symbols('analytics_model');
  const resolvedModel = chunk.symbols('resolved_model');
  const tier = chunk.symbols('service_tier');
  const input = chunk.numbers('input_tokens');
  const uncached = chunk.numbers('uncached_input_tokens');
  const cached = chunk.numbers('cached_tokens');
  const read = chunk.numbers('cache_read_tokens');
  const creation = chunk.numbers('cache_creation_tokens');
  const write1h = chunk.numbers('cache_write_1h_tokens');
  const output = chunk.numbers('output_tokens');
  const billable = chunk.numbers('billable_output_tokens');
  const reasoning = chunk.numbers('reasoning_tokens');
  const total = chunk.numbers('total_tokens');
  const latency = chunk.numbers('latency_ms');
  const flags = chunk.numbers('flags');
  return (row) => ({
    timestamp_ms: numberAt(time, row),
    analytics_model: symbolAt(analyticsModel, row),
    resolved_model: symbolAt(resolvedModel, row),
    service_tier: symbolAt(tier, row),
    input_tokens: numberAt(input, row),
    uncached_input_tokens: numberAt(uncached, row),
    cached_tokens: numberAt(cached, row),
    cache_read_tokens: numberAt(read, row),
    cache_creation_tokens: numberAt(creation, row),
    cache_write_1h_tokens: numberAt(write1h, row),
    output_tokens: numberAt(output, row),
    billable_output_tokens: numberAt(billable, row),
    reasoning_tokens: numberAt(reasoning, row),
    total_tokens: numberAt(total, row),
    latency_ms: numberAt(latency, row),
    flags: numberAt(flags, row),
  });
}

export function numberAt(column: NumberColumn, row: number): number {
  return column.base + (column.values?.[row] ?? 0);
}

export function symbolAt(column: SymbolColumn, row: number): number {
  return column.set[column.codes?.[row] ?? 0] ?? 0;
}
