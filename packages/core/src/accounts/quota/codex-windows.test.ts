import { describe, expect, test } from 'bun:test';
import { createZone } from '../../time/zones.ts';
import vectors from '../fixtures/inspection-vectors.json';
import { vectorsOf } from '../inspection/testing.ts';
import { readCodexUsage } from './codex-usage.ts';
import { codexQuotaWindows } from './codex-windows.ts';

const observedAtMs = Date.UTC(2026, 2, 1, 23, 30);
const context = { planType: '', observedAtMs, zone: createZone('Asia/Tokyo') };
const windowsOf = (body: Readonly<Record<string, unknown>>, planType = '') =>
  codexQuotaWindows(readCodexUsage(body), { ...context, planType });

describe('the windows of a Codex account', () => {
  for (const vector of vectorsOf(vectors.codexWindows)) {
    test(vector.name, () => {
      const found = windowsOf(vector.body, vector.planType).map((window) => ({
        id: window.id,
        usedPercent: window.usedPercent ?? null,
        limitWindowSeconds: window.limitWindowSeconds ?? null,
        modelScope: window.modelScope,
      }));
      expect(found).toEqual(vector.expect as typeof found);
    });
  }
});

const main = (window: object) => windowsOf({ rate_limit: { primary_window: window } })[0];

test('the reset is exact, derived from the observation, or unknown', () => {
  expect(main({ reset_at: 1_772_400_000.9, reset_after_seconds: 60 })).toMatchObject({
    resetAtMs: 1_772_400_000_000,
    resetAccuracy: 'exact',
  });
  expect(main({ reset_after_seconds: '60' })).toMatchObject({
    resetAtMs: observedAtMs + 60_000,
    resetAccuracy: 'derived',
    resetLabel: '03/02 08:31',
  });
  expect(main({})).toEqual({
    id: 'five-hour',
    labelKey: 'codex_quota.primary_window',
    resetLabel: '-',
    resetAccuracy: 'unknown',
    modelScope: { kind: 'family', key: 'codex_main', complete: true },
  });
});

test('of too many limits the first are read, with a part of their names, and others may exist', () => {
  const limit = (index: number) => ({
    limit_name: `Limit ${index} ${'x'.repeat(10_000)}`,
    rate_limit: {
      primary_window: { limit_window_seconds: 18_000 },
      secondary_window: { limit_window_seconds: 604_800 },
    },
  });
  const body = (count: number) => ({
    rate_limit: {},
    additional_rate_limits: Array.from({ length: count }, (_, index) => limit(index)),
  });
  expect(readCodexUsage(body(32)).inventoryObserved).toBe(true);
  expect(readCodexUsage(body(33)).inventoryObserved).toBe(false);
  const windows = windowsOf(body(50_000));
  expect(windows).toHaveLength(64);
  for (const { id, labelParams } of windows) expect(`${id}${labelParams?.name}`.length).toBeLessThan(400);
});

test('labels name the limit and the length', () => {
  const [window] = windowsOf({
    additional_rate_limits: [
      { limit_name: 'Packs', rate_limit: { primary_window: { limit_window_seconds: 172_800 } } },
    ],
  });
  expect(window).toMatchObject({
    labelKey: 'codex_quota.additional_generic_window',
    labelParams: { name: 'Packs', duration: '2d' },
  });
});

test('a limit without any name is identified by the lengths of its windows', () => {
  const limit = {
    rate_limit: {
      primary_window: { limit_window_seconds: 18_000 },
      secondary_window: { limit_window_seconds: 604_800 },
    },
  };
  expect(windowsOf({ additional_rate_limits: [limit] }).map(({ id }) => id)).toEqual([
    'additional-5h-7d-five-hour-0',
    'additional-5h-7d-weekly-0',
  ]);
});

test("a Spark window has the id from its limit's name as an alias", () => {
  const limit = { limit_name: 'Quick lane', metered_feature: 'codex_spark', rate_limit: { primary_window: {} } };
  expect(windowsOf({ additional_rate_limits: [limit] })[0]).toMatchObject({
    id: 'spark-five-hour-0',
    providerWindowAliases: ['quick-lane-five-hour-0'],
  });
});

test('a second window of the same length has a different id', () => {
  const window = { limit_window_seconds: 604_800 };
  expect(windowsOf({ rate_limit: { primary_window: window, secondary_window: window } }).map(({ id }) => id)).toEqual([
    'weekly',
    'window-7d-1',
  ]);
});

test('an answer that is no object has no windows and is inconclusive', () => {
  expect(readCodexUsage(null)).toEqual({
    planType: '',
    main: null,
    codeReview: null,
    additional: [],
    inventoryObserved: false,
  });
});
