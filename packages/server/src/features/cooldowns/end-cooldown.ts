import { cooldownIdentity, endRefusal } from '@manager/core/accounts/cooldown/row';
import { TARGET_PROBLEMS } from '@manager/core/accounts/target-state';
import { reachAccount } from '../../gateway/accounts/reach.ts';
import { tryLock } from '../../gateway/accounts/try-lock.ts';
import type { Claim } from '../../gateway/claims/claim.ts';
import type { Acted } from '../../gateway/claims/claim-worker.ts';
import { cooldownOf } from './claim.ts';
import type { CooldownDeps } from './deps.ts';

/** Ends a due cooldown: enables the account, unless it is a different one by now or somebody has changed it. */
export async function endCooldown(deps: CooldownDeps, due: Claim, stopping: AbortSignal): Promise<Acted> {
  const { credentials, changes } = deps;
  const { reader, writer } = credentials.claims.store;

  async function underLock(): Promise<Acted> {
    const claim = await reader.run('findClaim', due.id);
    if (claim?.state !== 'held') return { gateway: 'nothing' };
    const row = cooldownOf(claim);
    const refusal = endRefusal(row);
    if (refusal !== null) return skip(refusal, 'nothing');
    const changed = await changes.enable({
      lookUp: () => reachAccount(credentials.targets, cooldownIdentity(row), { signal: stopping }),
      claims: async () => [claim],
    });
    switch (changed.kind) {
      case 'done':
      case 'already':
        return { gateway: 'answered', line: { level: 'info', text: 'is enabled again' } };
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
        return tryAgain('the end of the cooldown could not be stored');
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

  const acted = await tryLock(credentials.lock, [due.account.authFileName], stopping, underLock);
  return acted === 'lock_refused' ? tryAgain(TARGET_PROBLEMS.lock_refused) : acted;
}

function stays(reason: string): NonNullable<Acted['line']> {
  return { level: 'warn', text: `was not changed: ${reason}` };
}
