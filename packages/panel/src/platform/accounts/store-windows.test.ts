import { expect, test } from 'bun:test';
import type { SnapshotEntryRequest } from '@manager/core/contract/quotas/snapshots';
import { accountQuota } from './quota.ts';
import { withEntry } from './store-windows.ts';
import { NOW } from './testing/accounts.ts';

const entry = (
  inventory_mode: 'complete' | 'partial',
  ...windows: NonNullable<SnapshotEntryRequest['windows']>
): SnapshotEntryRequest => ({
  row_key: 'one',
  provider: 'codex',
  account: {},
  observation: { source: 'api_query', observed_at_ms: NOW, inventory_mode },
  windows,
});
const window = (provider_window_id: string, used_percent: number) => ({
  provider_window_id,
  used_percent,
  model_scope_kind: 'all' as const,
  window_kind: null,
});
const leftOf = (kept: ReturnType<typeof withEntry>) =>
  accountQuota('codex', kept.get('one') ?? [], NOW).bars.map(({ key, left }) => [key.split(':')[0], left]);

test('windows that no manager stores stay in the page: complete ones replace all, partial ones those they name', () => {
  const first = withEntry(new Map(), entry('complete', window('five-hour', 20), window('weekly', 60)));
  expect(leftOf(first)).toEqual([
    ['five-hour', 80],
    ['weekly', 40],
  ]);
  const second = withEntry(first, entry('partial', window('weekly', 70)));
  expect(leftOf(second)).toEqual([
    ['five-hour', 80],
    ['weekly', 30],
  ]);
  expect(leftOf(withEntry(second, entry('complete', window('weekly', 75))))).toEqual([['weekly', 25]]);
  expect(accountQuota('codex', second.get('one') ?? [], NOW).askedAtMs).toBe(NOW);
});
