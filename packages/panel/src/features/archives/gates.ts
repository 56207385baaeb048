import { isRecord } from '../../platform/browser/storage.ts';
import type { TextKey } from '../../platform/i18n/index.ts';
import type { StatusTone } from '../../ui/display/status.tsx';
import type { RunActions } from './runs/run-actions.ts';
import { isServerWorking } from './runs/run-actions.ts';
import type { Maintenance, Run } from './wire.ts';

/** Progress of sums that must cover events before their rows may be deleted. */
export interface Coverage {
  /** `hourly_aggregate` of `hourly_aggregate_coverage`. */
  readonly name: string;
  readonly status: string;
  readonly done: number;
  readonly target: number;
  readonly complete: boolean;
}

/** Every coverage the server names; later servers may name more. */
export function coveragesOf(maintenance: Maintenance): readonly Coverage[] {
  return Object.entries(maintenance).flatMap(([member, value]): Coverage[] => {
    if (!member.endsWith('_coverage') || !isRecord(value)) return [];
    const { status, watermark_event_id: done, target_event_id: target, complete } = value;
    if (typeof done !== 'number' || typeof target !== 'number') return [];
    return [
      {
        name: member.slice(0, -'_coverage'.length),
        status: typeof status === 'string' ? status : '',
        done,
        target,
        complete: complete === true,
      },
    ];
  });
}

/**
 * What does not cover the events of a run yet. The server's target moves with every new event, so a busy server would never be
 * complete: sums only have to reach the last event of the run.
 */
export function laggingFor(run: Pick<Run, 'target_event_id'>, maintenance: Maintenance): readonly Coverage[] {
  return coveragesOf(maintenance).filter(({ name, complete, done }) => {
    if (complete) return false;
    return name === 'migration' || done < run.target_event_id;
  });
}

export type Blocker =
  | { readonly kind: 'migration'; readonly done: number; readonly target: number; readonly failed: boolean }
  | { readonly kind: 'locked'; readonly runId: string; readonly operation: string }
  | { readonly kind: 'coverage'; readonly lagging: readonly Coverage[] }
  | { readonly kind: 'deleteOff' };

/** Why nothing new can be archived now; null = it can. */
export function archiveBlocker(maintenance: Maintenance): Blocker | null {
  if (maintenance.readiness.migration_ready) return null;
  const { status, last_event_id: done, target_event_id: target } = maintenance.migration;
  return { kind: 'migration', done, target, failed: status === 'failed' };
}

/** The active stage of another run: only one is active at a time. */
function lockBlocker(run: Pick<Run, 'id'>, { active_lock, active_run }: Maintenance): Blocker | null {
  if (active_lock !== undefined) {
    const { run_id: runId, operation } = active_lock;
    return runId === run.id ? null : { kind: 'locked', runId, operation };
  }
  if (active_run === undefined || active_run.id === run.id || !isServerWorking(active_run)) return null;
  return { kind: 'locked', runId: active_run.id, operation: active_run.requested_stage ?? active_run.status };
}

function deleteBlocker(run: Run, maintenance: Maintenance): Blocker | null {
  if (!maintenance.readiness.archive_delete_enabled) return { kind: 'deleteOff' };
  const lagging = laggingFor(run, maintenance);
  return lagging.length > 0 ? { kind: 'coverage', lagging } : null;
}

export interface Blockers {
  readonly resume: Blocker | null;
  readonly verify: Blocker | null;
  readonly delete: Blocker | null;
}

/** What blocks each button of a run. */
export function blockersOf(run: Run, actions: RunActions, maintenance: Maintenance): Blockers {
  const locked = lockBlocker(run, maintenance);
  const stage = actions.resume?.stage;
  const resumeGate =
    stage === 'archiving' ? archiveBlocker(maintenance) : stage === 'deleting' ? deleteBlocker(run, maintenance) : null;
  return {
    resume: actions.resume === null ? null : (locked ?? resumeGate),
    verify: actions.verify === null ? null : locked,
    delete: actions.delete ? (locked ?? deleteBlocker(run, maintenance)) : null,
  };
}

export interface ReadinessRow {
  readonly key: string;
  /** Null = a name unknown to this panel; it is shown unchanged. */
  readonly label: TextKey | null;
  readonly tone: StatusTone;
  readonly word: TextKey;
  /** Shown while work is in progress. */
  readonly progress: { readonly done: number; readonly target: number } | null;
  readonly hint: TextKey | null;
}

const COVERAGE_LABELS: Readonly<Record<string, TextKey>> = {
  migration: 'archives.readyMigration',
  hourly_aggregate: 'archives.readyHourly',
};

/** Preconditions of archiving and deleting, each with its state. */
export function readinessRows(maintenance: Maintenance): readonly ReadinessRow[] {
  const enabled = maintenance.readiness.archive_delete_enabled;
  return [
    ...coveragesOf(maintenance).map(coverageRow),
    {
      key: 'delete',
      label: 'archives.readyDelete',
      tone: enabled ? 'ok' : 'off',
      word: enabled ? 'archives.readyOn' : 'archives.readyOff',
      progress: null,
      hint: enabled ? null : 'archives.deleteOffText',
    },
  ];
}

function coverageRow({ name, status, done, target, complete }: Coverage): ReadinessRow {
  const base = { key: name, label: COVERAGE_LABELS[name] ?? null, progress: null, hint: null } as const;
  if (complete) return { ...base, tone: 'ok', word: 'archives.readyComplete' };
  if (status === 'disabled') return { ...base, tone: 'off', word: 'archives.readyOff' };
  const progress = target > 0 ? { done, target } : null;
  return status === 'failed'
    ? { ...base, tone: 'bad', word: 'archives.readyFailed', progress, hint: 'archives.migrationFailedText' }
    : { ...base, tone: 'wait', word: 'archives.readyRunning', progress };
}
