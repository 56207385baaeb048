import { TARGET_PROBLEMS } from '@manager/core/accounts/target-state';
import type { AccountClient } from '../accounts/client.ts';
import { createLookupTally, type LookupTally } from '../accounts/lookup-tally.ts';
import { createWakingLoop, type Pause, type WakingLoop } from '../accounts/waking-loop.ts';
import type { Claim } from './claim.ts';
import type { ClaimClock } from './clock.ts';
import type { ClaimStore } from './store.ts';

/** Result for one claim. */
export interface Acted {
  /** `unavailable`: the gateway did not answer; it is retried. `nothing`: no request was sent. */
  readonly gateway: 'answered' | 'unavailable' | 'nothing';
  /** For the log of the manager. */
  readonly line?: { readonly level: 'info' | 'warn'; readonly text: string };
}

export interface ClaimWorkerDeps {
  /** Prefix of every log line. */
  readonly name: string;
  /** Kind of the owner. */
  readonly owner: string;
  readonly store: ClaimStore;
  /** Executes a request. */
  readonly apply: (claim: Claim, stopping: AbortSignal) => Promise<Acted>;
  /** Ends a claim whose reason has ended; absent = none ends automatically. */
  readonly end?: (claim: Claim, stopping: AbortSignal) => Promise<Acted>;
  readonly client: Pick<AccountClient, 'find'>;
  readonly clock: ClaimClock;
  /** Whether a gateway is configured. */
  readonly configured: () => boolean;
  readonly now: () => number;
  readonly log: { info(message: string): void; warn(message: string): void };
  readonly wait?: Pause | undefined;
}

const TICK_MS = 15_000;
const BATCH = 100;

/** Processes the due claims of one owner, one change at a time. Wake it for new requests. */
export function createClaimWorker(deps: ClaimWorkerDeps): WakingLoop {
  const { name, owner, clock, now, log } = deps;
  const { reader, writer } = deps.store;

  /** Ends first: an account that may work again is more valuable than one to disable. */
  async function pass(stopping: AbortSignal): Promise<number | null> {
    if (!deps.configured()) return null;
    const lookups = createLookupTally();
    const { apply, end } = deps;
    if (end !== undefined) await act(await dueEnds(stopping), end, lookups, stopping);
    for (;;) {
      // Without an answer of the gateway there is no hurry.
      if (stopping.aborted || lookups.isAway()) return null;
      const due = await reader.run('dueClaims', { owner, state: 'requested', nowMs: now(), aheadMs: 0, limit: BATCH });
      await act(due, apply, lookups, stopping);
      if (due.length < BATCH) break;
    }
    const nextMs = await reader.run('nextClaimTime', { owner, aheadMs: clock.aheadMs() });
    return nextMs === null || lookups.isAway() ? null : nextMs - now();
  }

  async function dueEnds(stopping: AbortSignal): Promise<readonly Claim[]> {
    const due = (aheadMs: number) =>
      reader.run('dueClaims', { owner, state: 'held', nowMs: now(), aheadMs, limit: BATCH });
    const claims = await due(0);
    const [first] = claims;
    if (first === undefined || !clock.isInDoubt()) return claims;
    // Its earlier time does not help if its clock was corrected too.
    await deps.client.find(first.account.authFileName, { signal: stopping }).catch(() => null);
    const aheadMs = clock.aheadMs();
    return aheadMs === 0 ? claims : due(aheadMs);
  }

  async function act(
    claims: readonly Claim[],
    how: NonNullable<ClaimWorkerDeps['end']>,
    lookups: LookupTally,
    stopping: AbortSignal,
  ): Promise<void> {
    const unanswered: number[] = [];
    for (const claim of claims) {
      if (stopping.aborted || lookups.isAway()) break;
      const { gateway, line } = await how(claim, stopping);
      if (gateway !== 'nothing') lookups.note(gateway === 'answered');
      if (gateway === 'unavailable') unanswered.push(claim.id);
      if (line !== undefined) log[line.level](`${name}: ${claim.account.authFileName} ${line.text}`);
    }
    if (unanswered.length === 0) return;
    const lastError = TARGET_PROBLEMS.unavailable;
    await writer.run('postponeClaims', { ids: unanswered, lastError, soon: !lookups.anyAnswered() });
  }

  return createWakingLoop({ name, pass, tickMs: TICK_MS, log, wait: deps.wait });
}
