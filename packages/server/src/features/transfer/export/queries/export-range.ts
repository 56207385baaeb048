import type { ReaderContext } from '../../../../sqlite/contexts.ts';

export interface ExportRange {
  readonly rows: number;
  /** Later events are not part of the export. */
  readonly lastId: number;
}

/** Reads a counter and the end of the primary key. */
export const EXPORT_RANGE_SQL = `
SELECT
  (SELECT value FROM counters WHERE name = 'events') AS rows,
  (SELECT max(id) FROM usage_events) AS last_id`;

/** The range of one export. Both numbers come from one statement, so they are consistent. */
export function exportRange({ db }: ReaderContext, _args: null): ExportRange {
  const row = db.query<{ rows: number | null; last_id: number | null }, []>(EXPORT_RANGE_SQL).get();
  return { rows: row?.rows ?? 0, lastId: row?.last_id ?? 0 };
}
