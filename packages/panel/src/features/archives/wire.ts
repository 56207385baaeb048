import type { UsageMaintenanceResponse } from '@manager/core/contract/archives/maintenance';
import type { ArchiveRetention, ArchiveRetentionPatch } from '@manager/core/contract/archives/retention';
import type { ArchivePreview, ArchiveRun, ArchiveSegment } from '@manager/core/contract/archives/runs';
import { RETENTION_PATH } from '@manager/core/contract/constants';
import type { Client } from '../../platform/api/client.ts';
import { ApiError } from '../../platform/api/errors.ts';
import { isRecord } from '../../platform/browser/storage.ts';

const USAGE = 'v0/management/usage';
const ARCHIVES = `${USAGE}/archives`;
/** The maximum of a timer: stages and counting have no time limit here, also with a server that answers at their end. */
const NO_LIMIT_MS = 2_147_483_647;
const RUNS_PER_PAGE = 50;

export type Stage = 'archiving' | 'verifying' | 'deleting';

/** A run as it arrives. A later server may know more statuses, modes and stages, so they are texts here. */
export interface Run
  extends Omit<ArchiveRun, 'status' | 'mode' | 'resume_status' | 'requested_stage' | 'compaction' | 'progress'> {
  readonly status: string;
  readonly mode: string;
  readonly resume_status?: string | undefined;
  readonly requested_stage?: string | undefined;
  readonly compaction?: string | undefined;
  readonly progress?: RunProgress | undefined;
}

export interface RunProgress {
  readonly phase: string;
  readonly current: number;
  readonly total: number;
  readonly unit?: string | undefined;
  readonly updated_at_ms?: number | undefined;
}

export interface RunAnswer {
  readonly run: Run;
  readonly segments: readonly ArchiveSegment[];
}

export interface RunList {
  readonly runs: readonly Run[];
  readonly total: number;
  readonly status_counts: Readonly<Record<string, number>>;
  readonly next_cursor?: string | undefined;
}

export interface Maintenance
  extends Omit<UsageMaintenanceResponse, 'active_run' | 'compacting_run' | 'waiting_run' | 'retention' | 'compaction'> {
  readonly active_run?: Run | undefined;
  /** A completed run whose freed space is not returned to the disk yet; it blocks nothing. */
  readonly compacting_run?: Run | undefined;
  /** A run that waits for a person; absent with an older server. */
  readonly waiting_run?: Run | undefined;
  /** Absent with a server that never shrinks the database while it runs. */
  readonly compaction?: UsageMaintenanceResponse['compaction'] | undefined;
  /** Absent when `retention_unreadable` and with an older server, or without what a form needs. */
  readonly retention?: (Pick<ArchiveRetention, 'enabled' | 'days'> & Partial<ArchiveRetention>) | undefined;
}

export type Command = 'resume' | 'verify' | 'delete' | 'cancel' | 'hold';

export interface NewRun {
  readonly cutoffMs: number;
  /** The number of rows whose deletion was confirmed: all stages follow automatically. Null = step by step. */
  readonly deleteCount: number | null;
}

/** Every request of the page, one function each. */
export function archiveCalls(client: Client) {
  return {
    /** Whether this server has archives. */
    probe: async (signal?: AbortSignal): Promise<boolean> => {
      try {
        const answer = await client.open(`${USAGE}/maintenance`, { method: 'HEAD', signal });
        return answer.status === 204;
      } catch (error) {
        if (error instanceof ApiError && (error.status === 404 || error.status === 405)) return false;
        throw error;
      }
    },
    maintenance: async (signal?: AbortSignal): Promise<Maintenance> => {
      const path = `${USAGE}/maintenance`;
      const answer = await client.call<unknown>(path, { signal });
      if (isMaintenance(answer)) return answer;
      throw new ApiError('shape', 'members are missing', { path, atMs: client.now() });
    },
    saveRetention: (change: ArchiveRetentionPatch) =>
      client.call<ArchiveRetention>(RETENTION_PATH, { method: 'PATCH', body: change }),
    preview: (cutoffMs: number, signal?: AbortSignal) =>
      client.call<ArchivePreview>(`${ARCHIVES}/preview`, {
        method: 'POST',
        body: { cutoff_timestamp_ms: cutoffMs },
        timeoutMs: NO_LIMIT_MS,
        signal,
      }),
    create: ({ cutoffMs, deleteCount }: NewRun) =>
      client.call<RunAnswer>(ARCHIVES, {
        method: 'POST',
        body: {
          cutoff_timestamp_ms: cutoffMs,
          ...(deleteCount === null ? {} : { delete_rows: true, expected_event_count: deleteCount }),
        },
        timeoutMs: NO_LIMIT_MS,
      }),
    list: (filter: { readonly status: string; readonly mode: string }, cursor: string, signal?: AbortSignal) => {
      const query = new URLSearchParams({ limit: String(RUNS_PER_PAGE) });
      if (filter.status !== '') query.set('status', filter.status);
      if (filter.mode !== '') query.set('mode', filter.mode);
      if (cursor !== '') query.set('cursor', cursor);
      return client.call<RunList>(`${ARCHIVES}?${query}`, { signal });
    },
    read: (id: string, signal?: AbortSignal) => client.call<RunAnswer>(`${ARCHIVES}/${id}`, { signal }),
    /** `stage` keeps a late press from continuing another stage than intended. */
    act: (id: string, command: Command, stage: Stage | null, signal?: AbortSignal) => {
      const query = new URLSearchParams();
      if (command === 'resume' && stage !== null) query.set('expected_stage', stage);
      if (command !== 'cancel' && command !== 'hold') query.set('background', 'true');
      const text = query.toString();
      return client.call<RunAnswer>(`${ARCHIVES}/${id}/${command}${text === '' ? '' : `?${text}`}`, {
        method: 'POST',
        timeoutMs: NO_LIMIT_MS,
        signal,
      });
    },
  };
}

/** Something else may answer here: an older server, or a proxy in front of it. */
export function isMaintenance(value: unknown): value is Maintenance {
  if (!isRecord(value) || typeof value.raw_event_count !== 'number') return false;
  return isRecord(value.readiness) && isRecord(value.storage) && isRecord(value.migration);
}
