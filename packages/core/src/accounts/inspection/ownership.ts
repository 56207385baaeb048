import { type AccountRecord, matchesAccountRecord } from '../identity.ts';
import { hasState, type ListedAccount } from '../listed-account.ts';

export interface OwnershipMatch<Row> {
  readonly owned: ReadonlySet<ListedAccount>;
  /** Records that no longer apply. They must be deleted: otherwise they could match a later manual change. */
  readonly stale: readonly Row[];
}

/**
 * Which listed accounts an inspection disabled.
 *
 * @param live all accounts, not only those of inspected providers
 */
export function matchOwnership<Row extends AccountRecord>(
  rows: readonly Row[],
  live: readonly ListedAccount[],
): OwnershipMatch<Row> {
  const owned = new Set<ListedAccount>();
  const stale: Row[] = [];
  for (const row of rows) {
    const matching = live.filter((account) => matchesAccountRecord(account, row));
    const [only] = matching;
    if (only !== undefined && matching.length === 1 && hasState(only, true)) owned.add(only);
    else stale.push(row);
  }
  return { owned, stale };
}
