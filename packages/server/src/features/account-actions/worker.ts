import { createWakingLoop, type Pause, type WakingLoop } from '../../credentials/waking-loop.ts';
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
  const { log } = deps;

  async function pass(stopping: AbortSignal): Promise<number | null> {
    while (deps.configured()) {
      const due = await deps.reader.run('dueAutoDisables', { nowMs: deps.now(), limit: BATCH });
      for (const candidate of due) {
        if (stopping.aborted) return null;
        const { file, reasonCode } = candidate.row;
        const result = await autoDisable(deps, candidate, stopping);
        if (result.kind === 'unavailable') return null;
        if (result.kind === 'disabled') log.info(`account actions: ${file} is disabled (${reasonCode})`);
        if (result.kind === 'refused') log.warn(`account actions: ${file} is not disabled: ${result.reason}`);
      }
      if (due.length < BATCH) return null;
    }
    return null;
  }

  return createWakingLoop({ name: 'account actions', pass, tickMs: TICK_MS, log, wait: deps.wait });
}
