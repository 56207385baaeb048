import { sha256Hex } from '../../packages/server/src/platform/sha256.ts';
import { accountSnapshots, benchAccounts, clientKeys } from '../dataset/events.ts';

/** What the pages name in their calls. */
export interface Subjects {
  /** Largest first. */
  readonly keyHashes: readonly string[];
  /** Largest first. */
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
export function benchSubjects(): Subjects {
  const { byAuthIndex } = accountSnapshots(benchAccounts(), 0);
  const targets = Object.entries(byAuthIndex).map(([auth_index, { account, file, provider }]) => ({
    auth_file_snapshot: file,
    auth_index,
    auth_provider_snapshot: provider,
    account_snapshot: account,
  }));
  return {
    keyHashes: clientKeys().map((key) => sha256Hex(key)),
    credentialIds: targets.map(({ auth_file_snapshot }) => auth_file_snapshot),
    targets,
  };
}
