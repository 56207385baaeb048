import { expect, test } from 'bun:test';
import type { Budget } from '@manager/core/contract/budgets';
import { changedBudgets } from './budgets.ts';

const budget = (name: string, usd: number): Budget => ({ scope: 'model', name, usd, timeZone: 'UTC' });
const [a, b] = [budget('a', 1), budget('b', 2)];

test.each([
  ['added at the end', null, budget('c', 3), [a, b, budget('c', 3)]],
  ['changed in its place', a, budget('a', 9), [budget('a', 9), b]],
  ['renamed in its place', a, budget('c', 9), [budget('c', 9), b]],
  ['removed', a, null, [b]],
  ['one for each name, when renamed', a, budget('b', 9), [budget('b', 9)]],
  ['one for each name, when added', null, budget('a', 9), [b, budget('a', 9)]],
  ['kept when what is changed is gone', budget('gone', 1), budget('gone', 5), [a, b, budget('gone', 5)]],
  ['kept when what is removed is gone', budget('gone', 1), null, [a, b]],
])('a budget is %s', (_, before, after, expected) => {
  expect(changedBudgets([a, b], { before, after })).toEqual(expected);
});
