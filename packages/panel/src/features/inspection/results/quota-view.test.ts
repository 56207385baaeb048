import { expect, test } from 'bun:test';
import type { InspectionResult } from '@manager/core/contract/inspection/runs';
import type { Translate } from '../../../platform/i18n/index.ts';
import { leftPercent, tightestWindow, timeLeftPercent, windowName } from './quota-view.ts';

type Window = NonNullable<InspectionResult['quotaWindows']>[number];

const window = (fields: Partial<Window> = {}): Window => ({
  id: 'weekly',
  labelKey: 'codex_quota.secondary_window',
  resetLabel: '-',
  resetAccuracy: 'unknown',
  modelScope: { kind: 'all', complete: true },
  ...fields,
});
const t: Translate = (key, values) => (values === undefined ? key : `${key} ${Object.values(values).join(' ')}`);

test('what is left is not known where the use is not', () => {
  expect(leftPercent(window())).toBeNull();
  expect(leftPercent(window({ usedPercent: 30 }))).toBe(70);
  expect(leftPercent(window({ usedPercent: 130 }))).toBe(0);
});

test('the tightest window is the one with the most use', () => {
  const windows = [window(), window({ id: 'a', usedPercent: 40 }), window({ id: 'b', usedPercent: 90 })];
  expect(tightestWindow(windows)?.id).toBe('b');
  expect(tightestWindow([window()])).toBeUndefined();
  expect(tightestWindow(undefined)).toBeUndefined();
});

test.each([
  [window({ limitWindowSeconds: 18_000 }), 'quota.fiveHours'],
  [window({ limitWindowSeconds: 604_800 }), 'quota.week'],
  [window({ limitWindowSeconds: 30 * 86_400 }), 'inspectionQuota.month'],
  [window({ limitWindowSeconds: 172_800 }), 'inspectionQuota.days 2'],
  [window({ limitWindowSeconds: 10_800 }), 'quota.hours 3'],
  [window(), 'quota.week'],
  [window({ labelKey: 'codex_quota.code_review_primary_window' }), 'inspectionQuota.review · quota.fiveHours'],
  [
    window({
      labelKey: 'codex_quota.additional_secondary_window',
      labelParams: { name: 'Spark' },
      limitWindowSeconds: 604_800,
      modelScope: { kind: 'family', key: 'spark', complete: false },
    }),
    'Spark · quota.week',
  ],
  [
    window({
      labelKey: 'xai_quota.product',
      labelParams: { product: 'Images' },
      modelScope: { kind: 'product', complete: false },
    }),
    'Images',
  ],
  [window({ labelKey: 'xai_quota.monthly_limit' }), 'inspectionQuota.month'],
])('a window is named by its length and by what it counts: %#', (given, expected) => {
  expect(windowName(given, t)).toBe(expected);
});

test('time left is a share of the window, and nothing once it is over', () => {
  const given = window({ resetAtMs: 3_600_000, limitWindowSeconds: 18_000 });
  expect(timeLeftPercent(given, 0)).toBe(20);
  expect(timeLeftPercent(given, 3_600_001)).toBeNull();
  expect(timeLeftPercent(window(), 0)).toBeNull();
});
