import { expect, test } from 'bun:test';
import { accountsOf } from '../../platform/accounts/testing/accounts.ts';
import { createMasker } from '../../platform/format/mask.ts';
import { accountItems } from './palette-source.ts';

test('accounts lead to their place on the page, found by names that are neither shown nor in the address', () => {
  const [item] = accountItems(accountsOf({ email: 'operator@example.test' }), createMasker());
  expect(item?.label).toBe('ope***@example.test');
  expect(item?.words).toContain('operator@example.test');
  expect(item?.open).toEqual({ to: '/accounts', search: { account: ['index-0'] } });
});
