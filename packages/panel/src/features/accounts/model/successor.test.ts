import { expect, test } from 'bun:test';
import { account, accountsOf } from '../../../platform/accounts/testing/accounts.ts';
import { successorOf } from './successor.ts';

const before = account();

test('a row that got another index is the same account', () => {
  expect(successorOf(before, accountsOf({ auth_index: 'new' }))?.key).toBe('new');
});

test('an account that moved to another file is found by its name', () => {
  const [, moved] = accountsOf(
    { email: 'other@example.test' },
    { name: 'new.json', id: 'new.json', email: 'user-0@example.test' },
  );
  expect(
    successorOf(
      before,
      accountsOf(
        { name: 'x.json', id: 'x.json', email: 'a@b.test' },
        { name: 'new.json', id: 'new.json', email: 'user-0@example.test' },
      ),
    )?.key,
  ).toBe(moved?.key ?? '');
});

test('another account in the same file, or one of several, is not', () => {
  expect(successorOf(before, accountsOf({ auth_index: 'new', email: 'other@example.test' }))).toBeNull();
  const twice = accountsOf(
    { name: 'a.json', id: 'a', email: 'user-0@example.test' },
    { name: 'b.json', id: 'b', email: 'user-0@example.test' },
  );
  expect(successorOf(before, twice)).toBeNull();
});
