import type { Database } from 'bun:sqlite';
import { FACT_COLUMN_NAMES, type FactRow } from '../../facts/columns.ts';
import { SEALED_UNTIL } from '../../facts/sealed-until.ts';

const COLUMNS: readonly (keyof FactRow)[] = ['event_id', ...FACT_COLUMN_NAMES];

/** Adds facts to the tail, bound by name. */
export function createTailInserter(db: Database): (fact: FactRow) => void {
  const insert = db.query<never, [FactRow]>(
    `INSERT INTO facts_tail (${COLUMNS.join(', ')})
     VALUES (${COLUMNS.map((name) => `$${name}`).join(', ')})`,
  );
  return (fact) => {
    insert.run(fact);
  };
}

/** Counts the facts that wait for sealing. */
export function createTailCounter(db: Database): () => number {
  // Ids of the tail are consecutive, so both ends give the count without a scan.
  const statement = db.query<{ rows: number }, []>(
    `SELECT max(event_id) - (SELECT min(event_id) FROM facts_tail WHERE event_id > ${SEALED_UNTIL}) + 1 AS rows
     FROM facts_tail`,
  );
  return () => statement.get()?.rows ?? 0;
}
