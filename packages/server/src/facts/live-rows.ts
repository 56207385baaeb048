import type { Database } from 'bun:sqlite';
import type { ColumnCache } from './cache.ts';
import type { FactChunk } from './chunk.ts';

export interface LiveRows {
  /** Checks whether raw events were deleted since the last call; inside the read transaction of a request. */
  refresh(): void;
  deleted(): number;
  /** 1 for every row of the chunk whose raw event exists; null when all do. */
  rowsOf(chunk: FactChunk): Uint8Array | null;
}

/** When the time span of a chunk has more events than this multiple of its rows, they are looked up by id. */
const CROWDED = 2;

/**
 * Which facts still have their raw event. Facts outlive raw events, lists of events do not. While the counter of deletions is 0
 * nothing is looked up. Later a count is mostly enough: for nearly every chunk either all events exist or none does.
 */
export function createLiveRows(db: Database, cache: ColumnCache): LiveRows {
  const deletions = db.query<{ value: number }, []>(`SELECT value FROM counters WHERE name = 'raw_events_deleted'`);
  // Covered by usage_events_time: the events of a time span without their details. Stops at a limit.
  const countBetween = db.query<{ found: number; own: number }, [number, number, number, number, number]>(
    `SELECT count(*) AS found, coalesce(sum(id BETWEEN ? AND ?), 0) AS own
     FROM (
       SELECT id
       FROM usage_events INDEXED BY usage_events_time
       WHERE timestamp_ms BETWEEN ? AND ?
       LIMIT ?
     )`,
  );
  const idsBetween = db.query<never, [number, number, number, number]>(
    `SELECT id
     FROM usage_events INDEXED BY usage_events_time
     WHERE timestamp_ms BETWEEN ? AND ?
       AND id BETWEEN ? AND ?`,
  );
  // Reads the details too, so it is for chunks with a few events whose time is far from the others.
  const idsById = db.query<never, [number, number]>('SELECT id FROM usage_events WHERE id BETWEEN ? AND ?');
  let deleted = 0;

  function load(chunk: FactChunk): Uint8Array | null {
    const { rowCount, firstEventId, lastEventId, minTimestampMs, maxTimestampMs } = chunk;
    const most = rowCount * CROWDED + 1;
    const counted = countBetween.get(firstEventId, lastEventId, minTimestampMs, maxTimestampMs, most);
    const { found, own } = counted ?? { found: 0, own: 0 };
    if (own === rowCount) return null;
    if (found === most) return maskOf(chunk, idsById.values(firstEventId, lastEventId));
    if (own === 0) return new Uint8Array(rowCount);
    return maskOf(chunk, idsBetween.values(minTimestampMs, maxTimestampMs, firstEventId, lastEventId));
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

function maskOf(chunk: FactChunk, live: readonly (readonly unknown[])[]): Uint8Array | null {
  if (live.length === chunk.rowCount) return null;
  const mask = new Uint8Array(chunk.rowCount);
  const rowOf = rowsById(chunk);
  for (const [id] of live) mask[rowOf(Number(id))] = 1;
  return mask;
}

/** Row of each event of the chunk. */
function rowsById(chunk: FactChunk): (id: number) => number {
  const { rowCount, firstEventId, lastEventId } = chunk;
  if (lastEventId - firstEventId === rowCount - 1) return (id) => id - firstEventId;
  const ids = chunk.eventIds();
  const rowOf = new Map<number, number>();
  for (let row = 0; row < rowCount; row++) rowOf.set(ids.base + (ids.values?.[row] ?? 0), row);
  // Every stored event is a fact of the chunk with its id range.
  return (id) => rowOf.get(id) ?? rowCount;
}
