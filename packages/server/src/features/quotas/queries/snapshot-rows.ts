import type { Database } from 'bun:sqlite';
import { QUOTA_SOURCES, type QuotaSource } from '@manager/core/contract/quotas/snapshots';
import { hashKey, hashOfKey } from '../../../events/ingest/hash-key.ts';
import type { RowEnd } from '../runs.ts';
import type { WindowMembers } from '../window-members.ts';

/** The source of a row: a stored observation, or an event. */
export type RowOrigin = { readonly observation: number } | { readonly event: string };

export interface NewRow {
  /** Window id as in the state; null = never part of the lifecycle. */
  readonly windowId: string | null;
  readonly cycleId: string | null;
  readonly inLifecycle: boolean;
  readonly source: QuotaSource;
  readonly atMs: number;
  readonly origin: RowOrigin;
  readonly members: Omit<WindowMembers, 'shape'> & { readonly shapeNumber: number };
}

/** The newest row of a window, with the members that decide whether the next observation is new. */
export interface KnownRow extends RowEnd {
  readonly row: number;
  readonly sinceMs: number;
  readonly cycleId: string | null;
  readonly shapeNumber: number;
}

/** Ids of windows and cycles are numbers of a counter. */
function toNumber(id: string | null): number | null {
  return id === null ? null : Number(id);
}

export function sourceNumber(source: QuotaSource): number {
  return QUOTA_SOURCES.indexOf(source);
}

const INSERT_SQL = `
INSERT INTO quota_snapshots (
  window_number, source, counts, first_observed_at_ms, seen_for_ms, observation_number, event_hash, cycle_number,
  shape_number, used_percent, cycle_start_ms, cycle_end_ms, rest
) VALUES (?, ?, ?, ?, 0, ?, ?, ?, ?, ?, ?, ?, ?)`;

/** @returns its id */
export function insertRow(db: Database, row: NewRow): number {
  const { members, origin } = row;
  const { lastInsertRowid } = db
    .query(INSERT_SQL)
    .run(
      toNumber(row.windowId),
      sourceNumber(row.source),
      row.inLifecycle ? 1 : 0,
      row.atMs,
      'observation' in origin ? origin.observation : null,
      'event' in origin ? hashKey(origin.event) : null,
      toNumber(row.cycleId),
      members.shapeNumber,
      members.usedPercent,
      members.startMs,
      members.endMs,
      members.rareMembers,
    );
  return Number(lastInsertRowid);
}

const MOVE_SQL = `
UPDATE quota_snapshots
SET seen_for_ms = ? - first_observed_at_ms, event_hash = ?, used_percent = ?`;

/** The row covers one more observation, with this percent. */
export function extendRow(
  db: Database,
  row: number,
  { atMs, id, usedPercent }: Pick<RowEnd, 'atMs' | 'id' | 'usedPercent'>,
): void {
  db.query(`${MOVE_SQL} WHERE id = ?`).run(atMs, hashKey(id), usedPercent, row);
}

/** Replaces the values of a row. */
export function rewriteRow(db: Database, row: number, end: RowEnd): void {
  db.query(`${MOVE_SQL}, cycle_start_ms = ?, cycle_end_ms = ?, rest = ? WHERE id = ?`).run(
    end.atMs,
    hashKey(end.id),
    end.usedPercent,
    end.startMs,
    end.endMs,
    end.rareMembers,
    row,
  );
}

/** The row becomes history. */
export function dismissRow(db: Database, row: number): void {
  db.query('UPDATE quota_snapshots SET counts = 0, cycle_number = NULL WHERE id = ?').run(row);
}

/** By `quota_snapshots_observation`. */
export function dismissRowsOf(db: Database, observation: number): void {
  db.query('UPDATE quota_snapshots SET counts = 0, cycle_number = NULL WHERE observation_number = ?').run(observation);
}

interface KnownRowColumns {
  readonly id: number;
  readonly first_observed_at_ms: number;
  readonly seen_for_ms: number;
  readonly event_hash: Uint8Array | string;
  readonly cycle_number: number | null;
  readonly shape_number: number;
  readonly used_percent: number | null;
  readonly cycle_start_ms: number | null;
  readonly cycle_end_ms: number | null;
  readonly rest: string | null;
}

/**
 * By `quota_snapshots_newest`. With a plus before a parameter SQLite does not plan the statement again for each value.
 */
const NEWEST_SQL = `
SELECT
  id, first_observed_at_ms, seen_for_ms, event_hash, cycle_number, shape_number, used_percent, cycle_start_ms,
  cycle_end_ms, rest
FROM quota_snapshots
WHERE window_number = +? AND source = +? AND counts = +? AND first_observed_at_ms <= +?
  AND event_hash IS NOT NULL
ORDER BY first_observed_at_ms DESC
LIMIT 1`;

/** The row of an event that represents the window at that time. */
export function rowOfEventAt(
  db: Database,
  windowId: string,
  { source, inLifecycle, atMs }: { readonly source: QuotaSource; readonly inLifecycle: boolean; readonly atMs: number },
): KnownRow | null {
  const row = db
    .query<KnownRowColumns, [number, number, number, number]>(NEWEST_SQL)
    .get(Number(windowId), sourceNumber(source), inLifecycle ? 1 : 0, atMs);
  if (row === null) return null;
  return {
    row: row.id,
    id: hashOfKey(row.event_hash),
    sinceMs: row.first_observed_at_ms,
    atMs: row.first_observed_at_ms + row.seen_for_ms,
    cycleId: row.cycle_number === null ? null : String(row.cycle_number),
    shapeNumber: row.shape_number,
    usedPercent: row.used_percent,
    startMs: row.cycle_start_ms,
    endMs: row.cycle_end_ms,
    rareMembers: row.rest,
  };
}

/** The number of a shape, a new one for an unknown shape. */
export function shapeNumber(db: Database, shape: string): number {
  const known = db
    .query<{ number: number }, [string]>('SELECT number FROM quota_window_shapes WHERE shape = ?')
    .get(shape);
  if (known !== null) return known.number;
  return Number(db.query('INSERT INTO quota_window_shapes (shape) VALUES (?)').run(shape).lastInsertRowid);
}
