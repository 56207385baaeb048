import { describe, expect, test } from 'bun:test';
import { recentUse } from '../../platform/accounts/recent-buckets.ts';
import { createAccountRows } from '../../platform/accounts/rows.ts';
import { accountsOf, NO_SOURCES, NOW } from '../../platform/accounts/testing/accounts.ts';
import { fleetRows, gatewayVerdict, providerKeys, throughputChart, wholeUse } from './gateway-view.ts';

const bucket = (success: number, failed: number) => ({ success, failed });
const keys = providerKeys({
  gemini: {
    'https://one.example.test|sk-secret-1': { success: 9, failed: 9, recent_requests: [bucket(1, 0), bucket(2, 1)] },
    '|sk-secret-2': { recent_requests: [bucket(0, 1)] },
  },
  broken: null,
});
const rows = createAccountRows()(
  accountsOf(
    { recent_requests: [bucket(0, 0), bucket(10, 0)] },
    { recent_requests: [bucket(0, 3), bucket(0, 2)] },
    { provider: 'claude', disabled: true },
  ),
  { ...NO_SOURCES, managed: false },
  NOW,
);

test('keys of providers are counted, and none of them is kept', () => {
  expect(keys).toEqual([{ provider: 'gemini', keys: 2, buckets: [bucket(1, 0), bucket(2, 2)] }]);
  expect(JSON.stringify(keys)).not.toContain('secret');
});

test('accounts and keys are grouped by provider, the most used first', () => {
  const fleet = fleetRows(rows, keys);
  expect(fleet.map(({ provider, kind, total, enabled, failing }) => [provider, kind, total, enabled, failing])).toEqual(
    [
      ['codex', 'accounts', 2, 2, 1],
      ['gemini', 'keys', 2, null, null],
      ['claude', 'accounts', 1, 0, 0],
    ],
  );
  expect(wholeUse(fleet)).toEqual({ buckets: [bucket(1, 3), bucket(12, 4)], success: 13, failed: 7, minutes: 20 });
});

describe('the verdict', () => {
  test.each([
    [bucket(0, 0), true, 'verdict.quiet'],
    [bucket(100, 0), true, 'verdict.healthy'],
    [bucket(10, 5), true, 'verdict.degraded'],
    [bucket(100, 0), false, 'verdict.unreachable'],
  ] as const)('of %p, reached %p', (only, reached, fact) => {
    const verdict = gatewayVerdict(fleetRows([], [{ provider: 'gemini', keys: 1, buckets: [only] }]), { reached });
    expect(verdict.fact).toBe(fact);
    expect(verdict.values.minutes).toBe(10);
  });
});

test('nothing that could serve requests is not a gateway that does not count them', () => {
  expect(gatewayVerdict([], { reached: true }).fact).toBe('gateway.nothing');
  expect(gatewayVerdict([], { reached: false }).fact).toBe('verdict.unreachable');
  // An older gateway does not list its keys there.
  expect(gatewayVerdict([], { reached: true, keysKnown: false }).fact).toBe('gateway.noCounts');
  expect(gatewayVerdict(fleetRows([], [{ provider: 'gemini', keys: 1, buckets: [] }]), { reached: true }).fact).toBe(
    'gateway.noCounts',
  );
});

test('nothing is healthy while accounts serve no requests', () => {
  const fleet = fleetRows(rows.slice(0, 1), []);
  expect(gatewayVerdict(fleet, { reached: true }).fact).toBe('verdict.healthy');
  expect(gatewayVerdict(fleet, { reached: true, reported: 3 })).toMatchObject({
    fact: 'gateway.unavailable',
    values: { unavailable: 3 },
  });
});

test('the chart ends with the running ten minutes, which are partial', () => {
  const { buckets, lanes, fromMs, toMs } = throughputChart(
    recentUse([[bucket(1, 3), bucket(12, 4)]]),
    NOW + 1,
    (key) => key,
  );
  expect([toMs - fromMs, buckets[1]?.startMs]).toEqual([1_200_000, NOW]);
  expect(buckets.map(({ partial }) => partial === true)).toEqual([false, true]);
  expect(lanes.map(({ series }) => series[0]?.values)).toEqual([
    [4, 16],
    [3, 4],
  ]);
});
