import type { NamesToMask } from '../format/mask.ts';
import type { Account } from './account.ts';

/** Names of the accounts by auth index, which is the same on every page, in every tab and after every restart. */
export function maskOrder(accounts: readonly Account[]): readonly NamesToMask[] {
  return [...accounts].sort(byAuthIndex).map(({ name, project, listed: account }) => ({
    accounts: [name, account.accountSnapshot, account.label],
    files: [account.name],
    projects: [project, ...account.accountIds],
  }));
}

/** Accounts without an index come last. */
function byAuthIndex({ listed: left }: Account, { listed: right }: Account): number {
  if ((left.authIndex === '') !== (right.authIndex === '')) return left.authIndex === '' ? 1 : -1;
  const [one, other] = [left, right].map(({ authIndex, name, runtimeId }) => [authIndex, name, runtimeId].join('\n'));
  return (one ?? '') < (other ?? '') ? -1 : 1;
}
