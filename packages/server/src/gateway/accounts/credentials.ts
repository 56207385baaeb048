import { type CredentialChanges, createCredentialChanges } from './changes.ts';
import type { EndClaims } from './claims.ts';
import { type CredentialClient, type CredentialClientDeps, createCredentialClient } from './client.ts';
import { type AuthFileCoordinator, createAuthFileCoordinator } from './coordinator.ts';
import type { ManualChanges } from './manual-changes.ts';
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
  readonly manualChanges: ManualChanges;
  readonly endClaims: EndClaims;
}

export function createCredentials(deps: CredentialsDeps): Credentials {
  const client = createCredentialClient(deps);
  const targets = createCredentialTargets(client);
  return {
    client,
    lock: createAuthFileCoordinator(),
    targets,
    changes: createCredentialChanges(client, targets),
    manualChanges: deps.manualChanges,
    endClaims: deps.endClaims,
  };
}
