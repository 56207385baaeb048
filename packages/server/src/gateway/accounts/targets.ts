import type { AccountIdentity } from '@manager/core/accounts/identity';
import type { ListedAccount } from '@manager/core/accounts/listed-account';
import {
  type FileTarget,
  type Resolved,
  resolveFileTarget,
  resolveSingleDelete,
  resolveStatusTarget,
  type StatusTarget,
} from '@manager/core/accounts/status-scope';
import type { TargetProblem } from '@manager/core/accounts/target-state';
import { GatewayError } from '../errors.ts';
import type { AccountCallOptions, AccountClient } from './client.ts';

/** A target that was just looked up, or why there is none. */
export type Target<T> =
  | { readonly found: true; readonly target: T }
  | { readonly found: false; readonly problem: TargetProblem };

/**
 * Fresh look-ups of what a change would affect. Hold the lock of the file from here until the result is stored.
 *
 * @throws AppError `usage_service_not_configured`; every failure of the gateway is the problem `unavailable`
 */
export interface AccountTargets {
  /** One account that can be changed alone: a source row of several is ambiguous. */
  credential(identity: AccountIdentity, options?: AccountCallOptions): Promise<Target<StatusTarget>>;
  /** A file with exactly the expected accounts. */
  file(
    fileName: string,
    expected: readonly AccountIdentity[],
    options?: AccountCallOptions,
  ): Promise<Target<FileTarget>>;
  /** A file that holds only that account. */
  onlyCredential(identity: AccountIdentity, options?: AccountCallOptions): Promise<Target<FileTarget>>;
}

export function createAccountTargets(client: Pick<AccountClient, 'find'>): AccountTargets {
  async function resolve<T>(
    fileName: string,
    options: AccountCallOptions,
    rule: (entries: readonly ListedAccount[]) => Resolved<T>,
  ): Promise<Target<T>> {
    let entries: readonly ListedAccount[];
    try {
      entries = await client.find(fileName, options);
    } catch (error) {
      if (error instanceof GatewayError) return { found: false, problem: 'unavailable' };
      throw error;
    }
    const resolved = rule(entries);
    return resolved.found ? resolved : { found: false, problem: resolved.refusal };
  }

  return {
    async credential(identity, options = {}) {
      const { authFileName: selector, authIndex } = identity;
      const result = await resolve(selector, options, (entries) =>
        resolveStatusTarget(entries, { selector, authIndex, identity }),
      );
      if (result.found && result.target.scope === 'source-file') return { found: false, problem: 'ambiguous' };
      return result;
    },
    file: (fileName, expected, options = {}) =>
      resolve(fileName, options, (entries) => resolveFileTarget(entries, fileName, expected)),
    onlyCredential: (identity, options = {}) =>
      resolve(identity.authFileName, options, (entries) => resolveSingleDelete(entries, identity)),
  };
}
