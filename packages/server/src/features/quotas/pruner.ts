import { messageOf } from '../../platform/logging/error-text.ts';
import { createLoop, type Loop, type Pause } from '../../platform/loop.ts';
import { PRUNE_START, type PruneArgs, type PruneOutcome, type PrunePlace } from './queries/prune.ts';

export interface PrunerDeps {
  /** In the writer, at the lowest priority. */
  readonly prune: (args: PruneArgs) => Promise<PruneOutcome>;
  readonly now: () => number;
  readonly log: { warn(message: string): void };
  /** Replaced in tests. */
  readonly wait?: Pause | undefined;
}

const DAY_MS = 86_400_000;
const KEPT_MS = 35 * DAY_MS;
/** Takes some milliseconds of the writer. */
const BATCH_ROWS = 1_000;
const BATCH_PAUSE_MS = 50;
/** Keeps the start free of it. */
const FIRST_PAUSE_MS = 60_000;
const RETRY_MS = 60_000;

/** Deletes quota snapshots that no answer needs any more, once a day. */
export function createQuotaSnapshotPruner({ prune, now, log, wait }: PrunerDeps): Loop {
  let pass: { readonly beforeMs: number; readonly place: PrunePlace } | null = null;
  return createLoop({
    firstRestMs: FIRST_PAUSE_MS,
    async round() {
      const { beforeMs, place } = pass ?? { beforeMs: now() - KEPT_MS, place: PRUNE_START };
      pass = { beforeMs, place };
      const { next }: PruneOutcome = await prune({ beforeMs, place, rows: BATCH_ROWS });
      pass = next === null ? null : { beforeMs, place: next };
      return next === null ? DAY_MS : BATCH_PAUSE_MS;
    },
    failed(error, count) {
      if (count === 1) log.warn(`old quota observations cannot be deleted: ${messageOf(error)}; retrying`);
      return RETRY_MS;
    },
    wait,
  });
}
