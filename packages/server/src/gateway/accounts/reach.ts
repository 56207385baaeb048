import type { Credential } from '@manager/core/accounts/credential';
import { type CredentialIdentity, identityOf } from '@manager/core/accounts/identity';
import type { FileTarget, StatusTarget } from '@manager/core/accounts/status-scope';
import type { CredentialCallOptions } from './client.ts';
import type { CredentialTargets, Target } from './targets.ts';

/** The accounts that a change affects, just looked up under the lock of the file. */
export type Reach =
  | { readonly kind: 'credential'; readonly target: StatusTarget; readonly members: readonly Credential[] }
  | { readonly kind: 'file'; readonly target: FileTarget; readonly members: readonly Credential[] };

/** The one account of an identity. */
export async function reachAccount(
  targets: CredentialTargets,
  identity: CredentialIdentity,
  options: CredentialCallOptions,
): Promise<Target<Reach>> {
  const found = await targets.credential(identity, options);
  if (!found.found) return found;
  return { found: true, target: { kind: 'credential', target: found.target, members: found.target.affected } };
}

/** A file with exactly these accounts. */
export async function reachFile(
  targets: CredentialTargets,
  fileName: string,
  members: readonly Credential[],
  options: CredentialCallOptions,
): Promise<Target<Reach>> {
  const found = await targets.file(fileName, members.map(identityOf), options);
  if (!found.found) return found;
  return { found: true, target: { kind: 'file', target: found.target, members: found.target.members } };
}
