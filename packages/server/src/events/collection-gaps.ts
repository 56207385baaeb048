import type { Database } from 'bun:sqlite';

export interface GapRow {
  readonly from_ms: number;
  /** null = still open. */
  readonly to_ms: number | null;
  readonly kind: string;
  readonly estimated_lost: number | null;
}

/** Most gaps of one answer. */
const MAX_GAPS = 200;

/**
 * The newest collection gaps that overlap `[fromMs, toMs)`, oldest first.
 * @param limit null = all
 */
export function collectionGapsIn(
  db: Database,
  fromMs: number,
  toMs: number,
  limit: number | null = MAX_GAPS,
): GapRow[] {
  // The collector keeps at most 10,000 rows, so a scan without an index is enough.
  return db
    .query<GapRow, { fromMs: number; toMs: number; limit: number }>(
      `SELECT from_ms, to_ms, kind, estimated_lost
       FROM collection_gaps
       WHERE from_ms < :toMs
         AND (to_ms IS NULL OR to_ms > :fromMs OR from_ms >= :fromMs)
       ORDER BY from_ms DESC, id DESC
       LIMIT :limit`,
    )
    .all({ fromMs, toMs, limit: limit ?? -1 })
    .reverse();
}
