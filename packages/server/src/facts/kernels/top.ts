import type { FactChunk } from '../chunk.ts';
import type { Selection } from './selection.ts';

export interface EventCursor {
  readonly timestampMs: number;
  /** null = every event of that instant is after the cursor. */
  readonly eventId: number | null;
}

export interface EventPosition {
  readonly timestampMs: number;
  readonly eventId: number;
}

export interface TopEvents {
  offer(chunk: FactChunk, selection: Selection): void;
  /** Time of the oldest event it holds, once it is full: chunks without newer ones add nothing. −Infinity before. */
  oldestMs(): number;
  /** Newest first: time, then id. */
  result(): EventPosition[];
  clone(): TopEvents;
  bytes(): number;
}

/** Keeps the newest `size` events after the cursor, in a heap with the oldest of them as root. */
export function createTopEvents(size: number, cursor: EventCursor | null): TopEvents {
  return topEvents(size, cursor, [], []);
}

function topEvents(size: number, cursor: EventCursor | null, times: number[], ids: number[]): TopEvents {
  const beforeMs = cursor?.timestampMs ?? Number.POSITIVE_INFINITY;
  // Ids below this pass at the cursor's own instant.
  const beforeId = cursor?.eventId ?? Number.NEGATIVE_INFINITY;

  function offer(chunk: FactChunk, selection: Selection): void {
    if (size === 0 || (times.length === size && chunk.maxTimestampMs < (times[0] ?? 0))) return;
    const stamps = chunk.numbers('timestamp_ms');
    const eventIds = chunk.eventIds();
    // The newest rows are mostly last; starting there leaves few replacements.
    for (let index = selection.count - 1; index >= 0; index--) {
      const row = selection.rows === null ? index : (selection.rows[index] ?? 0);
      const time = stamps.base + (stamps.values?.[row] ?? 0);
      if (time > beforeMs || (times.length === size && time < (times[0] ?? 0))) continue;
      const id = eventIds.base + (eventIds.values?.[row] ?? 0);
      if (time === beforeMs && id >= beforeId) continue;
      if (times.length < size) push(time, id);
      else if (time > (times[0] ?? 0) || id > (ids[0] ?? 0)) replaceRoot(time, id);
    }
  }

  function push(time: number, id: number): void {
    let at = times.length;
    times.push(time);
    ids.push(id);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!older(time, id, parent)) break;
      move(parent, at);
      at = parent;
    }
    times[at] = time;
    ids[at] = id;
  }

  function replaceRoot(time: number, id: number): void {
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= size) break;
      if (child + 1 < size && older(times[child + 1] ?? 0, ids[child + 1] ?? 0, child)) child++;
      if (older(time, id, child)) break;
      move(child, at);
      at = child;
    }
    times[at] = time;
    ids[at] = id;
  }

  function older(time: number, id: number, than: number): boolean {
    const other = times[than] ?? 0;
    return time < other || (time === other && id < (ids[than] ?? 0));
  }

  function move(from: number, to: number): void {
    times[to] = times[from] ?? 0;
    ids[to] = ids[from] ?? 0;
  }

  function result(): EventPosition[] {
    const positions = times.map((timestampMs, index): EventPosition => ({ timestampMs, eventId: ids[index] ?? 0 }));
    return positions.sort((a, b) => b.timestampMs - a.timestampMs || b.eventId - a.eventId);
  }

  return {
    offer,
    oldestMs: () => (times.length < size ? Number.NEGATIVE_INFINITY : (times[0] ?? Number.POSITIVE_INFINITY)),
    result,
    clone: () => topEvents(size, cursor, [...times], [...ids]),
    bytes: () => times.length * 16,
  };
}
