import { createWakingLoop, type Pause, type WakingLoop } from '../../credentials/waking-loop.ts';
import { type ApplyDeps, applySignal } from './apply-signal.ts';
import { endDueCooldown, settlePending } from './end-cooldown.ts';

export interface CooldownWorkerDeps extends ApplyDeps {
  /** Whether there is an upstream. */
  readonly configured: () => boolean;
  readonly log: { info(message: string): void; warn(message: string): void };
  readonly wait?: Pause;
}

const TICK_MS = 15_000;
const BATCH = 100;
/** Looks in a row without an answer after which the upstream counts as away. One alone may be the fault of its credential. */
const PATIENCE = 3;

/**
 * Disables credentials whose quota is used up, and enables them when it is back. One change at a time. Wake it for new signals
 * and when the connection has changed.
 */
export function createCooldownWorker(deps: CooldownWorkerDeps): WakingLoop {
  const { reader, now, log } = deps;

  /** Ends first: a credential that may work again is worth more than one that will rest. */
  async function pass(stopping: AbortSignal): Promise<number | null> {
    if (!deps.configured()) return null;
    const isAway = createPatience();
    for (const row of await reader.run('pendingCooldowns', null)) {
      if (stopping.aborted || isAway((await settlePending(deps, row, stopping)) === 'unavailable')) return null;
    }
    // Without an answer of the upstream there is no hurry.
    if (!(await endDue(stopping, isAway)) || !(await applyDue(stopping, isAway))) return null;
    const nextMs = await reader.run('nextCooldownTime', null);
    return nextMs === null ? null : nextMs - now();
  }

  /** False when the upstream does not answer. */
  async function endDue(stopping: AbortSignal, isAway: Patience): Promise<boolean> {
    for (const row of await reader.run('dueCooldowns', { nowMs: now(), limit: BATCH })) {
      if (stopping.aborted) return false;
      const ended = await endDueCooldown(deps, row, stopping);
      if (isAway(ended.kind === 'unavailable')) return false;
      if (ended.kind === 'recovered') log.info(`quota cooldown: ${row.file} is enabled again`);
      if (ended.kind === 'skipped') log.warn(`quota cooldown: ${row.file} stays as it is: ${ended.reason}`);
      if (ended.kind === 'postponed') log.warn(`quota cooldown: ${row.file} is tried again: ${ended.reason}`);
    }
    return true;
  }

  /** False when the upstream does not answer. */
  async function applyDue(stopping: AbortSignal, isAway: Patience): Promise<boolean> {
    for (;;) {
      const signals = await reader.run('dueCooldownSignals', { nowMs: now(), limit: BATCH });
      for (const signal of signals) {
        if (stopping.aborted) return false;
        const { file, reasonCode, recoverAtMs } = signal.candidate;
        const applied = await applySignal(deps, signal, stopping);
        if (isAway(applied.kind === 'unavailable')) return false;
        const until = new Date(recoverAtMs).toISOString();
        if (applied.kind === 'disabled') log.info(`quota cooldown: ${file} is disabled until ${until} (${reasonCode})`);
        if (applied.kind === 'extended') log.info(`quota cooldown: ${file} rests until ${until} (${reasonCode})`);
        if (applied.kind === 'failed') log.warn(`quota cooldown: ${file} is tried again: ${applied.reason}`);
      }
      if (signals.length < BATCH) return true;
    }
  }

  return createWakingLoop({ name: 'quota cooldown', pass, tickMs: TICK_MS, log, wait: deps.wait });
}

/** Told whether a look had no answer; true once that was so too often in a row. */
type Patience = (unanswered: boolean) => boolean;

function createPatience(): Patience {
  let inARow = 0;
  return (unanswered) => {
    inARow = unanswered ? inARow + 1 : 0;
    return inARow >= PATIENCE;
  };
}
