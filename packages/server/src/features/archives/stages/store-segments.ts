import { AppError } from '@manager/core/contract/errors';
import { hashKey } from '../../../events/ingest/hash-key.ts';
import { stopPoint } from '../../../platform/stop-point.ts';
import type { WriterContext } from '../../../sqlite/contexts.ts';
import type { WrittenSegment } from '../files/segment-writer.ts';
import { IS_ELIGIBLE } from './eligible.ts';
import { coverageIncomplete, requireHourlyRollup } from './gates.ts';
import { leaveStage, requireStage, touchLock } from './store-run.ts';

/** By the primary key. */
export const NEXT_ELIGIBLE_SQL = `
SELECT event.id, event.timestamp_ms AS timestampMs
FROM usage_events AS event
WHERE event.id > $after
  AND event.id <= $target
  AND ${IS_ELIGIBLE}
ORDER BY event.id
LIMIT $limit`;

/** By the primary key. */
const CLAIM_SQL = `
SELECT event_id AS id
FROM usage_event_identity_ledger
WHERE event_hash = ?`;

/** The file of the segment is complete and durable: its row is added, and its events belong to the run. */
export function recordArchiveSegment(
  { db, now }: WriterContext,
  { runId, fileName, facts, events }: WrittenSegment & { readonly runId: string },
): void {
  const run = requireStage(db, runId, 'archiving');
  const nowMs = now();
  requireNextEvents();
  const claim = db.query<{ id: number }, [string | Uint8Array]>(CLAIM_SQL);
  const insertReference = db.query(
    `INSERT INTO usage_archive_event_refs (raw_event_id, run_number, segment_sequence, timestamp_ms, event_hash)
     VALUES (?, ?, ?, ?, ?)`,
  );
  for (const [index, id] of events.ids.entries()) {
    const key = hashKey(events.hashes[index] ?? '');
    if (claim.get(key)?.id !== id) throw coverageIncomplete(`the hash of event ${id} differs from the ledger`);
    insertReference.run(id, run.number, facts.sequence, events.timestampsMs[index] ?? 0, key);
  }
  db.query(
    `INSERT INTO usage_archive_segments (
       run_number, sequence, status, file_name, first_event_id, last_event_id, min_timestamp_ms, max_timestamp_ms,
       event_count, uncompressed_bytes, compressed_bytes, content_sha256, event_hash_digest, created_at_ms
     )
     VALUES (?, ?, 'published', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  ).run(
    run.number,
    facts.sequence,
    `${runId}/${fileName}`,
    facts.firstEventId,
    facts.lastEventId,
    facts.minTimestampMs,
    facts.maxTimestampMs,
    facts.eventCount,
    facts.uncompressedBytes,
    facts.compressedBytes,
    facts.contentSha256,
    facts.eventHashDigest,
    nowMs,
  );
  db.query(
    `UPDATE usage_archive_runs
     SET
       last_archived_event_id = ?,
       archived_event_count = archived_event_count + ?,
       archived_uncompressed_bytes = archived_uncompressed_bytes + ?,
       archived_compressed_bytes = archived_compressed_bytes + ?,
       updated_at_ms = ?
     WHERE number = ?`,
  ).run(facts.lastEventId, facts.eventCount, facts.uncompressedBytes, facts.compressedBytes, nowMs, run.number);
  touchLock(db, run, nowMs);
  stopPoint('archive_segment_recording');

  /** Nothing was deleted, inserted or taken by another run since the file was written. */
  function requireNextEvents(): void {
    const segments = db
      .query<{ rows: number }, [number]>('SELECT count(*) AS rows FROM usage_archive_segments WHERE run_number = ?')
      .get(run.number)?.rows;
    if (facts.sequence !== (segments ?? 0) + 1) throw new AppError('usage_archive_invalid_state');
    const rows = db.query<{ id: number; timestampMs: number }, [Record<string, number>]>(NEXT_ELIGIBLE_SQL).all({
      after: run.lastArchivedEventId,
      target: run.targetEventId,
      cutoff: run.cutoffMs,
      limit: facts.eventCount,
    });
    const isSame =
      rows.length === facts.eventCount &&
      rows.every((row, index) => row.id === events.ids[index] && row.timestampMs === events.timestampsMs[index]);
    const times = rows.map(({ timestampMs }) => timestampMs);
    const least = times.reduce((left, right) => Math.min(left, right), Number.POSITIVE_INFINITY);
    const most = times.reduce((left, right) => Math.max(left, right), Number.NEGATIVE_INFINITY);
    if (!isSame || least !== facts.minTimestampMs || most !== facts.maxTimestampMs) {
      throw coverageIncomplete('the stored events changed while they were archived');
    }
  }
}

export interface ArchivedRun {
  readonly runId: string;
  readonly archiveDigest: string;
  /** Run id, '/', base name. */
  readonly manifestFile: string;
  readonly manifestSha256: string;
  /** As in the manifest. */
  readonly archivedAtMs: number;
}

/** Every event of the run is in a file that was read again, and the manifest is published. */
export function markArchived({ db, now }: WriterContext, archived: ArchivedRun): void {
  const run = requireStage(db, archived.runId, 'archiving');
  if (run.archivedEventCount !== run.eventCount || run.lastArchivedEventId !== run.targetEventId) {
    throw coverageIncomplete('not every event of the run is archived');
  }
  db.query(
    'UPDATE usage_archive_runs SET archive_digest = ?, manifest_file = ?, manifest_sha256 = ? WHERE number = ?',
  ).run(archived.archiveDigest, archived.manifestFile, archived.manifestSha256, run.number);
  leaveStage(db, run, { status: 'archived', timeColumn: 'archived_at_ms', atMs: archived.archivedAtMs, nowMs: now() });
  stopPoint('archive_archived_marking');
}

/**
 * The files were read and equal the rows; references and ledger were compared, and neither changes while the run holds the lock.
 */
export function markVerified({ db, now }: WriterContext, { runId }: { readonly runId: string }): void {
  const run = requireStage(db, runId, 'verifying');
  const nowMs = now();
  requireHourlyRollup(db, run.targetEventId);
  db.query("UPDATE usage_archive_segments SET status = 'verified', verified_at_ms = ? WHERE run_number = ?").run(
    nowMs,
    run.number,
  );
  leaveStage(db, run, { status: 'verified', timeColumn: 'verified_at_ms', atMs: nowMs, nowMs });
  stopPoint('archive_verified_marking');
}
