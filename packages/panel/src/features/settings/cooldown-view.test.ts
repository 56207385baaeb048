import { expect, test } from 'bun:test';
import type { QuotaCooldown } from '@manager/core/contract/cooldowns';
import { isEstimated, windowOf } from './cooldown-view.ts';

const row: QuotaCooldown = {
  authFileName: 'a.json',
  authIndex: '',
  provider: 'xai',
  owner: 'manager_xai_free_usage',
  reasonCode: 'xai_free_usage_exhausted',
  windowKind: 'rolling_24h',
  recoverAtMs: 2_000,
  disabledAtMs: 1_000,
  createdAtMs: 1_000,
};

test('windows that are known have words', () => {
  expect([windowOf(row), windowOf({ ...row, windowKind: 'lunar' })]).toEqual(['cooldown.rolling', null]);
});

test('a time that no answer stated is an estimate', () => {
  expect(isEstimated(row)).toBe(false);
  const evidence = { provider: 'xai', kind: 'included_free_usage', state: 'exhausted', code: 'x' } as const;
  expect(isEstimated({ ...row, evidence: { ...evidence, recover_at_estimated: true } })).toBe(true);
});
