import { type AccountIdentity, identityOf } from '@manager/core/accounts/identity';
import type { ListedAccount } from '@manager/core/accounts/listed-account';
import type { FileTarget, StatusTarget } from '@manager/core/accounts/status-scope';
import type { AccountCallOptions } from './client.ts';
import type { AccountTargets, Target } from './targets.ts';

/** The accounts that a change affects, just looked up under the lock of the file. */
export type Reach =
  | { readonly kind: 'credential'; readonly target: StatusTarget; readonly members: readonly ListedAccount[] }
  | { readonly kind: 'file'; readonly target: FileTarget; readonly members: readonly ListedAccount[] };

/** The one account of an identity. */
export async function reachAccount(
  targets: AccountTargets,
  identity: AccountIdentity,
  options: AccountCallOptions,
): Promise<Target<Reach>> {
  const found = await targets.credential(identity, options);
  if (!found.found) return found;
  return { found: true, target: { kind: 'credential', target: found.target, members: found.target.affected } };
}

/** A file with exactly these accounts. */
export async function reachFile(
  targets: AccountTargets,
  fileName: string,
  members: readonly ListedAccount[],
  options: AccountCallOptions,
): Promise<Target<Reach>> {
  const found = await targets.file(fileName, members.map(identityOf), options);
  if (!found.found) return found;
  return { found: true, target: { kind: 'file', target: found.target, members: found.target.members } };
}
