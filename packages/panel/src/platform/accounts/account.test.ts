import { expect, test } from 'bun:test';
import { membersOf, readAccounts } from './account.ts';
import { accountsOf } from './testing/accounts.ts';

test('an account is known by its index, or by a token of its names that reveals nothing', () => {
  const [first] = accountsOf({});
  expect(first?.key).toBe('index-0');
  const [without] = accountsOf({ auth_index: '' });
  expect(without?.key).toMatch(/^h:[0-9a-f]{16}$/);
  const twice = accountsOf({ auth_index: 'same' }, { auth_index: 'same' });
  expect(new Set(twice.map(({ key }) => key)).size).toBe(2);
});

test('the same row twice is one account', () => {
  expect(
    readAccounts([
      { name: 'a.json', id: 'a.json' },
      { name: 'a.json', id: 'a.json' },
    ]),
  ).toHaveLength(1);
});

test('a file with several accounts shows what a switch affects', () => {
  const shared = accountsOf({ name: 'f.json', id: 'r1' }, { name: 'f.json', id: 'r2' });
  expect(shared.map(({ fileSize, switchScope }) => [fileSize, switchScope])).toEqual([
    [2, 'credential'],
    [2, 'credential'],
  ]);
  const source = accountsOf({ name: 'f.json', id: 'f.json' }, { name: 'f.json', id: 'f.json#2' });
  expect(source.map(({ switchScope }) => switchScope)).toEqual(['source-file', null]);
  expect(membersOf(source, 'f.json')).toHaveLength(2);
});

test('members are read in every spelling that gateways use', () => {
  const [one] = accountsOf({
    note: ' holidays ',
    priority: 3,
    next_retry_after: '2026-09-01T00:00:00Z',
    runtime_only: true,
    id_token: { chatgpt_subscription_active_until: 1_788_000_000 },
  });
  expect(one).toMatchObject({
    note: 'holidays',
    priority: 3,
    weight: null,
    runtimeOnly: true,
    nextRetryMs: Date.UTC(2026, 8, 1),
    subscriptionUntilMs: 1_788_000_000_000,
  });
  expect(one?.haystack).toContain('user-0@example.test');
});
