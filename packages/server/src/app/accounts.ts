import type { CredentialClientDeps } from '../credentials/client.ts';
import { type Credentials, createCredentials } from '../credentials/credentials.ts';

export type AccountsDeps = CredentialClientDeps;

export interface Accounts {
  readonly credentials: Credentials;
}

/** Everything that looks after the credentials of the upstream; a part of the composition root. */
export function createAccounts(deps: AccountsDeps): Accounts {
  const credentials = createCredentials(deps);
  return { credentials };
}
