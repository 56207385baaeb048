import type { Database } from 'bun:sqlite';

/**
 * Scalar SQL: the last event id in a segment, 0 = none (ids start at 1). Rows of `facts_tail` up to it wait for their
 * deletion and are not part of the tail.
 */
export const SEALED_UNTIL = '(SELECT coalesce(max(last_event_id), 0) FROM fact_segments)';

export function readSealedUntil(db: Database): number {
  return db.query<{ id: number }, []>(`SELECT ${SEALED_UNTIL} AS id`).get()?.id ?? 0;
}

/** The newest event with a fact, 0 = none. Both ends by an index. */
export function readNewestFact(db: Database): number {
  const sql = `SELECT max((SELECT coalesce(max(event_id), 0) FROM facts_tail), ${SEALED_UNTIL}) AS id`;
  return db.query<{ id: number }, []>(sql).get()?.id ?? 0;
}
