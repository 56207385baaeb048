import type { AccountIdentity } from '@manager/core/accounts/identity';
import { TARGET_PROBLEMS } from '@manager/core/accounts/target-state';
import type { GatewayAccounts } from '../accounts/gateway-accounts.ts';
import { reachAccount } from '../accounts/reach.ts';
import { tryLock } from '../accounts/try-lock.ts';
import type { OwnedChanges } from './change-account.ts';
import type { Claim } from './claim.ts';
import type { Acted } from './claim-worker.ts';

export interface EndClaimDeps {
  readonly gatewayAccounts: GatewayAccounts;
  readonly changes: OwnedChanges;
}

export interface EndingClaim {
  readonly due: Claim;
  /** Read from the current claim, under the lock. */
  readonly identityOf: (claim: Claim) => AccountIdentity;
  /** Why the account must not be enabled; null = nothing. */
  readonly refusal?: (claim: Claim) => string | null;
  /** For the log. */
  readonly because: string;
}

/** Ends a due claim: enables the account, unless it is a different one by now or somebody has changed it. */
export async function endClaim(deps: EndClaimDeps, ending: EndingClaim, stopping: AbortSignal): Promise<Acted> {
  const { gatewayAccounts, changes } = deps;
  const { due } = ending;
  const { reader, writer } = gatewayAccounts.claims.store;

  async function underLock(): Promise<Acted> {
    const claim = await reader.run('findClaim', due.id);
    if (claim?.state !== 'held' || claim.untilMs === null) return { gateway: 'nothing' };
    const refusal = ending.refusal?.(claim) ?? null;
    if (refusal !== null) return skip(refusal, 'nothing');
    const changed = await changes.enable({
      lookUp: () => reachAccount(gatewayAccounts.targets, ending.identityOf(claim), { signal: stopping }),
      claims: async () => [claim],
    });
    switch (changed.kind) {
      case 'done':
      case 'already':
        return { gateway: 'answered', line: { level: 'info', text: `is enabled again${ending.because}` } };
      case 'problem':
        if (changed.problem === 'unavailable') return { gateway: 'unavailable' };
        if (changed.problem !== 'ambiguous') return skip(TARGET_PROBLEMS[changed.problem], 'answered');
        return tryAgain(TARGET_PROBLEMS[changed.problem]);
      case 'failed':
        if (changed.replaced) return { gateway: 'answered', line: stays(changed.reason) };
        return tryAgain('the gateway did not confirm the change');
      case 'not_owned':
        return skip(TARGET_PROBLEMS.identity_mismatch, 'answered');
      default:
        return tryAgain('the change could not be stored');
    }
  }

  async function skip(lastError: string, gateway: Acted['gateway']): Promise<Acted> {
    await writer.run('settleClaims', { ids: [due.id], as: 'ended', lastError });
    return { gateway, line: stays(lastError) };
  }

  async function tryAgain(lastError: string): Promise<Acted> {
    await writer.run('postponeClaims', { ids: [due.id], lastError });
    return { gateway: 'answered', line: { level: 'warn', text: `is retried later: ${lastError}` } };
  }

  const acted = await tryLock(gatewayAccounts.lock, [due.account.authFileName], stopping, underLock);
  return acted === 'lock_refused' ? tryAgain(TARGET_PROBLEMS.lock_refused) : acted;
}

function stays(reason: string): NonNullable<Acted['line']> {
  return { level: 'warn', text: `was not changed: ${reason}` };
}
