import { expect, test } from 'bun:test';
import { historyOf, rowOf } from '../../../platform/accounts/testing/accounts.ts';
import { offersOf } from './offers.ts';

test('a refused sign-in offers a new one first, and the failures that show it', () => {
  const row = rowOf({ history: new Map([['index-0', historyOf(401)]]) });
  expect(offersOf(row, true)).toEqual(['signIn', 'failures', 'refresh', 'config', 'switch']);
});

test('only what is possible is offered', () => {
  const row = rowOf(
    { history: new Map([['h:1', historyOf(503, 503)]]) },
    { id: 'codex-0.json', name: 'codex-0.json', disabled: true },
  );
  expect(row.availability.state).toBe('disabled');
  expect(offersOf(row, false)).toEqual(['switch']);
  expect(offersOf(rowOf({ history: new Map([['index-0', historyOf(0)]]) }), true)).toEqual([]);
});
