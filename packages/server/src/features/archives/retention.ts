import type { ArchiveRetention } from '@manager/core/contract/archives/retention';
import type { ArchiveRun } from '@manager/core/contract/archives/runs';
import { AppError } from '@manager/core/contract/errors';
import { messageOf } from '../../platform/logging/error-text.ts';
import { createLoop, type Loop, type Pause } from '../../platform/loop.ts';
import { codeOf } from '../../sqlite/worker/errors.ts';
import type { ArchiveService } from './service.ts';

export interface RetentionDeps {
  /** Read before each stage, so that a change applies at once. */
  readonly settings: () => Promise<Pick<ArchiveRetention, 'enabled' | 'days'>>;
  /** The hourly rollup is enabled; without it nothing may be deleted. */
  readonly deleteEnabled: boolean;
  /** Stored events of earlier versions are migrated. */
  readonly migrated: () => Promise<boolean>;
  readonly activeRun: () => Promise<ArchiveRun | null>;
  readonly service: Pick<ArchiveService, 'requireAvailable' | 'create' | 'act' | 'cancel'>;
  /** Makes a run of the retention a manual one, which waits for the operator and then blocks nothing. */
  readonly handOver: (runId: string) => Promise<unknown>;
  readonly now: () => number;
  readonly log: RetentionLog;
  /** Replaced in tests. */
  readonly wait?: Pause | undefined;
}

export interface RetentionLog {
  info(message: string): void;
  warn(message: string): void;
}

/** Archives, verifies and deletes old events once a day, by the same runs as manual ones. */
export interface Retention extends Pick<Loop, 'start' | 'stop'> {
  /**
   * Its settings were changed. When it resolves, a run that is no longer wanted starts no deletion any more, not even one that was
   * requested already.
   */
  changed(): Promise<void>;
}

const DAY_MS = 86_400_000;
const RETRY_MS = 30_000;
/** A pending migration is no failure and ends soon. */
const MIGRATION_POLL_MS = 5_000;
/** After this many equal failures in a row (a lost file) retries are less frequent. */
const PATIENCE = 10;
const RARE_RETRY_MS = 600_000;
const MAX_STEPS = 8;
/** A small correction of the clock does not mean that a longer retention was chosen. */
const CLOCK_SLACK_MS = 3_600_000;

export function createRetention(deps: RetentionDeps): Retention {
  let toldOff = false;
  const loop = createLoop({
    async round() {
      const { enabled } = await deps.settings();
      if (!enabled) {
        const run = await deps.activeRun();
        await letGo(run);
        // Nobody else could finish it, and it blocks every other run.
        if (run === null || !hasBegunDeleting(run)) return null;
      }
      if (!deps.deleteEnabled) {
        tellOff();
        return null;
      }
      if (!(await deps.migrated())) return MIGRATION_POLL_MS;
      await pass();
      return enabled ? DAY_MS : null;
    },
    failed(error, count) {
      if (count === 1) {
        deps.log.warn(`archive retention: ${codeOf(error)}: ${messageOf(error)}; retrying`);
      }
      // It waits for a manual run, however long that takes.
      const waitsForPerson = codeOf(error) === 'usage_archive_maintenance_locked';
      return count > PATIENCE && !waitsForPerson ? RARE_RETRY_MS : RETRY_MS;
    },
    wait: deps.wait,
  });

  function tellOff(): void {
    if (toldOff) return;
    toldOff = true;
    deps.log.warn(
      'archive retention is off: it needs the hourly rollup; set USAGE_DASHBOARD_HOURLY_ROLLUP_ENABLED to true',
    );
  }

  async function pass(): Promise<void> {
    await deps.service.requireAvailable();
    let run = (await deps.activeRun()) ?? (await created());
    for (let step = 0; step < MAX_STEPS && run !== null && !loop.stopping.aborted; step += 1) {
      const action = nextAction(run);
      // Handed over while its stage was active.
      if (action === null || run.mode !== 'retention') break;
      if (await isNoLongerWanted(run)) return letGo(run);
      try {
        const request = { runId: run.id, action, expectedStage: null, wait: true, ofMode: 'retention' } as const;
        run = (await deps.service.act(request)).run;
      } catch (error) {
        // Its stage was taken back, see `changed`.
        const left = await deps.activeRun();
        if (await isNoLongerWanted(left ?? run)) return letGo(left);
        throw error;
      }
    }
    if (run?.status === 'completed') {
      deps.log.info(`archive retention: ${run.deleted_event_count} old events were archived and deleted`);
    }
  }

  /** Null when it is off, or no event is old enough. */
  async function created(): Promise<ArchiveRun | null> {
    try {
      const { enabled, days } = await deps.settings();
      if (!enabled) return null;
      return (await deps.service.create('retention', deps.now() - days * DAY_MS)).run;
    } catch (error) {
      if (error instanceof AppError && error.code === 'usage_archive_no_events') return null;
      throw error;
    }
  }

  /** The retention was turned off, or events of the run shall be kept longer. A deletion that began is finished. */
  async function isNoLongerWanted(run: ArchiveRun): Promise<boolean> {
    if (hasBegunDeleting(run)) return false;
    const { enabled, days } = await deps.settings();
    return !enabled || run.cutoff_timestamp_ms > deps.now() - days * DAY_MS + CLOCK_SLACK_MS;
  }

  /** An unfinished run of the retention would block every other one. */
  async function letGo(run: ArchiveRun | null): Promise<void> {
    if (run === null || hasBegunDeleting(run)) return;
    const hasFiles = run.archived_at_ms !== undefined;
    if (run.status === 'previewed' || (run.status === 'failed' && !hasFiles)) await deps.service.cancel(run.id);
    else await deps.handOver(run.id);
  }

  return {
    start: loop.start,
    stop: loop.stop,
    async changed() {
      // It may be waiting for a stage, so its next round can be far away.
      loop.wake();
      const run = await deps.activeRun();
      if (run === null || !(await isNoLongerWanted(run))) return;
      try {
        await letGo(run);
      } catch (error) {
        // Of a cancellation only: the run has entered its first stage or failed, and the loop lets it go before the next one.
        if (!(error instanceof AppError)) throw error;
      }
    },
  };
}

function hasBegunDeleting(run: ArchiveRun): boolean {
  return run.delete_started_at_ms !== undefined;
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
