import { createHash } from 'node:crypto';
import { accountSnapshots, clientKeys, trafficAccounts } from '../traffic.ts';

/** The models, accounts and keys the pages name in their requests. */
export interface Subjects {
  /** Most used first. */
  readonly keyHashes: readonly string[];
  /** Most used first. */
  readonly credentialIds: readonly string[];
  /** Identities of the accounts page. */
  readonly targets: readonly AccountTarget[];
}

interface AccountTarget {
  readonly auth_file_snapshot: string;
  readonly auth_index: string;
  readonly auth_provider_snapshot: string;
  readonly account_snapshot: string;
}

/** Those of the generated traffic. */
export function trafficSubjects(accounts?: number): Subjects {
  const { byAuthIndex } = accountSnapshots(trafficAccounts(accounts), 0);
  const targets = Object.entries(byAuthIndex).map(([auth_index, { account, file, provider }]) => ({
    auth_file_snapshot: file,
    auth_index,
    auth_provider_snapshot: provider,
    account_snapshot: account,
  }));
  return {
    keyHashes: clientKeys().map((key) => createHash('sha256').update(key).digest('hex')),
    credentialIds: targets.map(({ auth_file_snapshot }) => auth_file_snapshot),
    targets,
  };
}
