import { describe, expect, test } from 'bun:test';
import type { CredentialStats } from '@manager/core/contract/monitoring/sections';
import { kindOf } from '../../../platform/gateway/providers/kinds.ts';
import { sha256HexSync } from '../../../platform/sha256.ts';
import { recentOf, sumsByEntry } from './use.ts';

const claude = kindOf('claude');
const openai = kindOf('openai');

const stats = (row: Partial<CredentialStats>): CredentialStats =>
  ({ id: '', calls: 2, failure_calls: 1, total_tokens: 10, cost: 0.5, last_seen_ms: 5, ...row }) as CredentialStats;

describe('requests of a provider', () => {
  const entries = [
    { id: 'one', kind: claude, entry: { 'api-key': 'k1', 'auth-index': 'a1' } },
    {
      id: 'many',
      kind: openai,
      entry: {
        name: 'many',
        'api-key-entries': [
          { 'api-key': 'm1', 'auth-index': 'b1' },
          { 'api-key': 'm2', 'auth-index': 'b2' },
          { 'api-key': 'shared', 'auth-index': 'b3' },
        ],
      },
    },
    { id: 'other', kind: claude, entry: { 'api-key': 'shared', 'auth-index': 'c1' } },
  ];

  test('are those with its index, of all its keys together', () => {
    const use = sumsByEntry(entries, [
      stats({ auth_index: 'b1' }),
      stats({ auth_index: 'b2', unpriced_calls: 1, last_seen_ms: 9 }),
    ]);
    expect([...use]).toEqual([['many', { calls: 4, failed: 2, tokens: 20, cost: 1, unpriced: 1, lastMs: 9 }]]);
  });

  test('are also those with its key and an earlier index, unless two providers have the key', () => {
    const use = sumsByEntry(entries, [
      stats({ auth_index: 'before', source_hash: sha256HexSync('k1') }),
      stats({ auth_index: 'before', source_hash: sha256HexSync('shared') }),
      stats({ auth_index: 'stranger' }),
    ]);
    expect([...use.keys()]).toEqual(['one']);
  });

  test('counted by the gateway are found by address and key', () => {
    const row = { success: 1, failed: 1, recent_requests: [{ success: 1, failed: 1 }] };
    const usage = { claude: { 'https://a.test|k1': row }, many: { '|m1': row, '|m2': row } };
    expect(recentOf(claude, { 'api-key': 'k1', 'base-url': 'https://a.test' }, usage)?.failed).toBe(1);
    expect(recentOf(claude, { 'api-key': 'k2' }, usage)).toBeNull();
    expect(recentOf(openai, entries[1]?.entry ?? {}, usage)?.success).toBe(2);
    expect(recentOf(openai, { name: 'none' }, undefined)).toBeNull();
  });
});
