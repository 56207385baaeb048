import { describe, expect, test } from 'bun:test';
import type { AccountStats } from '@manager/core/contract/monitoring-sections';
import { createMasker, PLAIN } from '../../ui/mask.ts';
import { accountItems, requestItems } from './palette-sources.ts';

const targets = (text: string) => requestItems(text, 'open', 'find').map((item) => item.open);

describe('what is typed into the palette', () => {
  test('is the hash of an event', () => {
    const hash = 'Ab'.repeat(32);
    expect(targets(hash)).toEqual([{ to: '/monitoring/event/$eventHash', params: { eventHash: hash.toLowerCase() } }]);
  });

  test('is a request or trace id, searched in the whole history', () => {
    expect(targets('req-1234')).toEqual([{ to: '/monitoring', search: { range: ['all'], search: ['req-1234'] } }]);
  });

  test.each(['model', 'req-1', 'two words 12', 'ops99@example.com', `sk-${'a1'.repeat(20)}`])('%p is no id', (text) => {
    expect(targets(text)).toEqual([]);
  });
});

describe('accounts of the palette', () => {
  const row = (id: string, change: Partial<AccountStats>): AccountStats => ({
    id,
    calls: 0,
    success_calls: 0,
    failure_calls: 0,
    success_rate: 1,
    input_tokens: 0,
    output_tokens: 0,
    cached_tokens: 0,
    cache_read_tokens: 0,
    cache_creation_tokens: 0,
    total_tokens: 0,
    cost: 0,
    average_latency_ms: null,
    last_seen_ms: 0,
    ...change,
  });
  const options = {
    accounts: ['ops-team@example.com'],
    account_stats: [
      row('1', { account_snapshot: 'ops-team@example.com', auth_indices: ['a1'] }),
      row('2', { sources: ['dev-team@example.com'], auth_indices: ['b1', 'b2'], auth_provider_snapshot: 'claude' }),
      row('3', { sources: ['nobody'] }),
    ],
  };

  test('stand once each, those without a name by their source', () => {
    const items = accountItems(options, PLAIN);
    expect(items.map((item) => item.label)).toEqual(['ops-team@example.com', 'dev-team@example.com']);
    expect(items[1]).toMatchObject({
      detail: 'claude',
      open: { to: '/monitoring', search: { range: ['30d'], auth_index: ['b1', 'b2'] } },
    });
  });

  test('are shown masked and never put an address into the address bar', () => {
    const items = accountItems(options, createMasker());
    for (const item of items) {
      expect(item.label).toContain('***');
      expect(JSON.stringify(item.open)).not.toContain('@');
    }
  });
});
