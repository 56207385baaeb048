import {
  ARCHIVE_COMPACTIONS,
  ARCHIVE_STAGES,
  ARCHIVE_STATUSES,
  type ArchiveProgress,
  type ArchiveRun,
  type ArchiveSegment,
  type ArchiveStatus,
} from '@manager/core/contract/archives/runs';
import type { ArchiveStage } from './stages/stage.ts';

/** The members of a run that decide about stages and canceling. */
export interface RunState {
  readonly status: ArchiveStatus;
  /** Only when `failed`. */
  readonly resumeStatus: ArchiveStage | null;
  readonly requestedStage: ArchiveStage | null;
  readonly archivedEventCount: number;
  readonly deletedEventCount: number;
  readonly updatedAtMs: number;
  readonly verifiedAtMs: number | null;
  readonly deleteStartedAtMs: number | null;
}

/** A row of `usage_archive_runs`, as far as answers need it. */
export interface RunRow {
  readonly id: string;
  readonly mode: string;
  readonly status: string;
  readonly resume_status: string | null;
  readonly requested_stage: string | null;
  readonly progress_phase: string | null;
  readonly progress_current: number;
  readonly progress_total: number;
  readonly progress_unit: string | null;
  readonly progress_updated_at_ms: number | null;
  readonly automatic: number;
  readonly compaction: string | null;
  readonly cutoff_timestamp_ms: number;
  readonly target_event_id: number;
  readonly event_count: number;
  readonly estimated_bytes: number;
  readonly last_archived_event_id: number;
  readonly archived_event_count: number;
  readonly archived_uncompressed_bytes: number;
  readonly archived_compressed_bytes: number;
  readonly last_deleted_event_id: number;
  readonly deleted_event_count: number;
  readonly created_at_ms: number;
  readonly updated_at_ms: number;
  readonly started_at_ms: number | null;
  readonly archived_at_ms: number | null;
  readonly verified_at_ms: number | null;
  readonly delete_started_at_ms: number | null;
  readonly completed_at_ms: number | null;
  readonly has_error: number;
}

export const RUN_COLUMNS = `
  id, mode, status, resume_status, requested_stage,
  progress_phase, progress_current, progress_total, progress_unit, progress_updated_at_ms,
  automatic, compaction,
  cutoff_timestamp_ms, target_event_id, event_count, estimated_bytes,
  last_archived_event_id, archived_event_count, archived_uncompressed_bytes, archived_compressed_bytes,
  last_deleted_event_id, deleted_event_count,
  created_at_ms, updated_at_ms, started_at_ms, archived_at_ms, verified_at_ms, delete_started_at_ms, completed_at_ms,
  last_error IS NOT NULL AS has_error`;

export function toRunState(row: RunRow): RunState {
  return {
    status: toStatus(row.status),
    resumeStatus: toStage(row.resume_status),
    requestedStage: toStage(row.requested_stage),
    archivedEventCount: row.archived_event_count,
    deletedEventCount: row.deleted_event_count,
    updatedAtMs: row.updated_at_ms,
    verifiedAtMs: row.verified_at_ms,
    deleteStartedAtMs: row.delete_started_at_ms,
  };
}

/** The run in the API: error texts, file names and digests are internal. */
export function toRun(row: RunRow): ArchiveRun {
  const resumeStatus = toStage(row.resume_status);
  const requestedStage = toStage(row.requested_stage);
  const progress = toProgress(row);
  const compaction = ARCHIVE_COMPACTIONS.find((known) => known === row.compaction);
  return {
    id: row.id,
    mode: row.mode === 'retention' ? 'retention' : 'manual',
    status: toStatus(row.status),
    ...(resumeStatus === null ? {} : { resume_status: resumeStatus }),
    ...(requestedStage === null ? {} : { requested_stage: requestedStage }),
    ...(row.automatic === 0 ? {} : { automatic: true }),
    ...(compaction === undefined ? {} : { compaction }),
    ...(progress === null ? {} : { progress }),
    cutoff_timestamp_ms: row.cutoff_timestamp_ms,
    target_event_id: row.target_event_id,
    event_count: row.event_count,
    estimated_bytes: row.estimated_bytes,
    last_archived_event_id: row.last_archived_event_id,
    archived_event_count: row.archived_event_count,
    archived_uncompressed_bytes: row.archived_uncompressed_bytes,
    archived_compressed_bytes: row.archived_compressed_bytes,
    last_deleted_event_id: row.last_deleted_event_id,
    deleted_event_count: row.deleted_event_count,
    created_at_ms: row.created_at_ms,
    updated_at_ms: row.updated_at_ms,
    ...present('started_at_ms', row.started_at_ms),
    ...present('archived_at_ms', row.archived_at_ms),
    ...present('verified_at_ms', row.verified_at_ms),
    ...present('delete_started_at_ms', row.delete_started_at_ms),
    ...present('completed_at_ms', row.completed_at_ms),
    has_error: row.has_error !== 0,
  };
}

export interface SegmentRow extends Omit<ArchiveSegment, 'run_id' | 'status' | 'verified_at_ms'> {
  readonly status: string;
  readonly verified_at_ms: number | null;
}

export const SEGMENT_COLUMNS = `
  sequence, status, first_event_id, last_event_id, min_timestamp_ms, max_timestamp_ms, event_count,
  uncompressed_bytes, compressed_bytes, created_at_ms, verified_at_ms`;

export function toSegment(runId: string, row: SegmentRow): ArchiveSegment {
  const { status, verified_at_ms: verifiedAtMs, ...shown } = row;
  return {
    run_id: runId,
    ...shown,
    status: status === 'verified' ? 'verified' : 'published',
    ...present('verified_at_ms', verifiedAtMs),
  };
}

function toProgress(row: RunRow): ArchiveProgress | null {
  if (row.progress_phase === null) return null;
  return {
    // A stage writes it, from the same list.
    phase: row.progress_phase as ArchiveProgress['phase'],
    current: row.progress_current,
    total: row.progress_total,
    ...(row.progress_unit === 'events' || row.progress_unit === 'segments' ? { unit: row.progress_unit } : {}),
    ...present('updated_at_ms', row.progress_updated_at_ms),
  };
}

function toStatus(text: string): ArchiveStatus {
  const known = ARCHIVE_STATUSES.find((status) => status === text);
  if (known === undefined) throw new Error('an archive run has a status that this version does not know');
  return known;
}

function toStage(text: string | null): ArchiveStage | null {
  return ARCHIVE_STAGES.find((stage) => stage === text) ?? null;
}

function present<Name extends string>(name: Name, value: number | null): { readonly [Key in Name]?: number } {
  return value === null ? {} : ({ [name]: value } as { readonly [Key in Name]: number });
}
