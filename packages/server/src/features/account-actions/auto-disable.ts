import { isRefreshedSince } from '@manager/core/accounts/failures/confirmation';
import { accountIdentity, isStableIdentity } from '@manager/core/accounts/identity';
import { TARGET_PROBLEMS } from '@manager/core/accounts/target-state';
import type { GatewayAccounts } from '../../gateway/accounts/gateway-accounts.ts';
import { reachAccount } from '../../gateway/accounts/reach.ts';
import { tryLock } from '../../gateway/accounts/try-lock.ts';
import type { Pause, WakingLoop } from '../../gateway/accounts/waking-loop.ts';
import type { Changed } from '../../gateway/claims/change-account.ts';
import type { Claim } from '../../gateway/claims/claim.ts';
import { type Acted, createClaimWorker } from '../../gateway/claims/claim-worker.ts';
import type { ClaimClock } from '../../gateway/claims/clock.ts';
import { endClaim } from '../../gateway/claims/end-claim.ts';
import { ACCOUNT_ACTION, candidateIdentity, candidateIdOf, fieldsOf } from './claim.ts';
import type { CandidateReads, CandidateWrites } from './store.ts';

export interface AutoDisableDeps {
  readonly gatewayAccounts: GatewayAccounts;
  readonly reader: CandidateReads;
  readonly writer: CandidateWrites;
  readonly clock: ClaimClock;
  /** Whether the policy allows it. */
  readonly effective: () => Promise<boolean>;
  /** Whether a gateway is configured. */
  readonly configured: () => boolean;
  readonly now: () => number;
  readonly log: { info(message: string): void; warn(message: string): void };
  readonly wait?: Pause;
}

/** Disables the accounts of candidates that call for it, and enables them again when they turn out to work. */
export function createAutoDisableWorker(deps: AutoDisableDeps): WakingLoop {
  const { gatewayAccounts, reader, writer } = deps;
  const { store } = gatewayAccounts.claims;
  const changes = gatewayAccounts.claims.register({
    kind: ACCOUNT_ACTION,
    retries: true,
    async hold(claims) {
      const held = await Promise.all(
        claims.map((claim) => writer.run('holdAutoDisabled', { candidateId: candidateIdOf(claim), claimId: claim.id })),
      );
      return !held.includes(false);
    },
  });

  /** By request: the newest event that was unread when it was due. Under steady traffic some are always unread. */
  const awaited = new Map<number, number>();

  async function areEventsUnread(requestId: number): Promise<boolean> {
    const lastEventId = awaited.get(requestId) ?? (await reader.run('lastUnreadEvent', null));
    const isUnread = lastEventId !== null && (await reader.run('areEventsUnread', lastEventId));
    if (isUnread) awaited.set(requestId, lastEventId);
    else awaited.delete(requestId);
    return isUnread;
  }

  async function apply(request: Claim, stopping: AbortSignal): Promise<Acted> {
    const id = candidateIdOf(request);

    async function underLock(): Promise<Acted> {
      const current = await store.reader.run('findClaim', request.id);
      if (current?.state !== 'requested') return { gateway: 'nothing' };
      const row = await reader.run('findCandidate', id);
      if (row?.status !== 'pending' || !row.autoDisableEligible || !(await deps.effective())) return drop('nothing');
      if (await areEventsUnread(request.id)) return wait();
      const identity = candidateIdentity(row);
      if (!isStableIdentity(identity))
        return refuse('the account cannot be identified with certainty', false, 'nothing');
      let isContradicted = false;
      const changed = await changes.disable({
        lookUp: () => reachAccount(gatewayAccounts.targets, identity, { signal: stopping }),
        async claims({ members }) {
          const isRefreshed = members.some((member) => isRefreshedSince(row, member));
          if (!isRefreshed) return [{ ...fieldsOf(row), request: request.id }];
          const { lastSeenAtMs } = row;
          isContradicted = !(await writer.run('supersedeCandidate', { id, lastSeenAtMs }));
          return 'it has a new token since';
        },
      });
      if (changed.kind === 'done') {
        return { gateway: 'answered', line: { level: 'info', text: `is disabled (${row.reasonCode})` } };
      }
      // A newer failure was read at the same time.
      if (isContradicted) return { ...(await wait()), gateway: 'answered' };
      // Somebody else disabled it, and only they decide when to enable it.
      if (changed.kind === 'already' || changed.kind === 'left') return drop('answered');
      const isAway = changed.kind === 'problem' && changed.problem === 'unavailable';
      if (isAway) await writer.run('setCandidateError', { id, lastError: TARGET_PROBLEMS.unavailable });
      if (isAway) return { gateway: 'unavailable' };
      const isOpen =
        changed.kind === 'failed' ? changed.mayHaveHappened : changed.kind === 'unrecorded' && !changed.undone;
      return refuse(reasonOf(changed), isOpen);
    }

    async function wait(): Promise<Acted> {
      await store.writer.run('postponeClaims', { ids: [request.id], lastError: '', soon: true });
      return { gateway: 'nothing' };
    }

    async function drop(gateway: Acted['gateway']): Promise<Acted> {
      await store.writer.run('settleClaims', { ids: [request.id], as: 'dropped' });
      return { gateway };
    }

    async function refuse(
      lastError: string,
      isTriedAgain: boolean,
      gateway: Acted['gateway'] = 'answered',
    ): Promise<Acted> {
      await writer.run('setCandidateError', { id, lastError });
      if (isTriedAgain) await store.writer.run('postponeClaims', { ids: [request.id], lastError });
      else await drop(gateway);
      return { gateway, line: { level: 'warn', text: `is not disabled: ${lastError}` } };
    }

    const acted = await tryLock(gatewayAccounts.lock, [request.account.authFileName], stopping, underLock);
    return acted === 'lock_refused' ? refuse(TARGET_PROBLEMS.lock_refused, true) : acted;
  }

  return createClaimWorker({
    ...deps,
    name: 'account actions',
    owner: ACCOUNT_ACTION,
    store,
    client: gatewayAccounts.client,
    apply,
    end: (due, stopping) =>
      endClaim(
        { gatewayAccounts, changes },
        { due, identityOf: ({ account }) => accountIdentity(account), because: ': it works' },
        stopping,
      ),
  });
}

function reasonOf(changed: Exclude<Changed, { kind: 'done' | 'already' | 'left' }>): string {
  switch (changed.kind) {
    case 'problem':
      return TARGET_PROBLEMS[changed.problem];
    case 'failed':
      return changed.replaced ? TARGET_PROBLEMS.identity_mismatch : 'the gateway did not confirm the change';
    case 'unrecorded':
      return takenBack('the change could not be stored', changed.undone);
    case 'withdrawn':
      return takenBack('the action queue entry was already handled', changed.undone);
    case 'not_owned':
    case 'not_stored':
      return 'the change could not be stored';
  }
}

function takenBack(cause: string, undone: boolean): string {
  return undone ? `${cause}; undone` : `${cause}; the account stays disabled`;
}
