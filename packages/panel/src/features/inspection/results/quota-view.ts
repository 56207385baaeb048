import type { InspectionResult } from '@manager/core/contract/inspection/runs';
import { shown } from '../../../platform/format/shown.ts';
import type { Translate } from '../../../platform/i18n/index.ts';
import { windowLength } from '../../../platform/wording/quota-window.ts';

type Window = NonNullable<InspectionResult['quotaWindows']>[number];

/** Percent left of a window; null = not observed. */
export function leftPercent({ usedPercent }: Window): number | null {
  return usedPercent === undefined ? null : Math.min(100, Math.max(0, 100 - usedPercent));
}

/** The window with the least quota left, which limits first; undefined = none with a percentage. */
export function tightestWindow(windows: readonly Window[] | undefined): Window | undefined {
  return (windows ?? [])
    .filter((window) => leftPercent(window) !== null)
    .reduce<Window | undefined>(
      (tightest, window) =>
        tightest === undefined || (window.usedPercent ?? 0) > (tightest.usedPercent ?? 0) ? window : tightest,
      undefined,
    );
}

/** Name of a window by its length and by what it covers. */
export function windowName(window: Window, t: Translate): string {
  const { labelKey, labelParams = {}, modelScope } = window;
  const name = shown(labelParams.name ?? labelParams.product ?? '');
  const review = labelKey.includes('code_review');
  const whose = review ? t('inspectionQuota.review') : modelScope.kind === 'all' ? '' : name;
  return [whose, lengthName(window, t)].filter(Boolean).join(' · ');
}

function lengthName({ labelKey, limitWindowSeconds: seconds }: Window, t: Translate): string {
  if (labelKey === 'xai_quota.product') return '';
  if (labelKey === 'xai_quota.on_demand') return t('inspectionQuota.onDemand');
  if (seconds === undefined) {
    if (/monthly/.test(labelKey)) return t('inspectionQuota.month');
    if (/weekly|secondary/.test(labelKey)) return t('quota.week');
    return /primary/.test(labelKey) ? t('quota.fiveHours') : t('inspectionQuota.unknown');
  }
  return windowLength(seconds, t);
}

/** Percent of the window's time left; null = unknown. */
export function timeLeftPercent({ resetAtMs, limitWindowSeconds }: Window, nowMs: number): number | null {
  if (resetAtMs === undefined || limitWindowSeconds === undefined || limitWindowSeconds <= 0) return null;
  const share = (resetAtMs - nowMs) / (limitWindowSeconds * 1000);
  return share < 0 ? null : Math.min(100, share * 100);
}
