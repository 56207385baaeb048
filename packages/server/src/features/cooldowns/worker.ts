import type { CooldownRow } from '@manager/core/accounts/cooldown/row';
import { TARGET_PROBLEMS } from '@manager/core/accounts/target-state';
import { createLookupTally, type LookupTally } from '../../gateway/accounts/lookup-tally.ts';
import { createWakingLoop, type Pause, type WakingLoop } from '../../gateway/accounts/waking-loop.ts';
import { type ApplyDeps, applySignal } from './apply-signal.ts';
import { createCooldownClock } from './clock.ts';
import { endDueCooldown, settlePending } from './end-cooldown.ts';

export interface CooldownWorkerDeps extends ApplyDeps {
  /** Whether there is an upstream. */
  readonly configured: () => boolean;
  /** Ms that have passed, whatever becomes of the clock. */
  readonly elapsed: () => number;
  readonly log: { info(message: string): void; warn(message: string): void };
  readonly wait?: Pause;
}

const TICK_MS = 15_000;
const BATCH = 100;

/**
 * Disables credentials whose quota is used up, and enables them when it is back. One change at a time. Wake it for new signals
 * and when the connection has changed.
 */
export function createCooldownWorker(deps: CooldownWorkerDeps): WakingLoop {
  const { reader, writer, now, log } = deps;
  const { client } = deps.credentials;
  const clock = createCooldownClock({ now, elapsed: deps.elapsed, upstreamNow: client.upstreamNow });

  const applying: ApplyDeps = { ...deps, now: () => now() - clock.aheadMs() };

  /** Ends first: a credential that may work again is worth more than one that will rest. */
  async function pass(stopping: AbortSignal): Promise<number | null> {
    if (!deps.configured()) return null;
    const looks = createLookupTally();
    for (const row of await reader.run('pendingCooldowns', null)) {
      if (stopping.aborted) return null;
      looks.note((await settlePending(deps, row, stopping)) !== 'unavailable');
      if (looks.isAway()) break;
    }
    // Without an answer of the upstream there is no hurry.
    if (!(await endDue(stopping, looks)) || !(await applyDue(stopping, looks))) return null;
    const nextMs = await reader.run('nextCooldownTime', { aheadMs: clock.aheadMs() });
    return nextMs === null ? null : nextMs - now();
  }

  async function due(stopping: AbortSignal): Promise<readonly CooldownRow[]> {
    const rows = await reader.run('dueCooldowns', { nowMs: now(), aheadMs: 0, limit: BATCH });
    const [first] = rows;
    if (first === undefined || !clock.isInDoubt()) return rows;
    // What it said before is no help if it was corrected as well.
    await client.find(first.file, { signal: stopping }).catch(() => null);
    const aheadMs = clock.aheadMs();
    return aheadMs === 0 ? rows : reader.run('dueCooldowns', { nowMs: now(), aheadMs, limit: BATCH });
  }

  /** False when the upstream does not answer. */
  async function endDue(stopping: AbortSignal, looks: LookupTally): Promise<boolean> {
    const unanswered: number[] = [];
    for (const row of await due(stopping)) {
      if (stopping.aborted || looks.isAway()) break;
      const ended = await endDueCooldown(deps, row, stopping);
      looks.note(ended.kind !== 'unavailable');
      if (ended.kind === 'unavailable') unanswered.push(row.id);
      if (ended.kind === 'recovered') log.info(`quota cooldown: ${row.file} is enabled again`);
      if (ended.kind === 'skipped') log.warn(`quota cooldown: ${row.file} was not changed: ${ended.reason}`);
      if (ended.kind === 'postponed') log.warn(`quota cooldown: retrying ${row.file}: ${ended.reason}`);
    }
    const how = { lastError: TARGET_PROBLEMS.unavailable, soon: !looks.anyAnswered() };
    for (const id of unanswered) await writer.run('postponeCooldown', { id, ...how });
    return !stopping.aborted && !looks.isAway();
  }

  /** False when the upstream does not answer. */
  async function applyDue(stopping: AbortSignal, looks: LookupTally): Promise<boolean> {
    for (;;) {
      const unanswered: number[] = [];
      const signals = await reader.run('dueCooldownSignals', { nowMs: now(), limit: BATCH });
      for (const signal of signals) {
        if (stopping.aborted || looks.isAway()) break;
        const { file, reasonCode, recoverAtMs } = signal.candidate;
        const applied = await applySignal(applying, signal, stopping);
        looks.note(applied.kind !== 'unavailable');
        if (applied.kind === 'unavailable') unanswered.push(signal.id);
        const until = new Date(recoverAtMs).toISOString();
        if (applied.kind === 'disabled') log.info(`quota cooldown: ${file} is disabled until ${until} (${reasonCode})`);
        if (applied.kind === 'extended')
          log.info(`quota cooldown: ${file} is in cooldown until ${until} (${reasonCode})`);
        if (applied.kind === 'replaced') log.warn(`quota cooldown: ${file} is not in cooldown: ${applied.reason}`);
        if (applied.kind === 'failed') log.warn(`quota cooldown: retrying ${file}: ${applied.reason}`);
      }
      for (const id of unanswered) await writer.run('postponeCooldownSignal', { id, soon: !looks.anyAnswered() });
      if (stopping.aborted || looks.isAway()) return false;
      if (signals.length < BATCH) return true;
    }
  }

  return createWakingLoop({ name: 'quota cooldown', pass, tickMs: TICK_MS, log, wait: deps.wait });
}
