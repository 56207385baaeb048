import type { Database } from 'bun:sqlite';
import type { ColumnCache } from './cache.ts';
import type { FactChunk } from './chunk.ts';

export interface LiveRows {
  /** Looks whether raw events were deleted since the last call; inside the read transaction of a request. */
  refresh(): void;
  /** Raw events deleted so far. */
  deleted(): number;
  /** 1 for every row of the chunk whose raw event exists; null when all do. */
  rowsOf(chunk: FactChunk): Uint8Array | null;
}

/**
 * Which facts still have their raw event. Facts outlive raw events, lists of events do not. While nothing was ever deleted,
 * which a counter tells, there is nothing to look up.
 */
export function createLiveRows(db: Database, cache: ColumnCache): LiveRows {
  const deletions = db.query<{ value: number }, []>(`SELECT value FROM counters WHERE name = 'raw_events_deleted'`);
  // Covered by usage_events_time: the ids of a time span without their details.
  const idsBetween = db.query<never, [number, number]>(
    `SELECT id
     FROM usage_events INDEXED BY usage_events_time
     WHERE timestamp_ms BETWEEN ? AND ?`,
  );
  let deleted = 0;

  function load(chunk: FactChunk): Uint8Array | null {
    const ids = chunk.eventIds();
    const rowOf = new Map<number, number>();
    for (let row = 0; row < chunk.rowCount; row++) rowOf.set(ids.base + (ids.values?.[row] ?? 0), row);
    const mask = new Uint8Array(chunk.rowCount);
    let count = 0;
    const found = idsBetween.values(chunk.minTimestampMs, chunk.maxTimestampMs) as unknown as readonly [number][];
    for (const [id] of found) {
      const row = rowOf.get(id);
      if (row === undefined) continue;
      mask[row] = 1;
      count++;
    }
    return count === chunk.rowCount ? null : mask;
  }

  return {
    refresh: () => {
      deleted = deletions.get()?.value ?? 0;
    },
    deleted: () => deleted,
    rowsOf: (chunk) => {
      if (deleted === 0) return null;
      const key = `live:${chunk.firstEventId}:${chunk.lastEventId}:${deleted}`;
      return cache.get(
        key,
        'column',
        () => load(chunk),
        (mask) => mask?.byteLength ?? 0,
      );
    },
  };
}
