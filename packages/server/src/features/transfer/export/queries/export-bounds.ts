import type { ReaderContext } from '../../../../sqlite/contexts.ts';
import type { EventKey } from '../event-key.ts';

export interface ExportBoundsArgs {
  /** null = from the start. */
  readonly after: EventKey | null;
  readonly lastId: number;
}

export interface ExportBounds {
  /** Last key of each of the next pages. */
  readonly keys: readonly EventKey[];
  /** The last page ends with the last event of the export. */
  readonly complete: boolean;
}

const PAGE_ROWS = 512;
/** Pages whose bounds are found at once. */
const PAGES = 32;

/**
 * All three read the index of `timestamp_ms`, whose entries end with the id, without reading rows. Events of one time are read
 * separately: a comparison of the pair `(timestamp_ms, id)` would start with the first of them every time.
 */
export const BOUND_AT_SAME_TIME_SQL = `
SELECT id
FROM usage_events
WHERE timestamp_ms = ?
  AND id > ?
  AND id <= ?
ORDER BY id
LIMIT 1 OFFSET ${PAGE_ROWS - 1}`;

export const COUNT_AT_SAME_TIME_SQL = `
SELECT count(*) AS rows
FROM usage_events
WHERE timestamp_ms = ?
  AND id > ?
  AND id <= ?`;

export const LATER_BOUND_SQL = `
SELECT id, timestamp_ms
FROM usage_events
WHERE timestamp_ms > ?
  AND id <= ?
ORDER BY timestamp_ms, id
LIMIT 1 OFFSET ?`;

/** The ends of the next pages, so that several can be read at the same time. */
export function exportBounds({ db }: ReaderContext, args: ExportBoundsArgs): ExportBounds {
  const sameTime = db.query<{ id: number }, [number, number, number]>(BOUND_AT_SAME_TIME_SQL);
  const countSameTime = db.query<{ rows: number }, [number, number, number]>(COUNT_AT_SAME_TIME_SQL);
  const later = db.query<{ id: number; timestamp_ms: number }, [number, number, number]>(LATER_BOUND_SQL);

  function boundAfter(key: EventKey | null): EventKey | null {
    let skip = PAGE_ROWS - 1;
    if (key !== null) {
      const same = sameTime.get(key.timestampMs, key.id, args.lastId);
      if (same !== null) return { timestampMs: key.timestampMs, id: same.id };
      skip -= countSameTime.get(key.timestampMs, key.id, args.lastId)?.rows ?? 0;
    }
    const row = later.get(key?.timestampMs ?? Number.MIN_SAFE_INTEGER, args.lastId, skip);
    return row === null ? null : { timestampMs: row.timestamp_ms, id: row.id };
  }

  return db.transaction((): ExportBounds => {
    const keys: EventKey[] = [];
    let last = args.after;
    while (keys.length < PAGES) {
      last = boundAfter(last);
      if (last === null) return { keys, complete: true };
      keys.push(last);
    }
    return { keys, complete: false };
  })();
}
