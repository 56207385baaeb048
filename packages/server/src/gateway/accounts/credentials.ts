import { type AccountClaims, createAccountClaims } from '../claims/account-claims.ts';
import type { ClaimStore } from '../claims/store.ts';
import { type CredentialChanges, createCredentialChanges } from './changes.ts';
import { type CredentialClient, type CredentialClientDeps, createCredentialClient } from './client.ts';
import { type AuthFileCoordinator, createAuthFileCoordinator } from './coordinator.ts';
import { type CredentialTargets, createCredentialTargets } from './targets.ts';

/**
 * The accounts of the gateway, for reads and changes. A change: take the lock of the file, look up its target, change it, store
 * the result, and only then release the lock.
 */
export interface Credentials {
  readonly client: CredentialClient;
  readonly lock: AuthFileCoordinator;
  readonly targets: CredentialTargets;
  readonly changes: CredentialChanges;
  readonly claims: AccountClaims;
}

export interface CredentialsDeps extends CredentialClientDeps {
  readonly claims: ClaimStore;
  readonly log: { warn(message: string): void };
}

export function createCredentials(deps: CredentialsDeps): Credentials {
  const client = createCredentialClient(deps);
  const targets = createCredentialTargets(client);
  const lock = createAuthFileCoordinator();
  const changes = createCredentialChanges(client, targets);
  const claims = createAccountClaims({ store: deps.claims, client, lock, targets, changes, log: deps.log });
  return { client, lock, targets, changes, claims };
}
