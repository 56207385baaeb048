import type { ArchiveCompaction } from '@manager/core/contract/archives/runs';
import { messageOf } from '../../../../platform/logging/error-text.ts';
import { createLoop, type Loop, type Pause, pauseFor } from '../../../../platform/loop.ts';
import { databaseProblem } from '../../../../sqlite/database-problem.ts';
import { codeOf } from '../../../../sqlite/worker/errors.ts';
import type { DatabaseSpace, SpaceReads, SpaceWrites } from './space.ts';

export interface OnlineCompactionDeps {
  readonly reader: SpaceReads;
  readonly writer: SpaceWrites;
  /** ms of a clock that nobody sets. */
  readonly elapsed: () => number;
  readonly log: { info(message: string): void; warn(message: string): void };
  /** Replaced in tests. */
  readonly wait?: Pause | undefined;
}

export interface CompactionState {
  readonly state: 'idle' | 'running' | 'failed';
  /** Of the present compaction; 0 when there is none. */
  readonly returnedPages: number;
  readonly pagesToReturn: number;
  /** Why the last step failed, and what to do; null = it did not. */
  readonly error: string | null;
}

/** Returns free pages of the database file to the disk while the manager works. */
export interface OnlineCompaction extends Pick<Loop, 'start' | 'wake' | 'stop'> {
  state(): CompactionState;
}

/** Share of free pages above which it begins, and what it leaves for new events. */
export const BEGIN_SHARE = 0.2;
const KEEP_SHARE = 0.05;
/** Less is not worth it: sealed facts free some ten MiB, which the next ones take. */
const LEAST_BYTES = 16 * 1024 * 1024;
/** Deletions wake it. Other free pages become many only slowly, and each look starts a thread. */
const LOOK_MS = 3_600_000;
/** A stage is active: its end wakes it too. */
const BUSY_MS = 30_000;
const RETRY_MS = 60_000;
/** A step with its commit shall delay the next batch of the collector by some tens of ms. */
const TARGET_MS = 20;
const FIRST_PAGES = 64;
const LEAST_PAGES = 32;
const MOST_PAGES = 256;
/** Least rest after a step; a longer step is followed by a rest as long as itself. */
const REST_MS = 20;

const IDLE: CompactionState = { state: 'idle', returnedPages: 0, pagesToReturn: 0, error: null };

export function createOnlineCompaction(deps: OnlineCompactionDeps): OnlineCompaction {
  const wait = deps.wait ?? pauseFor;
  let state = IDLE;
  let stepPages = FIRST_PAGES;
  const loop = createLoop({
    round,
    failed(error, count) {
      if (codeOf(error) !== 'WORKER_CLOSED' && count === 1) {
        deps.log.warn(`returning free space of the database failed: ${messageOf(error)}; retrying`);
      }
      state = { ...IDLE, state: 'failed', error: databaseProblem(error) };
      return RETRY_MS;
    },
    wait: deps.wait,
  });

  async function round(): Promise<number | null> {
    const space = await deps.reader.run('databaseSpace', null, { brief: true });
    const { pending } = space;
    // A compaction that was interrupted continues below the share at which it began.
    const isDue = space.isIncremental && (isWorthIt(space) || (pending === 'running' && surplus(space) > 0));
    if (!isDue) {
      state = IDLE;
      if (pending !== null)
        await settle(!space.isIncremental ? 'offline' : pending === 'running' ? 'done' : 'not_needed');
      // A file changes its form only while the manager is stopped.
      return space.isIncremental ? LOOK_MS : null;
    }
    if (space.isArchiving) return BUSY_MS;
    if (pending === 'waiting') await settle('running');
    if (!(await compact(space))) return BUSY_MS;
    // Also for a run that was completed meanwhile.
    if (!loop.stopping.aborted) await settle('done');
    return LOOK_MS;
  }

  async function settle(to: Exclude<ArchiveCompaction, 'waiting'>): Promise<void> {
    await deps.writer.run('settleCompaction', { to });
  }

  /** False when a stage began meanwhile. */
  async function compact(before: DatabaseSpace): Promise<boolean> {
    let space = before;
    const pagesToReturn = surplus(before);
    state = { ...IDLE, state: 'running', pagesToReturn };
    while (surplus(space) > 0 && !loop.stopping.aborted) {
      const begunMs = deps.elapsed();
      // In the background, so that a batch of events that waits is written first.
      space = await deps.writer.run(
        'returnPages',
        { pages: Math.min(stepPages, surplus(space)) },
        { priority: 'background' },
      );
      const tookMs = deps.elapsed() - begunMs;
      if (space.isArchiving) {
        state = IDLE;
        return false;
      }
      stepPages = nextStep(stepPages, tookMs);
      state = { ...state, returnedPages: Math.max(0, before.pages - space.pages) };
      await rest(Math.max(REST_MS, tookMs));
    }
    state = IDLE;
    if (loop.stopping.aborted) return true;
    const bytes = (before.pages - space.pages) * space.pageBytes;
    deps.log.info(`${Math.round(bytes / 1024 / 1024)} MiB of the database were returned to the disk`);
    return true;
  }

  async function rest(ms: number): Promise<void> {
    try {
      await wait(ms, loop.stopping);
    } catch (error) {
      if (!loop.stopping.aborted) throw error;
    }
  }

  return { start: loop.start, wake: loop.wake, stop: loop.stop, state: () => state };
}

function isWorthIt({ pages, freePages, pageBytes }: DatabaseSpace): boolean {
  return freePages > pages * BEGIN_SHARE && freePages * pageBytes >= LEAST_BYTES;
}

/** Free pages beyond what is kept: with each returned page the file is shorter by one, too. */
function surplus({ pages, freePages }: DatabaseSpace): number {
  return Math.max(0, Math.ceil((freePages - pages * KEEP_SHARE) / (1 - KEEP_SHARE)));
}

/** Includes the time in the queue: while the writer has much to do, steps are small. */
function nextStep(pages: number, tookMs: number): number {
  if (tookMs > TARGET_MS * 2) return Math.max(LEAST_PAGES, Math.floor(pages / 2));
  return tookMs < TARGET_MS ? Math.min(MOST_PAGES, pages * 2) : pages;
}
