import type { AccountChanges } from '../accounts/changes.ts';
import type { AccountClient } from '../accounts/client.ts';
import type { AuthFileCoordinator } from '../accounts/coordinator.ts';
import type { AccountTargets } from '../accounts/targets.ts';
import { createOwnedChanges, type OwnedChanges } from './change-account.ts';
import type { Settled } from './claim.ts';
import { createManualChanges, type ManualChanges } from './manual-changes.ts';
import type { ClaimOwner } from './owner.ts';
import { createClaimSettlement } from './settle-claims.ts';
import type { ClaimStore } from './store.ts';

/** Which automation disabled which account, and all changes that depend on it. */
export interface AccountClaims {
  readonly store: ClaimStore;
  readonly manual: ManualChanges;
  /** Registers an automation; its kind is known from now on. */
  register(owner: ClaimOwner): OwnedChanges;
  /** Settles open changes that no work is active on. */
  settleAll(signal: AbortSignal): Promise<Settled>;
}

export interface AccountClaimsDeps {
  readonly store: ClaimStore;
  readonly client: AccountClient;
  readonly lock: AuthFileCoordinator;
  readonly targets: AccountTargets;
  readonly changes: AccountChanges;
  readonly log: { warn(message: string): void };
}

export function createAccountClaims(deps: AccountClaimsDeps): AccountClaims {
  const owners = new Map<string, ClaimOwner>();
  const manual = createManualChanges(deps);
  const settlement = createClaimSettlement({ ...deps, owners });
  return {
    store: deps.store,
    manual,
    register(owner) {
      owners.set(owner.kind, owner);
      return createOwnedChanges({
        ...deps,
        owner,
        settleOpen: async (scope) => (await manual.settleOpen(scope)) && (await settlement.settleOpen(scope)),
      });
    },
    async settleAll(signal) {
      // First, because open claims may be restored.
      const changes = await manual.settleAll(signal);
      const open = await settlement.settleAll(signal);
      return { found: changes.found + open.found, left: changes.left + open.left };
    },
  };
}
