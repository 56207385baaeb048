import { setTimeout as waitFor } from 'node:timers/promises';
import { codeOf } from '../../sqlite/worker/errors.ts';
import { PRUNE_START, type PruneArgs, type PruneOutcome, type PrunePlace } from './queries/prune.ts';

export interface PrunerDeps {
  /** In the writer; everything else overtakes it. */
  readonly prune: (args: PruneArgs) => Promise<PruneOutcome>;
  readonly now: () => number;
  readonly log: { warn(message: string): void };
  /** Pauses; replaced in tests. Rejects once the signal is aborted. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** Deletes quota snapshots that no answer is made of any more, once a day. */
export interface QuotaSnapshotPruner {
  start(): void;
  /** Ends after the batch in hand. */
  stop(): Promise<void>;
}

const DAY_MS = 86_400_000;
const KEPT_MS = 35 * DAY_MS;
/** Some milliseconds of the writer. */
const BATCH_ROWS = 1_000;
const BATCH_PAUSE_MS = 50;
/** The start has other things to do. */
const FIRST_PAUSE_MS = 60_000;
const RETRY_MS = 60_000;

export function createQuotaSnapshotPruner(deps: PrunerDeps): QuotaSnapshotPruner {
  const pause = deps.wait ?? ((ms, signal) => waitFor(ms, undefined, { signal, ref: false }));
  const stopping = new AbortController();
  let running: Promise<void> | null = null;
  let lastFailure = '';

  async function loop(): Promise<void> {
    let restMs = FIRST_PAUSE_MS;
    while (await rested(restMs)) restMs = await pass();
  }

  /** How long to wait for the next pass, in ms. */
  async function pass(): Promise<number> {
    const beforeMs = deps.now() - KEPT_MS;
    try {
      let place: PrunePlace | null = PRUNE_START;
      while (place !== null) {
        const outcome: PruneOutcome = await deps.prune({ beforeMs, place, rows: BATCH_ROWS });
        place = outcome.next;
        if (place !== null && !(await rested(BATCH_PAUSE_MS))) return 0;
      }
      lastFailure = '';
      return DAY_MS;
    } catch (error) {
      if (codeOf(error) === 'WORKER_CLOSED') stopping.abort();
      const failure = error instanceof Error ? error.message : 'unknown error';
      // The same failure every minute is one failure.
      if (failure !== lastFailure && !stopping.signal.aborted) {
        deps.log.warn(`old quota snapshots cannot be deleted: ${failure}; it is tried again`);
      }
      lastFailure = failure;
      return RETRY_MS;
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
