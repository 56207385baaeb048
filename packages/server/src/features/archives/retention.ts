import { setTimeout as waitFor } from 'node:timers/promises';
import type { ArchiveRun } from '@manager/core/contract/archives/runs';
import { AppError } from '@manager/core/contract/errors';
import { codeOf } from '../../sqlite/worker/errors.ts';
import type { ArchiveService } from './service.ts';

export interface RetentionDeps {
  /** Events older than this are archived and deleted, in days. */
  readonly days: number;
  /** The hourly rollup is kept; without it nothing may be deleted. */
  readonly deleteEnabled: boolean;
  /** Stored events of earlier versions are up to date. */
  readonly migrated: () => Promise<boolean>;
  readonly activeRun: () => Promise<ArchiveRun | null>;
  readonly service: Pick<ArchiveService, 'requireAvailable' | 'create' | 'act'>;
  readonly now: () => number;
  readonly log: RetentionLog;
  /** Pauses; replaced in tests. Rejects once the signal is aborted. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
}

export interface RetentionLog {
  info(message: string): void;
  warn(message: string): void;
}

/** Archives, verifies and deletes old events once a day, by the runs that a person could make as well. */
export interface Retention {
  start(): void;
  stop(): Promise<void>;
}

const DAY_MS = 86_400_000;
const RETRY_MS = 30_000;
/** Not yet migrated is no failure and ends soon. */
const MIGRATION_POLL_MS = 5_000;
/** After so many equal failures in a row (a file is lost) it is tried more rarely. */
const PATIENCE = 10;
const RARE_RETRY_MS = 600_000;
const MAX_STEPS = 8;

export function createRetention(deps: RetentionDeps): Retention {
  const pause = deps.wait ?? ((ms, signal) => waitFor(ms, undefined, { signal, ref: false }));
  const stopping = new AbortController();
  let running: Promise<void> | null = null;
  let lastFailure = '';
  let failures = 0;

  async function loop(): Promise<void> {
    if (!deps.deleteEnabled) {
      deps.log.warn('archive retention is off: it needs the hourly rollup, which is switched off');
      return;
    }
    while (!stopping.signal.aborted) if (!(await rested(await round()))) return;
  }

  /** How long to wait for the next round, in ms. */
  async function round(): Promise<number> {
    try {
      if (!(await deps.migrated())) return MIGRATION_POLL_MS;
      await pass();
      lastFailure = '';
      failures = 0;
      return DAY_MS;
    } catch (error) {
      return stopping.signal.aborted ? 0 : afterFailure(error);
    }
  }

  function afterFailure(error: unknown): number {
    const failure = `${codeOf(error)}: ${error instanceof Error ? error.message : 'unknown error'}`;
    failures = failure === lastFailure ? failures + 1 : 1;
    // The same failure every 30 seconds is one failure.
    if (failure !== lastFailure) deps.log.warn(`archive retention: ${failure}; it is tried again`);
    lastFailure = failure;
    // A run of a person is waited for, however long they take.
    const waitsForPerson = codeOf(error) === 'usage_archive_maintenance_locked';
    return failures > PATIENCE && !waitsForPerson ? RARE_RETRY_MS : RETRY_MS;
  }

  async function pass(): Promise<void> {
    await deps.service.requireAvailable();
    let run = (await deps.activeRun()) ?? (await created());
    for (let step = 0; step < MAX_STEPS && run !== null && !stopping.signal.aborted; step += 1) {
      const action = nextAction(run);
      if (action === null) break;
      run = (await deps.service.act({ runId: run.id, action, expectedStage: null, wait: true })).run;
    }
    if (run?.status === 'completed') {
      deps.log.info(`archive retention: ${run.deleted_event_count} events older than ${deps.days} days were archived`);
    }
  }

  /** Null when there is nothing old enough. */
  async function created(): Promise<ArchiveRun | null> {
    try {
      return (await deps.service.create('retention', deps.now() - deps.days * DAY_MS)).run;
    } catch (error) {
      if (error instanceof AppError && error.code === 'usage_archive_no_events') return null;
      throw error;
    }
  }

  async function rested(ms: number): Promise<boolean> {
    try {
      await pause(ms, stopping.signal);
    } catch (error) {
      if (!stopping.signal.aborted) throw error;
    }
    return !stopping.signal.aborted;
  }

  return {
    start() {
      running ??= loop();
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

function nextAction({ status, resume_status: resumeStatus }: ArchiveRun): 'resume' | 'verify' | 'delete' | null {
  switch (status === 'failed' ? resumeStatus : status) {
    case 'previewed':
    case 'archiving':
      return 'resume';
    case 'archived':
    case 'verifying':
      return 'verify';
    case 'verified':
    case 'deleting':
      return 'delete';
    default:
      return null;
  }
}
