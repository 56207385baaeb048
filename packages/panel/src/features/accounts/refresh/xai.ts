import { evaluateXaiBilling, evaluateXaiIdentity } from '@manager/core/accounts/inspection/xai/probes';
import {
  XAI_MONTHLY_TIMEOUT_MS,
  xaiBillingRequest,
  xaiIdentityRequest,
} from '@manager/core/accounts/inspection/xai/requests';
import type { XaiBillingSummary } from '@manager/core/accounts/quota/xai-summary';
import type { SnapshotWindowRequest } from '@manager/core/contract/quotas/snapshots';
import type { Account } from '../../../platform/accounts/account.ts';
import type { Ask } from './ask.ts';
import { fixedBoundary, instantOf, type ObservedQuota, QuotaError, slugOf, usedPercent } from './observed-windows.ts';

export async function askXai(ask: Ask, { listed: account }: Account): Promise<ObservedQuota> {
  const [weekly, monthly] = await Promise.all([
    ask(xaiBillingRequest(account, 'weekly')),
    // Old and often slow: additional to the weekly answer, which must not wait for it.
    ask(xaiBillingRequest(account, 'monthly'), XAI_MONTHLY_TIMEOUT_MS),
  ]);
  const billing = evaluateXaiBilling(weekly, monthly);
  if (billing.summary !== null) return { windows: xaiWindows(billing.summary), complete: !billing.partial };
  if (billing.needsIdentity) {
    const identity = evaluateXaiIdentity(await ask(xaiIdentityRequest(account)));
    // The account works and has no windows.
    if (identity.healthy) return { windows: [], complete: true };
  }
  const { detail = '', statusCode = null, class: kind } = billing.failure ?? {};
  throw new QuotaError(detail, statusCode ?? 0, kind === 'auth_invalid');
}

/** Amounts are US dollars. */
function xaiWindows(summary: XaiBillingSummary): readonly SnapshotWindowRequest[] {
  const windows: SnapshotWindowRequest[] = [];
  const { weekly } = summary;
  const weekEnd = weekly === null ? null : instantOf(weekly.periodEnd);
  if (weekly !== null) {
    windows.push({
      provider_window_id: 'credits-period',
      window_kind: 'weekly',
      model_scope_kind: 'all',
      ...fixedBoundary(weekEnd, weekly.lengthSeconds),
      ...usedPercent(summary.weeklyPercent),
    });
  }
  const monthEnd = fixedBoundary(instantOf(summary.billingPeriodEnd), null);
  if (summary.hasMonthly) {
    windows.push({
      provider_window_id: 'billing',
      window_kind: 'monthly',
      model_scope_kind: 'all',
      ...monthEnd,
      ...usedPercent(summary.monthlyPercent),
      ...amounts(summary.includedUsed, summary.monthlyLimit),
    });
  }
  if (summary.onDemandPercent !== null || (summary.onDemandCap ?? 0) > 0) {
    windows.push({
      provider_window_id: 'pay-as-you-go',
      window_kind: 'monthly',
      model_scope_kind: 'product',
      model_scope_key: 'pay_as_you_go',
      ...monthEnd,
      ...usedPercent(summary.onDemandPercent),
      ...amounts(summary.onDemandUsed, summary.onDemandCap),
    });
  }
  for (const [index, product] of (weekly?.products ?? []).entries()) {
    const name = product.name || String(index + 1);
    windows.push({
      provider_window_id: `product-${index}-${slugOf(name)}`,
      window_kind: 'weekly',
      model_scope_kind: 'product',
      model_scope_key: slugOf(name).replaceAll('-', '_'),
      ...fixedBoundary(weekEnd, weekly?.lengthSeconds ?? null),
      ...usedPercent(product.usedPercent),
    });
  }
  return windows;
}

/** Cents as dollars. */
function amounts(used: number | null, limit: number | null) {
  return {
    ...(used === null || used < 0 ? {} : { used_value: used / 100 }),
    ...(limit === null || limit <= 0 ? {} : { limit_value: limit / 100, quota_unit: 'usd' }),
  };
}
