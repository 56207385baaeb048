import { expect, test } from 'bun:test';
import { accountsOf } from '../../../platform/accounts/testing/accounts.ts';
import { ApiError } from '../../../platform/api/errors.ts';
import { type Command, type Outcome, reachedBy, runBatch } from './batch.ts';
import { fileScopes, sameScopes } from './file-scope.ts';
import { restorable, settled } from './settle.ts';

const answer = (status: number) => new ApiError('status', 'the reason', { path: '/', atMs: 1, status });

test('one that fails does not stop the rest, and each has its own ending', async () => {
  const accounts = accountsOf({}, {}, {}, {}, {}, {});
  const broken = new ApiError('network', 'gone', { path: '/', atMs: 1 });
  const errors = [null, answer(409), answer(404), answer(500), answer(502), broken];
  const outcomes: Outcome[] = [];
  await runBatch(
    accounts,
    async (account) => {
      const error = errors[accounts.indexOf(account)];
      if (error) throw error;
      return { kind: 'done' };
    },
    (outcome) => outcomes.push(outcome),
  );
  expect(outcomes.map(({ ending }) => ending.kind)).toEqual(['done', 'changed', 'gone', 'failed', 'lost', 'lost']);
});

test('a lost answer is decided by the list where it shows the change, and called unchanged only where a file is still there', () => {
  const before = accountsOf({}, { name: 'gone.json', id: 'gone.json' });
  const lost = before.map((account): Outcome => ({ account, ending: { kind: 'lost', late: false } }));
  const kinds = (command: Command, after: Parameters<typeof settled>[2]) =>
    settled(command, lost, after).map(({ ending }) => ending.kind);
  const off = accountsOf({ disabled: true, priority: 7, weight: 3, websockets: true });
  expect(kinds({ kind: 'disable' }, off)).toEqual(['done', 'lost']);
  expect(kinds({ kind: 'enable' }, off)).toEqual(['lost', 'lost']);
  expect(kinds({ kind: 'priority', value: 7 }, off)).toEqual(['done', 'lost']);
  expect(kinds({ kind: 'weight', value: null }, off)).toEqual(['lost', 'lost']);
  expect(kinds({ kind: 'websockets', value: true }, off)).toEqual(['done', 'lost']);
  expect(kinds({ kind: 'resetLimits' }, off)).toEqual(['lost', 'lost']);
  expect(kinds({ kind: 'delete', files: new Map() }, off)).toEqual(['notDeleted', 'done']);
  const late = before.map((account): Outcome => ({ account, ending: { kind: 'lost', late: true } }));
  const deletion: Command = { kind: 'delete', files: new Map() };
  expect(settled(deletion, late, off).map(({ ending }) => ending.kind)).toEqual(['lost', 'done']);
  expect(kinds({ kind: 'disable' }, null)).toEqual(['lost', 'lost']);
});

test('deleted files whose content is known can be put back, others not', () => {
  const accounts = accountsOf({}, {}, { name: 'unread.json', id: 'unread.json' });
  const kinds = ['done', 'gone', 'done'] as const;
  const outcomes = accounts.map((account, index): Outcome => ({ account, ending: { kind: kinds[index] ?? 'done' } }));
  const contents = new Map([
    ['codex-0.json', '{"a":1}'],
    ['codex-1.json', '{}'],
  ]);
  const back = (command: Command) => [...restorable(command, outcomes, contents)];
  expect(back({ kind: 'delete', files: new Map() })).toEqual([['codex-0.json', '{"a":1}']]);
  expect(back({ kind: 'disable' })).toEqual([]);
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
  // What has no file has no fields.
  expect(reached('websockets')).toBe('023');
  expect(reached('priority')).toBe('0123');
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
