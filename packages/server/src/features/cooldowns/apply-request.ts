import { applyDecision, type CooldownTarget } from '@manager/core/accounts/cooldown/apply';
import { cooldownIdentity } from '@manager/core/accounts/cooldown/row';
import { TARGET_PROBLEMS } from '@manager/core/accounts/target-state';
import { reachAccount } from '../../gateway/accounts/reach.ts';
import { tryLock } from '../../gateway/accounts/try-lock.ts';
import type { Claim } from '../../gateway/claims/claim.ts';
import type { Acted } from '../../gateway/claims/claim-worker.ts';
import { COOLDOWN, candidateOf, cooldownOf, fieldsOf } from './claim.ts';
import type { CooldownDeps } from './deps.ts';

/** Executes one request for a cooldown: disables its account, unless somebody has, and keeps the later of two ends. */
export async function applyRequest(deps: CooldownDeps, request: Claim, stopping: AbortSignal): Promise<Acted> {
  const { gatewayAccounts, changes, now } = deps;
  const { reader, writer } = gatewayAccounts.claims.store;
  const candidate = candidateOf(request);

  async function decide(target: CooldownTarget) {
    const open = await reader.run('openClaims', COOLDOWN);
    const rows = open.map(cooldownOf).filter(({ file }) => file === candidate.file);
    return applyDecision(candidate, target, rows, now());
  }

  async function underLock(): Promise<Acted> {
    const current = await reader.run('findClaim', request.id);
    if (current?.state !== 'requested') return { gateway: 'nothing' };
    const changed = await changes.disable({
      lookUp: () => reachAccount(gatewayAccounts.targets, cooldownIdentity(candidate), { signal: stopping }),
      async claims({ members: [account] }) {
        if (account === undefined) throw new Error('an account was found that has no row');
        const decision = await decide({ state: 'enabled', listed: account });
        if (decision.kind === 'disable') return [{ ...fieldsOf(decision.row), request: request.id }];
        return decision.kind === 'skip' ? decision.reason : 'conflict';
      },
    });
    const until = `until ${new Date(candidate.recoverAtMs).toISOString()} (${candidate.reasonCode})`;
    switch (changed.kind) {
      case 'done':
        return { gateway: 'answered', line: { level: 'info', text: `is disabled ${until}` } };
      case 'already': {
        const [account] = changed.reach.members;
        const decision = account && (await decide({ state: 'disabled', listed: account }));
        if (decision?.kind !== 'extend') return drop();
        await writer.run('continueClaim', {
          id: decision.id,
          claim: { ...fieldsOf(decision.row), request: request.id },
        });
        return { gateway: 'answered', line: { level: 'info', text: `is in cooldown ${until}` } };
      }
      case 'problem':
        return changed.problem === 'unavailable' ? { gateway: 'unavailable' } : drop();
      case 'left':
      case 'not_owned':
      case 'withdrawn':
        return drop();
      case 'not_stored':
      case 'unrecorded':
        throw changed.error;
      case 'failed':
        if (!changed.replaced) return tryAgain(changed.reason);
        return { gateway: 'answered', line: { level: 'warn', text: `is not in cooldown: ${changed.reason}` } };
    }
  }

  async function drop(): Promise<Acted> {
    await writer.run('settleClaims', { ids: [request.id], as: 'dropped' });
    return { gateway: 'answered' };
  }

  async function tryAgain(lastError: string): Promise<Acted> {
    await writer.run('postponeClaims', { ids: [request.id], lastError });
    return { gateway: 'answered', line: { level: 'warn', text: `is retried later: ${lastError}` } };
  }

  const acted = await tryLock(gatewayAccounts.lock, [candidate.file], stopping, underLock);
  return acted === 'lock_refused' ? tryAgain(TARGET_PROBLEMS.lock_refused) : acted;
}
