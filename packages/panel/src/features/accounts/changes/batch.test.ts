import { expect, test } from 'bun:test';
import { accountsOf } from '../../../platform/accounts/testing/accounts.ts';
import { ApiError } from '../../../platform/api/errors.ts';
import { type Outcome, reachedBy, runBatch } from './batch.ts';
import { fileScopes, sameScopes } from './file-scope.ts';

const answer = (status: number) => new ApiError('status', 'the reason', { path: '/', atMs: 1, status });

test('one that fails does not stop the rest, and each has its own ending', async () => {
  const accounts = accountsOf({}, {}, {}, {});
  const errors = [null, answer(409), answer(404), answer(500)];
  const outcomes: Outcome[] = [];
  await runBatch(
    accounts,
    async (account) => {
      const error = errors[accounts.indexOf(account)];
      if (error) throw error;
    },
    (outcome) => outcomes.push(outcome),
  );
  expect(outcomes.map(({ ending }) => ending.kind)).toEqual(['done', 'changed', 'gone', 'failed']);
});

test('a command reaches only what it can change', () => {
  const accounts = accountsOf(
    { disabled: true },
    { provider: 'claude' },
    { name: 'f.json', id: 'f.json' },
    { name: 'f.json', id: 'f.json#2' },
    { runtime_only: true },
  );
  const reached = (command: Parameters<typeof reachedBy>[0]) =>
    reachedBy(command, accounts)
      .map(({ key }) => key.slice(-1))
      .join('');
  expect(reached('enable')).toBe('0');
  // The row of a plugin cannot be disabled alone.
  expect(reached('disable')).toBe('124');
  expect(reached('websockets')).toBe('0234');
  // One for each file.
  expect(reached('delete')).toBe('012');
});

test('what is deleted with a file is all it holds, and a change of that is seen', () => {
  const before = accountsOf({ name: 'f.json', id: 'r1' }, { name: 'f.json', id: 'r2' }, {});
  const chosen = before.slice(0, 1);
  const scopes = fileScopes(before, chosen);
  expect(scopes.map(({ file, members, chosen: count }) => [file, members.length, count])).toEqual([['f.json', 2, 1]]);
  expect(sameScopes(scopes, fileScopes(before, chosen))).toBe(true);
  const grown = accountsOf({ name: 'f.json', id: 'r1' }, { name: 'f.json', id: 'r2' }, { name: 'f.json', id: 'r3' });
  expect(sameScopes(scopes, fileScopes(grown, chosen))).toBe(false);
  expect(fileScopes(accountsOf({}), chosen)).toEqual([]);
});
