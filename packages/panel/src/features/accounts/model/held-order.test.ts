import { expect, test } from 'bun:test';
import { createAccountRows } from '../../../platform/accounts/rows.ts';
import { accountsOf, NO_SOURCES, NOW } from '../../../platform/accounts/testing/accounts.ts';
import { readAccountsSearch } from '../accounts-search.ts';
import { inHeldOrder } from './held-order.ts';
import { accountList } from './list.ts';

const rowsOf = (...entries: readonly Readonly<Record<string, unknown>>[]) =>
  createAccountRows()(accountsOf(...entries), NO_SOURCES, NOW);
const names = (rows: ReturnType<typeof rowsOf>) => rows.map(({ account }) => account.name.charAt(0)).join('');
const a = { email: 'a@example.test' };
const b = { email: 'b@example.test' };
const c = { email: 'c@example.test' };

test('a row that was switched keeps its place, in an order and under a filter that it has left', () => {
  const keys = rowsOf(a, b, c).map(({ account }) => account.key);
  const all = rowsOf({ ...a, disabled: true }, b, c);
  for (const search of [{}, { status: ['unconfirmed'] }]) {
    const { rows } = accountList(all, readAccountsSearch(search));
    expect(names(rows)).not.toStartWith('a');
    const held = inHeldOrder(keys, rows, all);
    expect(names(held)).toBe('abc');
    expect(held[0]?.availability.state).toBe('disabled');
  }
});

test('rows that are gone leave, and new ones come last', () => {
  const keys = rowsOf(a, b).map(({ account }) => account.key);
  const all = rowsOf(a, b, c).slice(1);
  expect(names(inHeldOrder(keys, all.toReversed(), all))).toBe('bc');
});
