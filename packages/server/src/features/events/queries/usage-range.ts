import type { ReaderContext } from '../../../db/contexts.ts';
import type { EventKey } from './export-page.ts';

export interface UsageRange {
  /** Later events are no part of the answer. */
  readonly lastId: number;
  /** Key of the oldest event that is part of it; null = there is none. */
  readonly from: EventKey | null;
}

/** Walks the newest entries of the time index, without reading rows. */
export const USAGE_RANGE_SQL = `
SELECT id, timestamp_ms
FROM usage_events
ORDER BY timestamp_ms DESC, id DESC
LIMIT 1 OFFSET ?`;

const OLDEST_SQL = `
SELECT id, timestamp_ms
FROM usage_events
ORDER BY timestamp_ms, id
LIMIT 1`;

interface KeyRow {
  readonly id: number;
  readonly timestamp_ms: number;
}

/** Fixes what one answer covers: the newest `limit` events of this moment. */
export function usageRange({ db }: ReaderContext, args: { readonly limit: number }): UsageRange {
  return db.transaction((): UsageRange => {
    const lastId = db.query<{ id: number | null }, []>('SELECT max(id) AS id FROM usage_events').get()?.id ?? 0;
    const row =
      db.query<KeyRow, [number]>(USAGE_RANGE_SQL).get(args.limit - 1) ?? db.query<KeyRow, []>(OLDEST_SQL).get();
    return { lastId, from: row === null ? null : { timestampMs: row.timestamp_ms, id: row.id } };
  })();
}
