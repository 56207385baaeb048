import type { Database } from 'bun:sqlite';
import { SEALED_UNTIL } from '../../facts/sealed-until.ts';

/** Counts the facts that wait for sealing. */
export function createTailCounter(db: Database): () => number {
  // Ids of the tail have no holes, so both ends give the count without a scan.
  const statement = db.query<{ rows: number }, []>(
    `SELECT max(event_id) - (SELECT min(event_id) FROM facts_tail WHERE event_id > ${SEALED_UNTIL}) + 1 AS rows
     FROM facts_tail`,
  );
  return () => statement.get()?.rows ?? 0;
}
