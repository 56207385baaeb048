import type { AccountRow } from '../../../platform/accounts/rows.ts';

/**
 * Rows with current data at the positions where they were drawn. `keys` are those of the drawn rows, `rows` the ones that match
 * the filters now, in current order, with new ones last; `all` = all accounts: a drawn row that no longer matches stays too.
 */
export function inHeldOrder(
  keys: readonly string[],
  rows: readonly AccountRow[],
  all: readonly AccountRow[],
): readonly AccountRow[] {
  const byKey = new Map(all.map((row) => [row.account.key, row]));
  const drawn = new Set(keys);
  return [...keys.flatMap((key) => byKey.get(key) ?? []), ...rows.filter(({ account }) => !drawn.has(account.key))];
}
