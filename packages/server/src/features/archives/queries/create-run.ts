import type { ArchiveMode } from '@manager/core/contract/archives/runs';
import { AppError } from '@manager/core/contract/errors';
import { ARCHIVE_SCHEMA_VERSION } from '@manager/core/usage/archive-record';
import { stopPoint } from '../../../platform/stop-point.ts';
import type { WriterContext } from '../../../sqlite/contexts.ts';
import { ARCHIVE_FORMAT } from '../files/manifest.ts';
import { type EligibleEvents, eligibleEventsNow, eligibleRevision } from './eligible-events.ts';
import { hasUnreleased } from './release-references.ts';

export interface CreateRunArgs {
  readonly id: string;
  readonly mode: ArchiveMode;
  readonly cutoffMs: number;
  /** Counted by a reader; null = count now, which blocks every other write. */
  readonly eligible: EligibleEvents | null;
  /** All stages follow automatically. */
  readonly automatic: boolean;
  /** The number that a person confirmed; null = none. */
  readonly expectedCount: number | null;
}

/** Limit from the 4 MiB of a manifest. */
const MAX_SEGMENTS = 8_000;
const SEGMENT_EVENTS = 10_000;
const SEGMENT_BYTES = 64 * 1024 * 1024;

/**
 * Write operation: creates a run. False without a change when the reader's count is no longer true, or when events of a
 * canceled run are not free yet.
 *
 * @throws usage_archive_maintenance_locked, usage_archive_no_events, usage_archive_count_changed,
 *   usage_archive_coverage_incomplete
 */
export function createArchiveRun({ db, now }: WriterContext, args: CreateRunArgs): boolean {
  if (db.query(ACTIVE_SQL).get() !== null) throw new AppError('usage_archive_maintenance_locked');
  if (hasUnreleased(db)) return false;
  if (args.eligible !== null && args.eligible.revision !== eligibleRevision(db)) return false;
  const eligible = args.eligible ?? eligibleEventsNow(db, args.cutoffMs);
  if (eligible.count === 0) throw new AppError('usage_archive_no_events');
  if (args.expectedCount !== null && args.expectedCount !== eligible.count) {
    throw new AppError('usage_archive_count_changed');
  }
  const segments = Math.max(eligible.count / SEGMENT_EVENTS, eligible.estimatedBytes / SEGMENT_BYTES);
  if (segments > MAX_SEGMENTS) {
    throw new AppError('usage_archive_coverage_incomplete', {
      message: 'one archive run cannot hold that many events; choose an earlier time',
    });
  }
  const nowMs = now();
  db.query(
    `INSERT INTO usage_archive_runs (
       id, mode, schema_version, format, status,
       cutoff_timestamp_ms, target_event_id, event_count, estimated_bytes, created_at_ms, updated_at_ms,
       automatic, requested_stage
     )
     VALUES (?, ?, ?, ?, 'previewed', ?, ?, ?, ?, ?, ?, ?, ?)`,
  ).run(
    args.id,
    args.mode,
    ARCHIVE_SCHEMA_VERSION,
    ARCHIVE_FORMAT,
    args.cutoffMs,
    eligible.targetEventId,
    eligible.count,
    eligible.estimatedBytes,
    nowMs,
    nowMs,
    args.automatic ? 1 : 0,
    args.automatic ? 'archiving' : null,
  );
  stopPoint('archive_run_uncommitted');
  return true;
}

/**
 * Runs that block others: active ones, those that wait for the operator, and automatic ones until they are complete. A
 * manual run that is archived or verified may stay so forever and blocks nothing.
 */
export const ACTIVE_CONDITION = `
  status NOT IN ('completed', 'cancelled')
  AND (mode = 'retention' OR automatic = 1 OR status NOT IN ('archived', 'verified'))`;

const ACTIVE_SQL = `SELECT 1 FROM usage_archive_runs WHERE ${ACTIVE_CONDITION} LIMIT 1`;
