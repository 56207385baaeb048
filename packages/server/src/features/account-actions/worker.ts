import { TARGET_PROBLEMS } from '@manager/core/accounts/target-state';
import { createLookupTally } from '../../gateway/accounts/lookup-tally.ts';
import { createWakingLoop, type Pause, type WakingLoop } from '../../gateway/accounts/waking-loop.ts';
import { type AutoDisableDeps, autoDisable } from './auto-disable.ts';

export interface AutoDisableWorkerDeps extends AutoDisableDeps {
  /** Whether there is an upstream. */
  readonly configured: () => boolean;
  readonly now: () => number;
  readonly log: { info(message: string): void; warn(message: string): void };
  readonly wait?: Pause;
}

const TICK_MS = 15_000;
const BATCH = 100;

/** Disables the credentials of candidates for which that was asked. One change at a time. */
export function createAutoDisableWorker(deps: AutoDisableWorkerDeps): WakingLoop {
  const { reader, writer, log } = deps;

  async function pass(stopping: AbortSignal): Promise<number | null> {
    const looks = createLookupTally();
    while (deps.configured()) {
      const unanswered: number[] = [];
      const due = await reader.run('dueAutoDisables', { nowMs: deps.now(), limit: BATCH });
      for (const candidate of due) {
        if (stopping.aborted || looks.isAway()) break;
        const { id, file, reasonCode } = candidate.row;
        const result = await autoDisable(deps, candidate, stopping);
        if (result.kind !== 'nothing') looks.note(result.kind !== 'unavailable');
        if (result.kind === 'unavailable') unanswered.push(id);
        if (result.kind === 'disabled') log.info(`account actions: ${file} is disabled (${reasonCode})`);
        if (result.kind === 'refused') log.warn(`account actions: ${file} is not disabled: ${result.reason}`);
      }
      const how = { lastError: TARGET_PROBLEMS.unavailable, retry: true, soon: !looks.anyAnswered() };
      for (const id of unanswered) await writer.run('endAutoDisable', { id, ...how });
      if (stopping.aborted || looks.isAway() || due.length < BATCH) return null;
    }
    return null;
  }

  return createWakingLoop({ name: 'account actions', pass, tickMs: TICK_MS, log, wait: deps.wait });
}
