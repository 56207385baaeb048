import { directSnapshot } from '@manager/core/accounts/identity';
import type { ListedAccount } from '@manager/core/accounts/listed-account';
import { isConfirmedMutation } from '@manager/core/accounts/mutation-answer';
import { sameProvider } from '@manager/core/accounts/provider';
import type { AccountCallOptions, AccountClient } from './client.ts';

/** A confirmed change and its intended accounts. */
interface Made {
  readonly fileName: string;
  /** As they were looked up before. */
  readonly members: readonly ListedAccount[];
  readonly selector: string;
  readonly disabled: boolean;
}

/** `spared`: a different account was changed and has its old state again. `reached`: it may not have. */
export type Replaced = 'no' | 'spared' | 'reached';

/**
 * After a change: whether somebody put a different account into the file between the look-up and the change. That account gets
 * its old state back, if the list shows that state: nothing that the operator has disabled may be enabled here. A failed
 * look-up finds nothing.
 */
export async function restoreReplaced(
  client: Pick<AccountClient, 'find' | 'patchStatus'>,
  made: Made,
  options: AccountCallOptions,
): Promise<Replaced> {
  const others = await othersReached(client, made, options);
  if (others.length === 0) return 'no';
  let isSpared = true;
  for (const { runtimeId: selector, authIndex, ...other } of others) {
    const wasDisabled = stateBefore(other);
    if (wasDisabled === null || wasDisabled === made.disabled) {
      isSpared = false;
      continue;
    }
    try {
      const answer = await client.patchStatus({ selector, authIndex, disabled: wasDisabled }, options);
      isSpared &&= isConfirmedMutation(answer);
    } catch {
      isSpared = false;
    }
  }
  return isSpared ? 'spared' : 'reached';
}

/**
 * Whether it was disabled a moment ago: the gateway's status word follows a change with a delay. A word that matches the change
 * may come from it. null = unknown.
 */
function stateBefore({ status, state }: Pick<ListedAccount, 'status' | 'state'>): boolean | null {
  const word = (status || state).trim().toLowerCase();
  return word === '' ? null : word === 'disabled' || word === 'inactive';
}

async function othersReached(
  client: Pick<AccountClient, 'find'>,
  { fileName, members, selector }: Made,
  options: AccountCallOptions,
): Promise<readonly ListedAccount[]> {
  try {
    const live = await client.find(fileName, options);
    return live.filter(
      (entry) =>
        entry.name === fileName &&
        (selector === fileName || selector === entry.runtimeId) &&
        members.every((member) => isAnother(entry, member)),
    );
  } catch {
    return [];
  }
}

/** A member that both have differs. A member that is missing in a list proves nothing: it may be in the next one. */
function isAnother(entry: ListedAccount, member: ListedAccount): boolean {
  if (entry.provider !== '' && member.provider !== '' && !sameProvider(entry.provider, member.provider)) return true;
  if (differ(entry.authIndex, member.authIndex)) return true;
  // A display name may change, an id does not.
  if (entry.accountIds.length > 0 && member.accountIds.length > 0) {
    return !entry.accountIds.some((id) => member.accountIds.includes(id));
  }
  return differ(snapshotOf(entry), snapshotOf(member));
}

function differ(one: string, other: string): boolean {
  return one !== '' && other !== '' && one !== other;
}

function snapshotOf({ accountSnapshot, name }: ListedAccount): string {
  return directSnapshot(accountSnapshot, name);
}
