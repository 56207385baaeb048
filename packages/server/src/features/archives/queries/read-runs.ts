import type { Database } from 'bun:sqlite';
import type {
  ArchiveListResponse,
  ArchiveMode,
  ArchiveRun,
  ArchiveRunResponse,
  ArchiveStatus,
} from '@manager/core/contract/archives/runs';
import type { ReaderContext } from '../../../sqlite/contexts.ts';
import {
  RUN_COLUMNS,
  type RunRow,
  SEGMENT_COLUMNS,
  type SegmentRow,
  toRun,
  toRunState,
  toSegment,
} from '../run-row.ts';
import type { ArchiveStage } from '../stages/stage.ts';
import { isActiveStage, isSatisfied } from '../states.ts';
import { ACTIVE_CONDITION } from './create-run.ts';

/** Read operation: a run with all its segments; null when it does not exist. */
export function archiveRun({ db }: ReaderContext, runId: string): ArchiveRunResponse | null {
  return db.transaction(() => {
    const row = readRun(db, runId);
    if (row === null) return null;
    const segments = db
      .query<SegmentRow, [string]>(
        `SELECT ${SEGMENT_COLUMNS}
         FROM usage_archive_segments
         WHERE run_number = (SELECT number FROM usage_archive_runs WHERE id = ?)
         ORDER BY sequence`,
      )
      .all(runId);
    return { run: toRun(row), segments: segments.map((segment) => toSegment(runId, segment)) };
  })();
}

export function readRun(db: Database, runId: string): RunRow | null {
  return db.query<RunRow, [string]>(`SELECT ${RUN_COLUMNS} FROM usage_archive_runs WHERE id = ?`).get(runId);
}

export interface ListRunsArgs {
  readonly limit: number;
  readonly status: ArchiveStatus | null;
  readonly mode: ArchiveMode | null;
  /** Runs after this one, newest first. */
  readonly after: { readonly createdAtMs: number; readonly id: string } | null;
}

export interface ListedRuns extends Omit<ArchiveListResponse, 'next_cursor'> {
  readonly hasMore: boolean;
}

/** Read operation: runs, newest first. By usage_archive_runs_created. */
export function listArchiveRuns({ db }: ReaderContext, { limit, status, mode, after }: ListRunsArgs): ListedRuns {
  return db.transaction(() => {
    const rows = db
      .query<RunRow, [string | null, string | null, number, string, number]>(
        `SELECT ${RUN_COLUMNS}
         FROM usage_archive_runs
         WHERE status = coalesce(?, status)
           AND mode = coalesce(?, mode)
           AND (created_at_ms, id) < (?, ?)
         ORDER BY created_at_ms DESC, id DESC
         LIMIT ?`,
      )
      .all(status, mode, after?.createdAtMs ?? Number.MAX_SAFE_INTEGER, after?.id ?? '', limit + 1);
    const counts = db
      .query<{ status: ArchiveStatus; runs: number }, [string | null]>(
        `SELECT status, count(*) AS runs
         FROM usage_archive_runs
         WHERE mode = coalesce(?, mode)
         GROUP BY status`,
      )
      .all(mode);
    const matching = counts.filter((count) => status === null || count.status === status);
    return {
      runs: rows.slice(0, limit).map(toRun),
      total: matching.reduce((sum, count) => sum + count.runs, 0),
      status_counts: Object.fromEntries(counts.map((count) => [count.status, count.runs])),
      hasMore: rows.length > limit,
    };
  })();
}

/** A stage that was requested, or that a process left unfinished. */
export interface ArchiveJob {
  readonly runId: string;
  readonly stage: ArchiveStage;
  /** The run is past the stage; only the request is left. */
  readonly satisfied: boolean;
  /** The run is in a stage and holds the lock. */
  readonly entered: boolean;
}

/** Read operation: the stages to do, in the order of their requests. */
export function archiveJobs({ db }: ReaderContext, _args: null): readonly ArchiveJob[] {
  return db
    .query<RunRow, []>(
      `SELECT ${RUN_COLUMNS}
       FROM usage_archive_runs
       WHERE requested_stage IS NOT NULL
       ORDER BY updated_at_ms, number`,
    )
    .all()
    .flatMap((row) => {
      const state = toRunState(row);
      const stage = state.requestedStage;
      if (stage === null) return [];
      return { runId: row.id, stage, satisfied: isSatisfied(stage, state), entered: isActiveStage(state.status) };
    });
}

/** Read operation: the incomplete run of the retention. */
export function activeRetentionRun({ db }: ReaderContext, _args: null): ArchiveRun | null {
  const row = db
    .query<RunRow, []>(
      `SELECT ${RUN_COLUMNS}
       FROM usage_archive_runs
       WHERE mode = 'retention'
         AND status NOT IN ('completed', 'cancelled')
       ORDER BY number
       LIMIT 1`,
    )
    .get();
  return row === null ? null : toRun(row);
}

/** Read operation: the newest manual run whose next step is the operator's decision. */
export function waitingArchiveRun({ db }: ReaderContext, _args: null): ArchiveRun | null {
  const row = db
    .query<RunRow, []>(
      `SELECT ${RUN_COLUMNS}
       FROM usage_archive_runs
       WHERE status IN ('archived', 'verified')
         AND mode = 'manual'
         AND automatic = 0
         AND requested_stage IS NULL
       ORDER BY number DESC
       LIMIT 1`,
    )
    .get();
  return row === null ? null : toRun(row);
}

/** Read operation: compressed bytes per estimated byte of the newest complete runs; null without one. */
export function archiveRatio({ db }: ReaderContext, _args: null): number | null {
  const row = db
    .query<{ ratio: number | null }, []>(
      `SELECT sum(archived_compressed_bytes) * 1.0 / sum(estimated_bytes) AS ratio
       FROM (
         SELECT archived_compressed_bytes, estimated_bytes
         FROM usage_archive_runs
         WHERE archived_at_ms IS NOT NULL
           AND archived_event_count = event_count
           AND estimated_bytes > 0
         ORDER BY number DESC
         LIMIT 5
       )`,
    )
    .get();
  return row?.ratio ?? null;
}

/** Read operation: the run that blocks others; of several the active one. */
export function activeArchiveRun({ db }: ReaderContext, _args: null): ArchiveRun | null {
  const row = db
    .query<RunRow, []>(
      `SELECT ${RUN_COLUMNS}
       FROM usage_archive_runs
       WHERE ${ACTIVE_CONDITION}
       ORDER BY status IN ('archiving', 'verifying', 'deleting') DESC, created_at_ms DESC
       LIMIT 1`,
    )
    .get();
  return row === null ? null : toRun(row);
}

/** Read operation: the newest completed run whose freed space is not returned to the disk yet. It blocks nothing. */
export function compactingArchiveRun({ db }: ReaderContext, _args: null): ArchiveRun | null {
  const row = db
    .query<RunRow, []>(
      `SELECT ${RUN_COLUMNS}
       FROM usage_archive_runs
       WHERE compaction IN ('waiting', 'running')
       ORDER BY number DESC
       LIMIT 1`,
    )
    .get();
  return row === null ? null : toRun(row);
}
