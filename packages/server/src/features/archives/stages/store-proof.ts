import type { ReaderContext } from '../../../sqlite/contexts.ts';
import { IS_ELIGIBLE } from './eligible.ts';
import { readStageRun, readStageSegments, type StageRun, type StageSegment } from './store-run.ts';

/** References of one call. */
const PAGE_ROWS = 5_000;

export function archiveStageRun({ db }: ReaderContext, runId: string): StageRun {
  return readStageRun(db, runId);
}

export function archiveStageSegments({ db }: ReaderContext, runNumber: number): readonly StageSegment[] {
  return readStageSegments(db, runNumber);
}

/** By usage_events_time, whose entries end with the id. */
export const ELIGIBLE_SQL = `
SELECT count(*) AS events, coalesce(max(event.id), 0) AS lastId
FROM usage_events AS event INDEXED BY usage_events_time
WHERE event.id <= $target
  AND ${IS_ELIGIBLE}
  AND still_wanted()`;

/** The number of events that a run would take now, and the last of them. */
export function archiveEligibleEvents(
  { db }: ReaderContext,
  { cutoffMs, targetEventId }: Pick<StageRun, 'cutoffMs' | 'targetEventId'>,
): { readonly events: number; readonly lastId: number } {
  const row = db
    .query<{ events: number; lastId: number }, [Record<string, number>]>(ELIGIBLE_SQL)
    .get({ cutoff: cutoffMs, target: targetEventId });
  return row ?? { events: 0, lastId: 0 };
}

/** References by usage_archive_event_refs_undeleted, all others by primary keys. */
export const PROOF_SQL = `
SELECT
  ref.raw_event_id AS id,
  ledger.event_id IS ref.raw_event_id AND ledger.timestamp_ms IS ref.timestamp_ms AS isClaimed,
  EXISTS (SELECT 1 FROM usage_events WHERE id = ref.raw_event_id) AS isStored
FROM usage_archive_event_refs AS ref INDEXED BY usage_archive_event_refs_undeleted
LEFT JOIN usage_event_identity_ledger AS ledger ON ledger.event_hash = ref.event_hash
WHERE ref.run_number = ?
  AND ref.raw_deleted_at_ms IS NULL
  AND ref.raw_event_id > ?
ORDER BY ref.raw_event_id
LIMIT ${PAGE_ROWS}`;

export interface ReferenceProof {
  readonly references: number;
  /** Start of the next page; null = this was the last one. */
  readonly lastId: number | null;
  /** The first reference that differs from the ledger. */
  readonly unclaimedId: number | null;
  /** The first one without its raw row. */
  readonly missingId: number | null;
}

/** Compares the next references of a run without deleted raw rows with the ledger and the stored events. */
export function proveArchiveReferences(
  { db }: ReaderContext,
  { runNumber, afterId }: { readonly runNumber: number; readonly afterId: number },
): ReferenceProof {
  const rows = db
    .query<{ id: number; isClaimed: number; isStored: number }, [number, number]>(PROOF_SQL)
    .all(runNumber, afterId);
  return {
    references: rows.length,
    lastId: rows.length < PAGE_ROWS ? null : (rows.at(-1)?.id ?? null),
    unclaimedId: rows.find(({ isClaimed }) => isClaimed !== 1)?.id ?? null,
    missingId: rows.find(({ isStored }) => isStored !== 1)?.id ?? null,
  };
}
