import { expect, test } from 'bun:test';
import type { EventRow } from '../contract/monitoring/analytics.ts';
import { createMasker } from './mask.ts';
import { maskEvent } from './mask-event.ts';

test('ids of accounts and hashes of tokens are masked like projects and keys', () => {
  const masker = createMasker({ order: [] });
  const [accountId, tokenHash] = ['acct-0123456789abcdef', '0123456789abcdef'.repeat(4)];
  const row = { auth_account_id_snapshot: accountId, access_token_sha256: tokenHash, model: 'gpt-5.4' };
  expect(maskEvent(row as unknown as EventRow, masker)).toEqual({
    auth_account_id_snapshot: masker.project(accountId),
    access_token_sha256: masker.key(tokenHash),
    model: 'gpt-5.4',
  });
  expect(masker.project(accountId)).not.toBe(accountId);
  expect(masker.key(tokenHash)).not.toBe(tokenHash);
});
