import type { Database } from 'bun:sqlite';

/** Ids of collected events, both ends included. */
export interface CollectedRange {
  readonly firstEventId: number;
  readonly lastEventId: number;
}

interface Row {
  readonly first_event_id: number;
  readonly last_event_id: number;
}

/** Queues events for the account automation, in the transaction that inserts them. `ids` are consecutive. */
export function addCollectedBatch(db: Database, ids: readonly number[]): void {
  const first = ids[0];
  const last = ids.at(-1);
  if (first === undefined || last === undefined) return;
  const grown = db.query('UPDATE collected_batches SET last_event_id = ? WHERE last_event_id = ?').run(last, first - 1);
  if (grown.changes === 0) db.query('INSERT INTO collected_batches VALUES (?, ?)').run(first, last);
}

/** The next range to process; null when there is none. */
export function oldestCollectedRange(db: Database): CollectedRange | null {
  const row = db.query<Row, []>('SELECT * FROM collected_batches ORDER BY first_event_id LIMIT 1').get();
  return row === null ? null : { firstEventId: row.first_event_id, lastEventId: row.last_event_id };
}

/**
 * Removes events from the front of a range, in the transaction that stores their effects.
 *
 * @returns false when they were already removed, so that their effects must not be written again
 */
export function takeCollected(db: Database, range: CollectedRange): boolean {
  const oldest = oldestCollectedRange(db);
  if (oldest === null || oldest.firstEventId !== range.firstEventId) return false;
  if (range.lastEventId >= oldest.lastEventId) {
    db.query('DELETE FROM collected_batches WHERE first_event_id = ?').run(oldest.firstEventId);
  } else {
    db.query('UPDATE collected_batches SET first_event_id = ? WHERE first_event_id = ?').run(
      range.lastEventId + 1,
      oldest.firstEventId,
    );
  }
  return true;
}
