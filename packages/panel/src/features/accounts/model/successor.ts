import type { Account } from '../../../platform/accounts/account.ts';

/** The one account that a vanished one most likely became: the same file with a new index, or the same account in a new file. */
export function successorOf(before: Account, accounts: readonly Account[]): Account | null {
  const { listed: account } = before;
  const ofProvider = accounts.filter((one) => one.listed.provider === account.provider);
  const sameRow = ofProvider.filter(
    (one) =>
      one.listed.runtimeId !== '' &&
      one.listed.runtimeId === account.runtimeId &&
      one.listed.name === account.name &&
      isSamePerson(one, before) !== false,
  );
  if (sameRow.length > 0) return only(sameRow);
  return only(ofProvider.filter((one) => isSamePerson(one, before) === true));
}

function only(list: readonly Account[]): Account | null {
  return list.length === 1 ? (list[0] ?? null) : null;
}

/** null = neither has an identity. */
function isSamePerson({ listed: left }: Account, { listed: right }: Account): boolean | null {
  if (left.accountIds.length > 0 && right.accountIds.length > 0)
    return left.accountIds.some((id) => right.accountIds.includes(id));
  if (left.accountSnapshot === '' || right.accountSnapshot === '') return null;
  return left.accountSnapshot === right.accountSnapshot;
}
