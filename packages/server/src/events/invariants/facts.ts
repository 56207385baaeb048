import type { UsageEvent } from '@manager/core/usage/event';
import type { FactChunk } from '../../facts/chunk.ts';
import type { FactColumn } from '../../facts/columns.ts';
import type { NumberColumn } from '../../facts/segment/integers.ts';
import { textAt } from '../../facts/segment/texts.ts';
import type { SymbolTable } from '../../facts/symbols.ts';
import { numberAt, symbolAt } from '../ingest/chunk-sums.ts';
import { factTokens, TOKEN_FLAGS, tokenFlags } from '../ingest/fact-row.ts';

const HEADER_SYMBOLS = ['header_quota_plan_type', 'header_error_kind', 'header_error_code'] as const;

/** Compares raw events, whose ids must ascend from call to call, with their facts: tokens, quality, headers. */
export function createFactComparison(
  chunks: readonly FactChunk[],
  symbols: SymbolTable,
): (id: number, event: UsageEvent) => readonly string[] {
  let at = 0;
  let row = 0;
  let facts = chunks[0] === undefined ? null : factsOf(chunks[0], symbols);

  return (id, event) => {
    while ((chunks[at]?.lastEventId ?? id) < id) {
      at += 1;
      row = 0;
      const next = chunks[at];
      facts = next === undefined ? null : factsOf(next, symbols);
    }
    if (facts === null) return [];
    while (row < facts.rowCount && facts.idAt(row) < id) row += 1;
    // Another check reports missing facts.
    if (row >= facts.rowCount || facts.idAt(row) !== id) return [];
    return facts.differences(row, event).map((name) => `raw event ${id} has another ${name} than its fact`);
  };
}

function factsOf(chunk: FactChunk, symbols: SymbolTable) {
  const ids = chunk.eventIds();
  const numbers = new Map<string, NumberColumn>();
  const columnOf = (name: FactColumn) => {
    const known = numbers.get(name) ?? chunk.numbers(name);
    numbers.set(name, known);
    return known;
  };
  const headers = HEADER_SYMBOLS.map((name) => [name, chunk.symbols(name)] as const);
  const traces = chunk.texts('header_trace_id');
  return {
    rowCount: chunk.rowCount,
    idAt: (row: number) => numberAt(ids, row),
    differences(row: number, event: UsageEvent): string[] {
      const tokens = Object.entries(factTokens(event)) as [FactColumn, number][];
      const different: string[] = tokens
        .filter(([name, value]) => numberAt(columnOf(name), row) !== value)
        .map(([name]) => name);
      if ((numberAt(columnOf('flags'), row) & TOKEN_FLAGS) !== tokenFlags(event)) different.push('flags');
      for (const [name, column] of headers) {
        if (symbols.text(symbolAt(column, row)) !== event[name]) different.push(name);
      }
      if (textAt(traces, row) !== event.header_trace_id) different.push('header_trace_id');
      return different;
    },
  };
}
