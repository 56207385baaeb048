import type { QuotaCooldown } from '@manager/core/contract/cooldowns';
import type { TextKey } from '../../platform/i18n/index.ts';

const WINDOWS: Readonly<Record<string, TextKey>> = {
  primary: 'quota.primary',
  secondary: 'quota.secondary',
  five_hour: 'quota.fiveHours',
  weekly: 'quota.week',
  monthly: 'inspectionQuota.month',
  rolling_24h: 'cooldown.rolling',
  unknown: 'inspectionQuota.unknown',
};

/** null = unknown, or one of a later version. */
export function windowOf({ windowKind = '' }: QuotaCooldown): TextKey | null {
  return Object.hasOwn(WINDOWS, windowKind) ? (WINDOWS[windowKind] ?? null) : null;
}

/** No answer stated the time. */
export function isEstimated({ evidence }: QuotaCooldown): boolean {
  return evidence?.recover_at_estimated === true;
}
