import type { CandidateRow } from '@manager/core/accounts/failures/candidates';
import { isRefreshedSince } from '@manager/core/accounts/failures/confirmation';
import { matchesIdentity } from '@manager/core/accounts/identity';
import type { ListedAccount } from '@manager/core/accounts/listed-account';
import type { AccountClient } from '../../gateway/accounts/client.ts';
import { createWakingLoop, type Pause, type WakingLoop } from '../../gateway/accounts/waking-loop.ts';
import { GatewayError } from '../../gateway/errors.ts';
import { candidateIdentity } from './claim.ts';
import type { CandidateReads, CandidateWrites } from './store.ts';

export interface ConfirmationDeps {
  readonly client: Pick<AccountClient, 'list'>;
  readonly reader: CandidateReads;
  readonly writer: CandidateWrites;
  /** Whether a gateway is configured. */
  readonly configured: () => boolean;
  /** Candidates were withdrawn whose accounts may be disabled. */
  readonly onSuperseded: () => void;
  readonly now: () => number;
  readonly log: { info(message: string): void; warn(message: string): void };
  readonly wait?: Pause | undefined;
}

const TICK_MS = 60_000;
/** While events wait to be read. */
const SOON_MS = 1_000;

/**
 * Confirms failures that no success followed in time, unless the gateway's list shows a new token since. A new token also
 * shows that an account works that was disabled for a failure.
 */
export function createConfirmations(deps: ConfirmationDeps): WakingLoop {
  const { client, reader, writer, now, log } = deps;
  let lookedAtMs = Number.NEGATIVE_INFINITY;
  /** Collected before the failures were due; kept until it was read, because events keep arriving. */
  let lastEventId: number | null = null;

  async function pass(stopping: AbortSignal): Promise<number | null> {
    if (!deps.configured()) return null;
    const due = await reader.run('dueConfirmations', now());
    // Nobody waits for these.
    const isLookDue = Math.abs(now() - lookedAtMs) >= TICK_MS;
    const disabled = isLookDue ? await reader.run('disabledCandidates', null) : [];
    if (due.length > 0) lastEventId ??= await reader.run('lastUnreadEvent', null);
    if (due.length + disabled.length > 0) {
      let live: readonly ListedAccount[];
      try {
        live = await client.list({ signal: stopping });
      } catch (error) {
        stopping.throwIfAborted();
        if (error instanceof GatewayError) return null;
        throw error;
      }
      if (isLookDue) lookedAtMs = now();
      const isRefreshed = refreshedIn(live);
      const superseded = [...due, ...disabled].filter(isRefreshed);
      for (const { id, lastSeenAtMs, file } of superseded) {
        if (await writer.run('supersedeCandidate', { id, lastSeenAtMs }))
          log.info(`account actions: ${file} has a new token`);
      }
      if (superseded.length > 0) deps.onSuperseded();
      const ids = due.filter((row) => !superseded.includes(row)).map(({ id }) => id);
      if (ids.length > 0 && !(await writer.run('confirmCandidates', { ids, lastEventId, nowMs: now() })))
        return SOON_MS;
      lastEventId = null;
    }
    const nextMs = await reader.run('nextConfirmation', null);
    return nextMs === null ? null : nextMs - now();
  }

  return createWakingLoop({ name: 'account actions', pass, tickMs: TICK_MS, log, wait: deps.wait });
}

/** Whether exactly one account is the candidate's, and has a new token since its last failure. */
function refreshedIn(live: readonly ListedAccount[]): (row: CandidateRow) => boolean {
  const byFile = Map.groupBy(live, ({ name }) => name);
  return (row) => {
    const identity = candidateIdentity(row);
    const [only, second] = (byFile.get(row.file) ?? []).filter((member) => matchesIdentity(member, identity));
    return only !== undefined && second === undefined && isRefreshedSince(row, only);
  };
}
