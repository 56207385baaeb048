import type { Database } from 'bun:sqlite';
import { addToCounter } from '../../../events/ingest/counters.ts';
import { stopPoint } from '../../../platform/stop-point.ts';
import type { WriterContext } from '../../../sqlite/contexts.ts';
import { coverageIncomplete, requireCoverage } from './gates.ts';
import { leaveStage, requireStage, type StageRun, touchLock } from './store-run.ts';

/** Raw rows per transaction, so that a collector's batch waits little. */
const BATCH_EVENTS = 1_000;
const DAY_MS = 86_400_000;

interface Candidate {
  readonly id: number;
  readonly timestampMs: number;
  readonly key: string | Uint8Array;
}

/** By usage_archive_event_refs_undeleted, in id order. */
export const CANDIDATES_SQL = `
SELECT raw_event_id AS id, timestamp_ms AS timestampMs, event_hash AS key
FROM usage_archive_event_refs INDEXED BY usage_archive_event_refs_undeleted
WHERE run_number = ?
  AND raw_deleted_at_ms IS NULL
  AND raw_event_id > ?
ORDER BY raw_event_id
LIMIT ${BATCH_EVENTS}`;

export interface DeletedBatch {
  readonly deletedEventCount: number;
  readonly eventCount: number;
  readonly completed: boolean;
}

/**
 * Deletes the next raw rows of a run, after all conditions were proven again in the same transaction. Derived data stays:
 * facts, hourly rollup, ledger and the newest response headers. With the last row the run is complete.
 *
 * @throws usage_archive_coverage_incomplete with nothing deleted
 */
export function deleteArchivedBatch({ db, now }: WriterContext, { runId }: { readonly runId: string }): DeletedBatch {
  const run = requireStage(db, runId, 'deleting');
  requireCoverage(db, run.targetEventId);
  const nowMs = now();
  const batch = db.query<Candidate, [number, number]>(CANDIDATES_SQL).all(run.number, run.lastDeletedEventId);
  deleteRows(db, batch, nowMs);
  stopPoint('archive_delete_rows');
  countDays(db, batch);
  addToCounter(db, 'events', -batch.length);
  const deletedEventCount = run.deletedEventCount + batch.length;
  writeProgress(db, run, { deletedEventCount, lastId: batch.at(-1)?.id ?? run.lastDeletedEventId, nowMs });
  touchLock(db, run, nowMs);
  const isLast = !hasUndeleted(db, run);
  if (isLast !== (deletedEventCount === run.eventCount) || (batch.length === 0 && !isLast)) {
    throw coverageIncomplete('references and events of the run do not match');
  }
  if (isLast) {
    leaveStage(db, run, { status: 'completed', timeColumn: 'completed_at_ms', atMs: nowMs, nowMs });
    db.query("UPDATE usage_archive_runs SET compaction = 'waiting' WHERE number = ? AND automatic = 1").run(run.number);
  }
  stopPoint('archive_delete_batch');
  return { deletedEventCount, eventCount: run.eventCount, completed: isLast };
}

/** Exactly one raw row, one ledger entry and one reference for each. */
function deleteRows(db: Database, batch: readonly Candidate[], nowMs: number): void {
  // Each by the primary key.
  const claimed = db.query<{ found: number }, [string | Uint8Array, number, number]>(
    'SELECT 1 AS found FROM usage_event_identity_ledger WHERE event_hash = ? AND event_id = ? AND timestamp_ms = ?',
  );
  const deleteRaw = db.query<{ id: number }, [number, number]>(
    'DELETE FROM usage_events WHERE id = ? AND timestamp_ms = ? RETURNING id',
  );
  // The ledger keeps the hash.
  const markDeleted = db.query(
    'UPDATE usage_archive_event_refs SET raw_deleted_at_ms = ?, event_hash = NULL WHERE raw_event_id = ?',
  );
  for (const { id, timestampMs, key } of batch) {
    if (claimed.get(key, id, timestampMs) === null) throw coverageIncomplete(`event ${id} differs from the ledger`);
    if (deleteRaw.get(id, timestampMs) === null) throw coverageIncomplete(`the raw row of event ${id} is missing`);
    markDeleted.run(nowMs, id);
  }
}

function countDays(db: Database, batch: readonly Candidate[]): void {
  const days = new Map<number, { events: number; minMs: number; maxMs: number }>();
  for (const { timestampMs } of batch) {
    const dayMs = Math.floor(timestampMs / DAY_MS) * DAY_MS;
    const day = days.get(dayMs) ?? { events: 0, minMs: timestampMs, maxMs: timestampMs };
    day.events += 1;
    day.minMs = Math.min(day.minMs, timestampMs);
    day.maxMs = Math.max(day.maxMs, timestampMs);
    days.set(dayMs, day);
  }
  const upsert = db.query(
    `INSERT INTO usage_archive_deleted_coverage_daily (utc_day_ms, deleted_event_count, min_timestamp_ms, max_timestamp_ms)
     VALUES (?, ?, ?, ?)
     ON CONFLICT (utc_day_ms) DO UPDATE SET
       deleted_event_count = deleted_event_count + excluded.deleted_event_count,
       min_timestamp_ms = min(min_timestamp_ms, excluded.min_timestamp_ms),
       max_timestamp_ms = max(max_timestamp_ms, excluded.max_timestamp_ms)`,
  );
  for (const [dayMs, day] of days) upsert.run(dayMs, day.events, day.minMs, day.maxMs);
}

function writeProgress(
  db: Database,
  run: StageRun,
  done: { readonly deletedEventCount: number; readonly lastId: number; readonly nowMs: number },
): void {
  db.query(
    `UPDATE usage_archive_runs
     SET
       last_deleted_event_id = ?, deleted_event_count = ?, updated_at_ms = ?,
       progress_phase = 'deleting_records', progress_current = ?, progress_total = event_count, progress_unit = 'events',
       progress_updated_at_ms = ?
     WHERE number = ?`,
  ).run(done.lastId, done.deletedEventCount, done.nowMs, done.deletedEventCount, done.nowMs, run.number);
}

/** By usage_archive_event_refs_undeleted. */
export const UNDELETED_SQL = `
SELECT 1 AS found
FROM usage_archive_event_refs INDEXED BY usage_archive_event_refs_undeleted
WHERE run_number = ?
  AND raw_deleted_at_ms IS NULL
LIMIT 1`;

function hasUndeleted(db: Database, run: StageRun): boolean {
  return db.query<{ found: number }, [number]>(UNDELETED_SQL).get(run.number) !== null;
}
