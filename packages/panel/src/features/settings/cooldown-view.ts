import type { QuotaCooldown } from '@manager/core/contract/quota-cooldowns';
import type { TextKey } from '../../i18n/index.ts';

const REASONS: Readonly<Record<string, TextKey>> = {
  codex_usage_limit_reached: 'cooldown.usageLimit',
  xai_free_usage_exhausted: 'cooldown.freeUsage',
};

const WINDOWS: Readonly<Record<string, TextKey>> = {
  primary: 'quota.primary',
  secondary: 'quota.secondary',
  five_hour: 'quota.fiveHours',
  weekly: 'quota.week',
  monthly: 'healthQuota.month',
  rolling_24h: 'cooldown.rolling',
  unknown: 'healthQuota.unknown',
};

/** null = none, or one of a later version. */
export function reasonOf({ reasonCode = '' }: QuotaCooldown): TextKey | null {
  return Object.hasOwn(REASONS, reasonCode) ? (REASONS[reasonCode] ?? null) : null;
}

/** null = not known, or one of a later version. */
export function windowOf({ windowKind = '' }: QuotaCooldown): TextKey | null {
  return Object.hasOwn(WINDOWS, windowKind) ? (WINDOWS[windowKind] ?? null) : null;
}

/** No answer stated the time. */
export function isEstimated({ evidence }: QuotaCooldown): boolean {
  return evidence?.recover_at_estimated === true;
}
