import { type AccountClaims, createAccountClaims } from '../claims/account-claims.ts';
import type { ClaimStore } from '../claims/store.ts';
import { type AccountChanges, createAccountChanges } from './changes.ts';
import { type AccountClient, type AccountClientDeps, createAccountClient } from './client.ts';
import { type AuthFileCoordinator, createAuthFileCoordinator } from './coordinator.ts';
import { type AccountTargets, createAccountTargets } from './targets.ts';

/**
 * The accounts of the gateway, for reads and changes. A change: take the lock of the file, look up its target, change it, store
 * the result, and only then release the lock.
 */
export interface GatewayAccounts {
  readonly client: AccountClient;
  readonly lock: AuthFileCoordinator;
  readonly targets: AccountTargets;
  readonly changes: AccountChanges;
  readonly claims: AccountClaims;
}

export interface GatewayAccountsDeps extends AccountClientDeps {
  readonly claims: ClaimStore;
  readonly log: { warn(message: string): void };
}

export function createGatewayAccounts(deps: GatewayAccountsDeps): GatewayAccounts {
  const client = createAccountClient(deps);
  const targets = createAccountTargets(client);
  const lock = createAuthFileCoordinator();
  const changes = createAccountChanges(client, targets);
  const claims = createAccountClaims({ store: deps.claims, client, lock, targets, changes, log: deps.log });
  return { client, lock, targets, changes, claims };
}
