import type { Database } from 'bun:sqlite';
import { ROWS_PER_SOURCE } from '@manager/core/accounts/quota/read-selection';

export interface PruneArgs {
  /** Rows whose newest observation is older than this. */
  readonly beforeMs: number;
  readonly place: PrunePlace;
  /** Number of rows to check. */
  readonly rows: number;
}

/** Where to continue: after a row, or after an observation once all rows were checked. */
export interface PrunePlace {
  readonly table: 'snapshots' | 'observations';
  readonly afterId: number;
}

export const PRUNE_START: PrunePlace = { table: 'snapshots', afterId: 0 };

export interface PruneOutcome {
  readonly deleted: number;
  /** Null = everything was checked. */
  readonly next: PrunePlace | null;
}

/** Rows by primary key, the first and last of a cycle by `quota_snapshots_cycle`, the newest by `quota_snapshots_newest`. */
export const PRUNE_SNAPSHOTS_SQL = `
DELETE FROM quota_snapshots
WHERE id > ?1 AND id <= ?2
  AND first_observed_at_ms + seen_for_ms < ?3
  AND (
    cycle_number IS NULL
    OR id NOT IN (
      (SELECT id FROM quota_snapshots AS others
       WHERE others.cycle_number = quota_snapshots.cycle_number
       ORDER BY first_observed_at_ms, id LIMIT 1),
      (SELECT id FROM quota_snapshots AS others
       WHERE others.cycle_number = quota_snapshots.cycle_number
       ORDER BY first_observed_at_ms DESC, id DESC LIMIT 1)
    )
  )
  AND (
    counts = 0
    OR id NOT IN (
      SELECT id FROM quota_snapshots AS others
      WHERE others.window_number = quota_snapshots.window_number
        AND others.source = quota_snapshots.source
        AND others.counts = 1
      ORDER BY first_observed_at_ms DESC, id DESC LIMIT ?4
    )
  )`;

/** By primary key and `quota_snapshots_observation`. */
export const PRUNE_OBSERVATIONS_SQL = `
DELETE FROM quota_observations
WHERE number > ?1 AND number <= ?2
  AND observed_at_ms < ?3
  AND NOT EXISTS (SELECT 1 FROM quota_snapshots WHERE observation_number = quota_observations.number)`;

/**
 * Deletes old ones among the next rows. The first and the last row of each cycle stay, and so do the newest of each window and
 * source: answers need them, however old they are.
 */
export function pruneRows(db: Database, { beforeMs, place, rows }: PruneArgs): PruneOutcome {
  const { table, afterId } = place;
  const last = lastOfNext(db, table, afterId, rows);
  if (last === null) return { deleted: 0, next: table === 'snapshots' ? { table: 'observations', afterId: 0 } : null };
  const deleted =
    table === 'snapshots'
      ? db.query(PRUNE_SNAPSHOTS_SQL).run(afterId, last, beforeMs, ROWS_PER_SOURCE).changes
      : db.query(PRUNE_OBSERVATIONS_SQL).run(afterId, last, beforeMs).changes;
  return { deleted, next: { table, afterId: last } };
}

function lastOfNext(db: Database, table: PrunePlace['table'], afterId: number, rows: number): number | null {
  const sql =
    table === 'snapshots'
      ? 'SELECT max(id) AS last FROM (SELECT id FROM quota_snapshots WHERE id > ? ORDER BY id LIMIT ?)'
      : 'SELECT max(number) AS last FROM (SELECT number FROM quota_observations WHERE number > ? ORDER BY number LIMIT ?)';
  return db.query<{ last: number | null }, [number, number]>(sql).get(afterId, rows)?.last ?? null;
}
