import { describe, expect, test } from 'bun:test';
import type { JsonObject } from '../../json/json.ts';
import vectors from '../fixtures/inspection-vectors.json';
import { vectorsOf } from '../inspection/testing.ts';
import { readXaiBilling } from './xai-billing.ts';
import { xaiBillingSummary, xaiQuotaWindows } from './xai-summary.ts';

const summaryOf = (body: JsonObject, fallback: JsonObject | null = null) =>
  xaiBillingSummary(readXaiBilling(body), readXaiBilling(fallback));

describe('the usage of an xAI account', () => {
  for (const vector of vectorsOf(vectors.xaiBilling)) {
    test(vector.name, () => {
      const summary = summaryOf(vector.body);
      if (vector.expect === null || summary === null) {
        expect([summary, vector.expect]).toEqual([null, null]);
        return;
      }
      const { windows, ...percents } = vector.expect;
      expect(summary).toMatchObject(percents);
      expect(xaiQuotaWindows(summary).map(({ id }) => id)).toEqual(windows);
    });
  }
});

test('amounts come from the weekly answer where it has them, percents from the joined amounts', () => {
  const weekly = { credit_usage_percent: 1, monthly_limit: {}, used: { val: 300 } };
  const monthly = { monthly_limit: { val: 1000 }, used: { val: 900 }, billing_cycle: { billing_period_end: 'soon' } };
  expect(summaryOf(weekly, monthly)).toMatchObject({
    weeklyPercent: 1,
    monthlyPercent: 30,
    used: 300,
    billingPeriodEnd: 'soon',
  });
});

test('the used amount is the sum of its parts, and the part above the limit is on demand', () => {
  const split = { monthly_limit: 100, on_demand_cap: '200', usage: { included_used: 150, on_demand_used: 50 } };
  expect(summaryOf(split)).toMatchObject({ used: 200, includedUsed: 100, monthlyPercent: 100, onDemandPercent: 25 });
  expect(summaryOf({ monthly_limit: 100, usage: { total_used: 130 }, on_demand_cap: 60 })).toMatchObject({
    onDemandUsed: 30,
    onDemandPercent: 50,
  });
});

test('an empty spelling is skipped', () => {
  expect(summaryOf({ monthly_limit: {}, monthlyLimit: { val: '200' }, used: 50 })?.monthlyPercent).toBe(25);
});

test('windows show the end of the period as the provider wrote it', () => {
  const period = { type: 'weekly', start: '2026-03-01T00:00:00Z', end: '2026-03-08T00:00:00Z' };
  const summary = summaryOf({ current_period: period, product_usage: [{ product: 'Build', usage_percent: '80%' }] });
  expect(summary === null ? [] : xaiQuotaWindows(summary)).toEqual([
    {
      id: 'xai-weekly',
      labelKey: 'xai_quota.weekly_limit',
      usedPercent: 0,
      resetLabel: '2026-03-08T00:00:00Z',
      resetAccuracy: 'unknown',
      limitWindowSeconds: 604_800,
      modelScope: { kind: 'all', complete: true },
    },
    {
      id: 'xai-product-0',
      labelKey: 'xai_quota.product',
      labelParams: { product: 'Build' },
      usedPercent: 80,
      resetLabel: '2026-03-08T00:00:00Z',
      resetAccuracy: 'unknown',
      modelScope: { kind: 'product', key: 'Build', complete: false },
    },
  ]);
});

test('an end that is not after the start proves no reset', () => {
  const period = { type: 'weekly', start: '2026-03-08T00:00:00Z', end: '2026-03-01T00:00:00Z' };
  expect(summaryOf({ current_period: period })?.weeklyPercent).toBeNull();
});
