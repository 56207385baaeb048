import type { Database } from 'bun:sqlite';
import { AppError } from '@manager/core/contract/errors';
import type { UsageEvent } from '@manager/core/usage/event';
import { membersOf } from '@manager/core/usage/event-members';
import { isAcceptableHash } from '@manager/core/usage/identity';
import { eventDecoder } from '../../../events/detail/event-decoder.ts';
import type { ReaderContext } from '../../../sqlite/contexts.ts';

/** What a run would hold at one moment. */
export interface EligibleEvents {
  readonly cutoffMs: number;
  /** Largest id, 0 = none. Later events have larger ids. */
  readonly targetEventId: number;
  readonly count: number;
  readonly estimatedBytes: number;
  readonly minTimestampMs: number;
  readonly maxTimestampMs: number;
  /** Changes when the same count could have another result. New events alone do not change it. */
  readonly revision: string;
}

interface Bounds {
  readonly rows: number;
  readonly lastId: number | null;
  readonly minMs: number | null;
  readonly maxMs: number | null;
}

/**
 * Events before the cutoff without a run; an archive record cannot have a time before 1970. By usage_events_time, which covers
 * time and id; references have the same ids as key.
 */
export const BOUNDS_SQL = `
SELECT
  count(*) AS rows,
  max(id) AS lastId,
  min(timestamp_ms) AS minMs,
  max(timestamp_ms) AS maxMs
FROM usage_events INDEXED BY usage_events_time
WHERE timestamp_ms > 0
  AND timestamp_ms < ?
  AND NOT EXISTS (SELECT 1 FROM usage_archive_event_refs AS ref WHERE ref.raw_event_id = usage_events.id)`;

const STOPPABLE_BOUNDS_SQL = `${BOUNDS_SQL} AND still_wanted() = 1`;

/** Approximate number of rows that are measured; with fewer events the estimate is exact. */
const SAMPLE_ROWS = 2_000;
/** Bytes for the numbers and member names of a record. */
const FRAME_BYTES = 512;
const TEXTS = membersOf('text');

/** Read operation: what a run with this cutoff would hold. */
export function eligibleEvents({ db }: ReaderContext, cutoffMs: number): EligibleEvents {
  return db.transaction(() => countEligible(db, cutoffMs, STOPPABLE_BOUNDS_SQL))();
}

/** The same inside a write transaction, after which nothing can change. */
export function eligibleEventsNow(db: Database, cutoffMs: number): EligibleEvents {
  return countEligible(db, cutoffMs, BOUNDS_SQL);
}

function countEligible(db: Database, cutoffMs: number, sql: string): EligibleEvents {
  const bounds = db.query<Bounds, [number]>(sql).get(cutoffMs);
  const rows = bounds?.rows ?? 0;
  return {
    cutoffMs,
    targetEventId: bounds?.lastId ?? 0,
    count: rows,
    estimatedBytes: rows === 0 ? 0 : Math.round(meanBytes(db, cutoffMs, rows) * rows),
    minTimestampMs: bounds?.minMs ?? 0,
    maxTimestampMs: bounds?.maxMs ?? 0,
    revision: eligibleRevision(db),
  };
}

/** What can remove an event from the eligible ones or add it again: a segment, a canceled run, a deletion. */
export function eligibleRevision(db: Database): string {
  const runs = db
    .query<{ archived: number; cancelled: number }, []>(
      `SELECT
         coalesce(sum(archived_event_count), 0) AS archived,
         coalesce(sum(status = 'cancelled'), 0) AS cancelled
       FROM usage_archive_runs`,
    )
    .get();
  const deleted = db.query<{ value: number }, []>("SELECT value FROM counters WHERE name = 'raw_events_deleted'").get();
  return `${runs?.archived ?? 0}/${runs?.cancelled ?? 0}/${deleted?.value ?? 0}`;
}

/** By usage_events_time, as above; with many events only a sample by id is measured. */
export const SAMPLE_SQL = `
SELECT id
FROM usage_events INDEXED BY usage_events_time
WHERE timestamp_ms > 0
  AND timestamp_ms < ?
  AND id % ? = 0
  AND NOT EXISTS (SELECT 1 FROM usage_archive_event_refs AS ref WHERE ref.raw_event_id = usage_events.id)
LIMIT ?`;

function meanBytes(db: Database, cutoffMs: number, rows: number): number {
  const stride = Math.max(Math.floor(rows / SAMPLE_ROWS), 1);
  const ids = db.query<{ id: number }, [number, number, number]>(SAMPLE_SQL).all(cutoffMs, stride, SAMPLE_ROWS * 2);
  const detail = db.query<{ detail: Uint8Array }, [number]>('SELECT detail FROM usage_events WHERE id = ?');
  const decode = eventDecoder(db);
  let bytes = 0;
  for (const { id } of ids) {
    const row = detail.get(id);
    if (row !== null) bytes += recordBytes(decode(row.detail));
  }
  return ids.length === 0 ? FRAME_BYTES : bytes / ids.length;
}

function recordBytes(event: UsageEvent): number {
  if (!isAcceptableHash(event.event_hash)) {
    throw new AppError('usage_archive_coverage_incomplete', {
      message: 'a stored event has an identity that an archive cannot hold',
    });
  }
  return TEXTS.reduce((sum, name) => sum + Buffer.byteLength(event[name]), FRAME_BYTES);
}
