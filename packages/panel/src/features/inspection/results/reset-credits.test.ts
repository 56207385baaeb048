import { expect, test } from 'bun:test';
import { type QuotaSnapshotsQueryResponse, quotaSnapshotsQuerySchema } from '@manager/core/contract/quotas/snapshots';
import { result } from '../../../platform/testing/inspection-results.ts';
import { creditQuestion, creditsOf } from './reset-credits.ts';

test('only accounts that would be disabled for their quota are requested', () => {
  const question = creditQuestion([
    result(1, { action: 'disable', isQuota: true, authIndex: 'x1' }),
    result(2, { action: 'disable', isQuota: false }),
    result(3, { action: 'disable', isQuota: true, provider: 'xai' }),
    result(4, { isQuota: true }),
  ]);
  expect(question.accounts.map(({ row_key }) => row_key)).toEqual(['1']);
  expect(quotaSnapshotsQuerySchema.safeParse(question).error).toBeUndefined();
});

test('windows of an account report the same credits', () => {
  const windows = [{ reset_credits_available: 2 }, {}, { reset_credits_available: 1 }];
  const answer = {
    generated_at_ms: 1,
    items: [
      { row_key: '1', account_key: 'a', provider: 'codex', windows },
      { row_key: '2', account_key: 'b', provider: 'codex', windows: [{ reset_credits_available: 0 }] },
      { row_key: '3', account_key: 'c', provider: 'codex', windows: [] },
    ],
  } as unknown as QuotaSnapshotsQueryResponse;
  expect([...creditsOf(answer)]).toEqual([[1, 2]]);
});
