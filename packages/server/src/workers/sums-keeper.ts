import type { OperationClient } from '../sqlite/contexts.ts';
import { createUpkeep, type UpkeepLog } from '../sqlite/upkeep.ts';
import type { CheckpointerOperations } from './checkpointer.ts';
import type { Writes } from './operations/writes.ts';

export interface SumsKeeperDeps {
  readonly writer: OperationClient<Writes>;
  readonly checkpointWorker: OperationClient<CheckpointerOperations>;
  readonly now: () => number;
  readonly log: UpkeepLog;
}

export interface SumsKeeper {
  /** Called once a second. */
  tick(): void;
  /** Stores all missing sums. Never rejects. */
  request(): Promise<void>;
  /** Ends after the segment it is at. */
  close(): Promise<void>;
}

/** Not during a start, and not for every step of a correction, which replaces a segment up to 66 times. */
const PAUSE_MS = 60_000;

/**
 * Stores the sums of segments that have none: those of an earlier version of the database, and corrected ones. Nothing depends on
 * them but the time of the first questions, so it waits for everything else.
 */
export function createSumsKeeper({ writer, checkpointWorker, now, log }: SumsKeeperDeps): SumsKeeper {
  const upkeep = createUpkeep({ title: 'storing sums of facts', work: storeMissing, now, log });
  let restingSinceMs = now();
  let isClosed = false;

  async function storeMissing(): Promise<void> {
    while (!isClosed) {
      const segmentId = await writer.run('segmentWithoutSums', null, { priority: 'background' });
      if (segmentId === null) break;
      const made = await checkpointWorker.run('encodeSums', segmentId);
      if (made !== null) await writer.run('storeSums', made, { priority: 'background' });
    }
    restingSinceMs = now();
  }

  return {
    request: upkeep.request,
    tick() {
      const nowMs = now();
      // A clock that was set back must not extend the pause.
      if (nowMs < restingSinceMs || nowMs - restingSinceMs >= PAUSE_MS) {
        restingSinceMs = nowMs;
        void upkeep.request();
      } else {
        upkeep.tick();
      }
    },
    close() {
      isClosed = true;
      return upkeep.idle();
    },
  };
}
