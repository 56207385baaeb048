import { type CredentialChanges, createCredentialChanges } from './changes.ts';
import type { EndClaims } from './claims.ts';
import { type CredentialClient, type CredentialClientDeps, createCredentialClient } from './client.ts';
import { type AuthFileCoordinator, createAuthFileCoordinator } from './coordinator.ts';
import { createManualChanges, type ManualChangeStore, type ManualChanges } from './manual-changes.ts';
import { type CredentialTargets, createCredentialTargets } from './targets.ts';

/**
 * The credentials of the upstream, for everything that looks at them or changes them. A change: take the lock of the file,
 * look its target up, change it, store what follows, and only then let go of the lock.
 */
export interface Credentials {
  readonly client: CredentialClient;
  readonly lock: AuthFileCoordinator;
  readonly targets: CredentialTargets;
  readonly changes: CredentialChanges;
  /** Before a change that a person decided on. */
  readonly manualChanges: ManualChanges;
  /** Before a change that an automation makes. */
  readonly endClaims: EndClaims;
}

export interface CredentialsDeps extends CredentialClientDeps {
  readonly manualChanges: ManualChangeStore;
  readonly endClaims: EndClaims;
  readonly log: { warn(message: string): void };
}

export function createCredentials(deps: CredentialsDeps): Credentials {
  const client = createCredentialClient(deps);
  const targets = createCredentialTargets(client);
  const lock = createAuthFileCoordinator();
  const manualChanges = createManualChanges({ store: deps.manualChanges, client, lock, log: deps.log });
  return {
    client,
    lock,
    targets,
    changes: createCredentialChanges(client, targets),
    manualChanges,
    async endClaims(ended) {
      await manualChanges.settleOpen({ kind: 'credentials', identities: ended.identities });
      await deps.endClaims(ended);
    },
  };
}
