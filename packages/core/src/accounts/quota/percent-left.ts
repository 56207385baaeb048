import type { QuotaWindowView } from '../../contract/quotas/snapshots.ts';

/** Percent left of a window as it was observed last; null = unknown. */
export function percentLeft({
  remaining_percent,
  used_percent,
  used_value,
  limit_value,
}: Pick<QuotaWindowView, 'remaining_percent' | 'used_percent' | 'used_value' | 'limit_value'>): number | null {
  if (remaining_percent !== undefined) return remaining_percent;
  if (used_percent !== undefined) return 100 - used_percent;
  if (used_value === undefined || limit_value === undefined || limit_value <= 0) return null;
  return Math.max(0, 100 * (1 - used_value / limit_value));
}

/** Whether a window counts for the account as a whole: allowances of single models or features do not. */
export function isMainWindow({
  model_scope_kind,
  provider_window_id,
}: Pick<QuotaWindowView, 'model_scope_kind' | 'provider_window_id'>): boolean {
  if (provider_window_id === 'extra-usage' || provider_window_id === 'pay-as-you-go') return false;
  return model_scope_kind === 'all' || model_scope_kind === 'family';
}
