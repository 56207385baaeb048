import { expect, test } from 'bun:test';
import { accountName, accountToken, isAccountToken, rememberAccounts } from './account-names.ts';

test('an e-mail address is in the address bar as a token only', () => {
  const token = accountToken('ops@example.com');
  expect(isAccountToken(token)).toBe(true);
  expect(token).not.toContain('ops');
  expect(accountName(token)).toBeUndefined();
  rememberAccounts(['ops@example.com']);
  expect(accountName(token)).toBe('ops@example.com');
});

test('other names stay readable', () => {
  expect(accountToken('team-a')).toBe('team-a');
  expect(accountName('team-a')).toBe('team-a');
});
