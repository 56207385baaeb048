import type { Credential } from '@manager/core/accounts/credential';
import { identityOf } from '@manager/core/accounts/identity';
import type { ValidAction } from '@manager/core/accounts/inspection/action-validation';
import type { FileTarget, StatusTarget } from '@manager/core/accounts/status-scope';
import type { CredentialCallOptions } from '../../../gateway/accounts/client.ts';
import type { CredentialTargets, Target } from '../../../gateway/accounts/targets.ts';

/** What a change reaches, looked up a moment ago under the lock of the file. */
export type Reach =
  | { readonly kind: 'credential'; readonly target: StatusTarget; readonly members: readonly Credential[] }
  | { readonly kind: 'file'; readonly target: FileTarget; readonly members: readonly Credential[] };

/** Finds the credentials that were validated again: the very same ones, and for a file all of them. */
export async function lookUp(
  targets: CredentialTargets,
  { target, credential, members }: Pick<ValidAction<unknown>, 'target' | 'credential' | 'members'>,
  options: CredentialCallOptions,
): Promise<Target<Reach>> {
  if (target === 'credential') {
    const found = await targets.credential(identityOf(credential), options);
    if (!found.found) return found;
    return { found: true, target: { kind: 'credential', target: found.target, members: found.target.affected } };
  }
  const found = await targets.file(credential.name, members.map(identityOf), options);
  if (!found.found) return found;
  return { found: true, target: { kind: 'file', target: found.target, members: found.target.members } };
}
