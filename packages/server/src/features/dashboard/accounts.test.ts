import { describe, expect, test } from 'bun:test';
import { NO_TOTALS, type Totals } from '../../facts/kernels/totals.ts';
import { type AccountSums, channelHealth, failureSources } from './accounts.ts';

function sums(members: Partial<Omit<AccountSums, 'totals'>>, totals: Partial<Totals>): AccountSums {
  return {
    authIndex: 'a',
    source: '',
    sourceHash: 'hash',
    account: '',
    label: '',
    provider: '',
    ...members,
    totals: { ...NO_TOTALS, calls: 1, newestMs: 1, newestId: 1, ...totals },
  };
}

describe('accounts', () => {
  test('are one row per auth index, with the sums of all its names', () => {
    const { channel_health: rows } = channelHealth([
      sums({ source: 'x' }, { calls: 3, totalTokens: 5, costDollars: 1, latencySumMs: 30, latencySamples: 2 }),
      sums({ source: 'y', sourceHash: 'other' }, { calls: 1, failures: 1, totalTokens: 2, costRest: 5e14 }),
    ]);
    expect(rows).toEqual([
      {
        auth_index: 'a',
        source: 'x',
        calls: 4,
        failures: 1,
        failure_rate: 0.25,
        success_rate: 0.75,
        tokens: 7,
        cost: 1.5,
        average_latency_ms: 15,
        tone: 'bad',
      },
    ]);
  });

  test('show the number of unpriced requests, unless it is 0', () => {
    const { channel_health: rows } = channelHealth([
      sums({ authIndex: 'some' }, { failures: 1, costDollars: 1, unpricedCalls: 1 }),
      sums({ authIndex: 'some' }, { unpricedCalls: 2 }),
      sums({ authIndex: 'none' }, { costDollars: 1 }),
    ]);
    expect(rows.map(({ auth_index, cost, unpriced_calls }) => [auth_index, cost, unpriced_calls])).toEqual([
      ['some', 1, 3],
      ['none', 1, undefined],
    ]);
    expect(rows[1]).not.toHaveProperty('unpriced_calls');
  });

  test('show for each name the newest value that is not empty', () => {
    const {
      channel_health: [row],
    } = channelHealth([
      sums({ account: 'old', label: 'Old', provider: 'p' }, { newestMs: 5, newestId: 9 }),
      sums({ account: 'new', source: 's' }, { newestMs: 5, newestId: 10 }),
      sums({}, { newestMs: 7, newestId: 1 }),
    ]);
    expect(row).toMatchObject({
      account_snapshot: 'new',
      auth_label_snapshot: 'Old',
      source: 's',
      auth_provider_snapshot: 'p',
    });
  });

  test('leave out names that no event has, and show a missing index as -', () => {
    const {
      channel_health: [row],
    } = channelHealth([sums({ authIndex: '' }, {})]);
    expect(row?.auth_index).toBe('-');
    for (const name of ['source', 'account_snapshot', 'auth_label_snapshot', 'auth_provider_snapshot']) {
      expect(row).not.toHaveProperty(name);
    }
  });

  test('list those that fail often when busy ones with a few failures come first', () => {
    const busy = ['a', 'b', 'c', 'd', 'e'].map((authIndex) => sums({ authIndex }, { calls: 1_000, failures: 9 }));
    const down = sums({ authIndex: 'down' }, { calls: 6, failures: 6 });
    const most = sums({ authIndex: 'most' }, { calls: 20, failures: 8 });
    const { channel_health, failing_channels } = channelHealth([...busy, down, most]);
    expect(channel_health.map(({ auth_index }) => auth_index)).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(failing_channels?.map(({ auth_index }) => auth_index)).toEqual(['most', 'down']);
    expect(channelHealth([...busy.slice(1), down])).not.toHaveProperty('failing_channels');
  });

  test('are ordered by tone, failures, calls and index, at most five', () => {
    const { channel_health: rows } = channelHealth([
      sums({ authIndex: 'good-few' }, { calls: 1 }),
      sums({ authIndex: 'good-b' }, { calls: 9 }),
      sums({ authIndex: 'good-a' }, { calls: 9 }),
      sums({ authIndex: 'warn' }, { calls: 50, failures: 1 }),
      sums({ authIndex: 'slow' }, { calls: 2, latencySumMs: 60_000, latencySamples: 2 }),
      sums({ authIndex: 'bad' }, { calls: 100, failures: 20 }),
    ]);
    expect(rows.map(({ auth_index, tone }) => [auth_index, tone])).toEqual([
      ['bad', 'bad'],
      ['slow', 'bad'],
      ['warn', 'warn'],
      ['good-a', 'good'],
      ['good-b', 'good'],
    ]);
  });
});

describe('failure sources', () => {
  test('are those with a failure; their requests and last time include successes', () => {
    const rows = failureSources([
      sums({ label: 'L' }, { calls: 3, failures: 1, newestMs: 10 }),
      sums({ account: 'A' }, { calls: 3, newestMs: 20, newestId: 2 }),
      sums({ sourceHash: 'calm' }, { calls: 5 }),
    ]);
    expect(rows).toEqual([
      {
        source_hash: 'hash',
        auth_index: 'a',
        account_snapshot: 'A',
        auth_label_snapshot: 'L',
        calls: 6,
        failures: 1,
        failure_rate: 1 / 6,
        last_seen_ms: 20,
        average_latency_ms: null,
        tone: 'warn',
      },
    ]);
  });

  test('are ordered by failures, last time, hash and index, at most five', () => {
    const failing = (sourceHash: string, authIndex: string, failures: number, newestMs: number) =>
      sums({ sourceHash, authIndex }, { calls: 9, failures, newestMs });
    const rows = failureSources([
      failing('b', '2', 1, 5),
      failing('b', '', 1, 5),
      failing('', '9', 1, 5),
      failing('c', '1', 1, 6),
      failing('d', '1', 3, 1),
      failing('z', '1', 1, 5),
    ]);
    expect(rows.map(({ source_hash, auth_index }) => `${source_hash}/${auth_index}`)).toEqual([
      'd/1',
      'c/1',
      '-/9',
      'b/-',
      'b/2',
    ]);
  });
});
