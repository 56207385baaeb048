import { statSync } from 'node:fs';
import type { DatabaseFiles } from '@manager/core/contract/system/status';
import type { CheckpointMode, CheckpointOutcome } from './checkpoint.ts';
import { JOURNAL_SIZE_LIMIT_BYTES } from './open.ts';
import { createUpkeep, type UpkeepLog } from './upkeep.ts';

export interface CheckpointerDeps {
  readonly path: string;
  readonly now: () => number;
  /** On a separate connection, in parallel with the writer. */
  readonly checkpointWorker: (mode: CheckpointMode) => Promise<CheckpointOutcome>;
  /** On the writer's connection, between two of its operations. */
  readonly inWriter: (mode: CheckpointMode) => Promise<CheckpointOutcome>;
  /** Runs short work while background reads (exports and the like) are paused. */
  readonly whileReadersRest: <T>(work: () => Promise<T>) => Promise<T>;
  readonly log: UpkeepLog;
  /** A log file above this is truncated. Default 256 MiB. */
  readonly limitBytes?: number;
}

/** Keeps the write-ahead log short. Errors are shown in `/status` and logged, never thrown; failed work is retried. */
export interface Checkpointer {
  /** Checks whether something is due; called once a second. */
  tick(): Promise<void>;
  /** The `database` object of `/status`; null when the files cannot be read. */
  files(): DatabaseFiles | null;
}

type CheckpointStatus = DatabaseFiles['checkpoint'];

const REGULAR_MS = 30_000;
const TRUNCATE_PAUSE_MS = 300_000;
/** Frames not yet in the database, at most: 32 MiB, about four seconds of the heaviest load. */
const DUE_FRAMES = 8_192;
/** A log may be as large as the database, or 4 MiB: beside a small file a log of 32 MiB would be most of the disk it takes. */
const LEAST_DUE_FRAMES = 1_024;
const FRAME_BYTES = 4_096;
/** A log that stays as it is for this long is truncated, unless it is hardly worth a write. */
const IDLE_MS = 20_000;
const NEGLIGIBLE_LOG_BYTES = 1024 * 1024;
/** Frames that the writer may move itself without a noticeable pause. */
const FINISH_FRAMES = 1_024;
const MAX_ROUNDS = 6;
/** The writer checkpoints a log this short in a few milliseconds; an idle manager needs no second worker. */
const SHORT_LOG_BYTES = 4 * 1024 * 1024;

/**
 * A checkpoint in parallel with a busy writer never reaches the end of the log, and then SQLite does not restart the log. So
 * most frames are moved in parallel with the writer, in several rounds, and the small rest on the writer's own connection,
 * where nothing can be added: the next write then restarts the log. That fails while a single reader still uses the log, and of
 * several exports one always does: they pause while the last frames are moved.
 */
export function createCheckpointer(deps: CheckpointerDeps): Checkpointer {
  let status: CheckpointStatus = {
    mode: 'pending',
    busy: 0,
    logFrames: 0,
    checkpointedFrames: 0,
    executedAtMs: 0,
    durationMs: 0,
  };
  let seenChangeMs = -1;
  let regularAtMs = 0;
  let truncateAtMs: number | null = null;
  const upkeep = createUpkeep({
    title: 'moving the write-ahead log into the database',
    async work() {
      const startedMs = deps.now();
      try {
        await moveWhatIsDue();
      } catch (error) {
        status = { ...status, executedAtMs: startedMs };
        throw error;
      }
    },
    now: deps.now,
    log: deps.log,
  });

  async function moveWhatIsDue(): Promise<void> {
    const log = sizeOf(`${deps.path}-wal`);
    const nowMs = deps.now();
    // After a failure the work is due at the retry.
    const isRegular = upkeep.failure() !== null || Math.abs(nowMs - regularAtMs) >= REGULAR_MS;
    if (log === null) return;
    if (log.changedMs === seenChangeMs) {
      if (log.bytes > NEGLIGIBLE_LOG_BYTES && Math.abs(nowMs - regularAtMs) >= IDLE_MS) await truncate();
      return;
    }
    const isShort = log.bytes <= SHORT_LOG_BYTES;
    if (isShort && !isRegular) return;
    if (isShort) {
      regularAtMs = nowMs;
      const outcome = await deps.inWriter('passive');
      record('passive', outcome, nowMs);
      if (pending(outcome) === 0) seenChangeMs = log.changedMs;
      return;
    }
    const state = await deps.checkpointWorker('noop');
    const isLong = pending(state) >= dueFrames();
    if (!isLong && !isRegular) return;
    regularAtMs = nowMs;
    const reached = await advance(isLong);
    if (reached) seenChangeMs = log.changedMs;
    if (reached && log.bytes > (deps.limitBytes ?? JOURNAL_SIZE_LIMIT_BYTES)) await truncate();
  }

  function dueFrames(): number {
    const frames = Math.floor((sizeOf(deps.path)?.bytes ?? 0) / FRAME_BYTES);
    return Math.min(Math.max(frames, LEAST_DUE_FRAMES), DUE_FRAMES);
  }

  /** True when every frame reached the database. */
  async function advance(underLoad: boolean): Promise<boolean> {
    const startedMs = deps.now();
    let outcome = await deps.checkpointWorker('passive');
    for (let round = 1; round < MAX_ROUNDS && pending(outcome) > FINISH_FRAMES; round += 1) {
      const before = pending(outcome);
      outcome = await deps.checkpointWorker('passive');
      // A reader holds an old snapshot: further rounds would move nothing.
      if (outcome.checkpointedFrames === 0 || pending(outcome) >= before * 2) break;
    }
    if (underLoad) outcome = await deps.whileReadersRest(() => finish(pending(outcome)));
    record('passive', outcome, startedMs);
    return pending(outcome) === 0;
  }

  async function finish(frames: number): Promise<CheckpointOutcome> {
    // Frames that readers had held back are too many for the writer.
    if (frames > FINISH_FRAMES) await deps.checkpointWorker('passive');
    return deps.inWriter('passive');
  }

  /**
   * Truncates a log that once grew beyond its limit, or whose frames nobody needs any more. It waits for readers, so it is tried
   * rarely and only when none lags.
   */
  async function truncate(): Promise<void> {
    const startedMs = deps.now();
    if (truncateAtMs !== null && Math.abs(startedMs - truncateAtMs) < TRUNCATE_PAUSE_MS) return;
    truncateAtMs = startedMs;
    record('truncate', await deps.whileReadersRest(() => deps.checkpointWorker('truncate')), startedMs);
    const log = sizeOf(`${deps.path}-wal`);
    if (log?.bytes === 0) seenChangeMs = log.changedMs;
  }

  function record(mode: CheckpointStatus['mode'], outcome: CheckpointOutcome, startedMs: number): void {
    status = {
      mode,
      ...outcome,
      executedAtMs: startedMs,
      durationMs: Math.max(deps.now() - startedMs, 0),
      ...(truncateAtMs === null ? {} : { lastTruncateAttemptAtMs: truncateAtMs }),
    };
  }

  return {
    tick: upkeep.request,
    files() {
      const database = sizeOf(deps.path);
      if (database === null) return null;
      const walBytes = sizeOf(`${deps.path}-wal`)?.bytes ?? 0;
      const failure = upkeep.failure();
      const shmBytes = sizeOf(`${deps.path}-shm`)?.bytes ?? 0;
      return {
        databaseBytes: database.bytes,
        walBytes,
        shmBytes,
        totalBytes: database.bytes + walBytes + shmBytes,
        journalSizeLimitBytes: JOURNAL_SIZE_LIMIT_BYTES,
        checkpoint: { ...status, ...(failure === null ? {} : { error: failure.error }) },
      };
    },
  };
}

function pending(outcome: CheckpointOutcome): number {
  return outcome.logFrames - outcome.checkpointedFrames;
}

/** A stat does not open the file: opening and closing it would drop this process's locks on it. */
function sizeOf(path: string): { readonly bytes: number; readonly changedMs: number } | null {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === undefined ? null : { bytes: stat.size, changedMs: stat.mtimeMs };
}
