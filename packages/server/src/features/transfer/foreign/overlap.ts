import type { Database } from 'bun:sqlite';
import type { UsageEvent } from '@manager/core/usage/event';
import { numberAt, symbolAt } from '../../../events/ingest/chunk-sums.ts';
import type { FactChunk } from '../../../facts/chunk.ts';
import { createFactReader } from '../../../facts/reader.ts';
import { textAt } from '../../../facts/segment/texts.ts';
import type { SymbolTable } from '../../../facts/symbols.ts';

/** Finds events that both tools have recorded; they share no identity. */
export interface OverlapFinder {
  /** For each event whether an earlier one here is the same request: id, second, model and total tokens are equal. */
  find(events: readonly UsageEvent[]): readonly boolean[];
}

/** The columns of one segment at a time. */
const CACHE_BYTES = 8 * 1024 * 1024;
/** About 2 MB each. */
const REMEMBERED_CHUNKS = 8;
const SECOND_MS = 1_000;
const HASH_BITS = (1n << 52n) - 1n;

/** @param lastEventId later events are ignored: the import itself wrote them */
export function createOverlapFinder(db: Database, lastEventId: number): OverlapFinder {
  const reader = createFactReader(db, { cacheBytes: CACHE_BYTES });
  // Least recently used first. By the first event: appended events do not change the searched ones.
  const remembered = new Map<number, ReadonlySet<number>>();

  function keysOf(chunk: FactChunk, symbols: SymbolTable): ReadonlySet<number> {
    const known = remembered.get(chunk.firstEventId) ?? readKeys(chunk, symbols, lastEventId);
    remembered.delete(chunk.firstEventId);
    remembered.set(chunk.firstEventId, known);
    if (remembered.size > REMEMBERED_CHUNKS) {
      for (const first of remembered.keys()) {
        remembered.delete(first);
        break;
      }
    }
    return known;
  }

  return {
    find: (events) =>
      reader.read(({ chunks, symbols }) => {
        const earlier = chunks.filter((chunk) => chunk.firstEventId <= lastEventId);
        return events.map((event) => {
          // Without a request id two requests of one second cannot be distinguished.
          if (event.request_id === '' || earlier.length === 0) return false;
          const second = Math.floor(event.timestamp_ms / SECOND_MS);
          const key = keyOf(event.request_id, second, event.resolved_model || event.model, event.total_tokens);
          return earlier.some(
            (chunk) =>
              chunk.minTimestampMs < (second + 1) * SECOND_MS &&
              chunk.maxTimestampMs >= second * SECOND_MS &&
              keysOf(chunk, symbols).has(key),
          );
        });
      }),
  };
}

function readKeys(chunk: FactChunk, symbols: SymbolTable, lastEventId: number): ReadonlySet<number> {
  const ids = chunk.eventIds();
  const times = chunk.numbers('timestamp_ms');
  const requests = chunk.texts('request_id');
  const resolved = chunk.symbols('resolved_model');
  const models = chunk.symbols('model');
  const totals = chunk.numbers('total_tokens');
  const keys = new Set<number>();
  for (let row = 0; row < chunk.rowCount; row += 1) {
    if (numberAt(ids, row) > lastEventId) break;
    const request = textAt(requests, row);
    if (request === '') continue;
    const model = symbols.text(symbolAt(resolved, row) || symbolAt(models, row));
    keys.add(keyOf(request, Math.floor(numberAt(times, row) / SECOND_MS), model, numberAt(totals, row)));
  }
  return keys;
}

/** A hash instead of the text, which would need four times the memory. */
function keyOf(requestId: string, second: number, model: string, totalTokens: number): number {
  const hash = Bun.hash(`${requestId}\n${second}\n${model}\n${totalTokens}`);
  return Number(BigInt(hash) & HASH_BITS);
}
