import type { AccountRow } from '../../../platform/accounts/rows.ts';

/**
 * Rows in the places that they were drawn in, with what is known of them now.
 *
 * @param keys of the rows as drawn
 * @param rows those that pass the filters now, in the order of now; the ones that were not drawn come last
 * @param all of the accounts: a row that no longer passes stays as well
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
