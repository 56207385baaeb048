import { cooldownIdentity, endRefusal } from '@manager/core/accounts/cooldown/row';
import type { Claim } from '../../gateway/claims/claim.ts';
import type { Acted } from '../../gateway/claims/claim-worker.ts';
import { endClaim } from '../../gateway/claims/end-claim.ts';
import { cooldownOf } from './claim.ts';
import type { CooldownDeps } from './deps.ts';

/** Ends a due cooldown. */
export function endCooldown(deps: CooldownDeps, due: Claim, stopping: AbortSignal): Promise<Acted> {
  const ending = {
    due,
    identityOf: (claim: Claim) => cooldownIdentity(cooldownOf(claim)),
    refusal: (claim: Claim) => endRefusal(cooldownOf(claim)),
    because: '',
  };
  return endClaim(deps, ending, stopping);
}
