import type { Database } from 'bun:sqlite';
import { AppError } from '@manager/core/contract/errors';
import { ARCHIVE_SCHEMA_VERSION } from '@manager/core/usage/archive-record';
import { ARCHIVE_FORMAT } from '../files/manifest.ts';
import type { SegmentFacts } from '../files/segment-writer.ts';
import type { ArchiveStage } from './stage.ts';

/** The members of a run that a stage needs. */
export interface StageRun {
  readonly number: number;
  readonly id: string;
  readonly mode: string;
  readonly status: string;
  readonly schemaVersion: number;
  readonly format: string;
  readonly cutoffMs: number;
  readonly targetEventId: number;
  readonly eventCount: number;
  readonly lastArchivedEventId: number;
  readonly archivedEventCount: number;
  readonly archivedUncompressedBytes: number;
  readonly archivedCompressedBytes: number;
  readonly archiveDigest: string | null;
  readonly manifestSha256: string | null;
  readonly archivedAtMs: number | null;
  readonly lastDeletedEventId: number;
  readonly deletedEventCount: number;
}

export interface StageSegment {
  /** Run id, '/', base name. */
  readonly fileName: string;
  readonly facts: SegmentFacts;
}

const RUN_SQL = `
SELECT
  number,
  id,
  mode,
  status,
  schema_version AS schemaVersion,
  format,
  cutoff_timestamp_ms AS cutoffMs,
  target_event_id AS targetEventId,
  event_count AS eventCount,
  last_archived_event_id AS lastArchivedEventId,
  archived_event_count AS archivedEventCount,
  archived_uncompressed_bytes AS archivedUncompressedBytes,
  archived_compressed_bytes AS archivedCompressedBytes,
  archive_digest AS archiveDigest,
  manifest_sha256 AS manifestSha256,
  archived_at_ms AS archivedAtMs,
  last_deleted_event_id AS lastDeletedEventId,
  deleted_event_count AS deletedEventCount
FROM usage_archive_runs
WHERE id = ?`;

/** @throws usage_archive_not_found */
export function readStageRun(db: Database, runId: string): StageRun {
  const run = db.query<StageRun, [string]>(RUN_SQL).get(runId);
  if (run === null) throw new AppError('usage_archive_not_found');
  return run;
}

/** The run, which must be in the stage and of the supported format. @throws usage_archive_invalid_state */
export function requireStage(db: Database, runId: string, stage: ArchiveStage): StageRun {
  const run = readStageRun(db, runId);
  if (run.status !== stage || run.schemaVersion !== ARCHIVE_SCHEMA_VERSION || run.format !== ARCHIVE_FORMAT) {
    throw new AppError('usage_archive_invalid_state');
  }
  return run;
}

type SegmentRow = SegmentFacts & Pick<StageSegment, 'fileName'>;

/** By the primary key. */
export const SEGMENTS_SQL = `
SELECT
  file_name AS fileName,
  sequence,
  first_event_id AS firstEventId,
  last_event_id AS lastEventId,
  min_timestamp_ms AS minTimestampMs,
  max_timestamp_ms AS maxTimestampMs,
  event_count AS eventCount,
  uncompressed_bytes AS uncompressedBytes,
  compressed_bytes AS compressedBytes,
  content_sha256 AS contentSha256,
  event_hash_digest AS eventHashDigest
FROM usage_archive_segments
WHERE run_number = ?
ORDER BY sequence`;

export function readStageSegments(db: Database, runNumber: number): readonly StageSegment[] {
  return db
    .query<SegmentRow, [number]>(SEGMENTS_SQL)
    .all(runNumber)
    .map(({ fileName, ...facts }) => ({ fileName, facts }));
}

/**
 * Leaves the stage: the new status, no progress, the lock free. In the transaction of the stage's last change.
 *
 * @param timeColumn when the run got this status
 */
export function leaveStage(
  db: Database,
  run: StageRun,
  to: {
    readonly status: 'archived' | 'verified' | 'completed';
    readonly timeColumn: 'archived_at_ms' | 'verified_at_ms' | 'completed_at_ms';
    readonly atMs: number;
    readonly nowMs: number;
  },
): void {
  db.query(
    `UPDATE usage_archive_runs
     SET
       status = ?, ${to.timeColumn} = ?, updated_at_ms = ?,
       progress_phase = NULL, progress_current = 0, progress_total = 0, progress_unit = NULL, progress_updated_at_ms = NULL
     WHERE number = ?`,
  ).run(to.status, to.atMs, to.nowMs, run.number);
  db.query('DELETE FROM usage_maintenance_locks WHERE run_number = ?').run(run.number);
}

export function touchLock(db: Database, run: StageRun, nowMs: number): void {
  db.query('UPDATE usage_maintenance_locks SET updated_at_ms = ? WHERE run_number = ?').run(nowMs, run.number);
}
