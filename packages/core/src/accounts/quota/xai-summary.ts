import type { QuotaWindow } from '../../contract/quotas/window.ts';
import type { XaiAmounts, XaiBillingEvidence, XaiProduct, XaiWeekly } from './xai-billing.ts';

/** The usage of an xAI account. null = unknown; percents of the allowance, amounts in US cents. */
export interface XaiBillingSummary {
  readonly weekly: XaiWeekly | null;
  readonly weeklyPercent: number | null;
  readonly monthlyPercent: number | null;
  readonly onDemandPercent: number | null;
  /** A monthly allowance exists, or a part of it was used. */
  readonly hasMonthly: boolean;
  readonly monthlyLimit: number | null;
  readonly used: number | null;
  readonly includedUsed: number | null;
  readonly onDemandCap: number | null;
  readonly onDemandUsed: number | null;
  /** As sent; '' = unknown. */
  readonly billingPeriodEnd: string;
  /** The highest of all percents. */
  readonly usedPercent: number | null;
}

/**
 * Joins two answers: each amount comes from the first where it has one, and so does the whole week. Percents are
 * derived from the joined amounts.
 */
export function xaiBillingSummary(
  primary: XaiBillingEvidence | null,
  fallback: XaiBillingEvidence | null,
): XaiBillingSummary | null {
  const first = primary ?? fallback;
  if (first === null) return null;
  const second = primary === null ? null : fallback;
  return summarize({
    weekly: first.weekly ?? second?.weekly ?? null,
    amounts: {
      monthlyLimit: first.amounts.monthlyLimit ?? second?.amounts.monthlyLimit ?? null,
      used: first.amounts.used ?? second?.amounts.used ?? null,
      includedUsed: first.amounts.includedUsed ?? second?.amounts.includedUsed ?? null,
      onDemandCap: first.amounts.onDemandCap ?? second?.amounts.onDemandCap ?? null,
      onDemandUsed: first.amounts.onDemandUsed ?? second?.amounts.onDemandUsed ?? null,
    },
    billingPeriodEnd: first.billingPeriodEnd || (second?.billingPeriodEnd ?? ''),
  });
}

function summarize({ weekly, amounts, billingPeriodEnd }: XaiBillingEvidence): XaiBillingSummary {
  const derived = deriveAmounts(amounts);
  const weeklyPercent = weekly?.usedPercent ?? null;
  const monthlyPercent = percentOf(derived.includedUsed, amounts.monthlyLimit);
  const onDemandPercent = percentOf(derived.onDemandUsed, amounts.onDemandCap);
  const products = weekly?.products.map(({ usedPercent }) => usedPercent) ?? [];
  const known = [weeklyPercent, monthlyPercent, onDemandPercent, ...products].filter((percent) => percent !== null);
  return {
    weekly,
    weeklyPercent,
    monthlyPercent,
    onDemandPercent,
    // On-demand use is beyond the allowance, so it alone proves no monthly allowance.
    hasMonthly: [amounts.monthlyLimit, amounts.used, amounts.includedUsed].some((amount) => (amount ?? 0) > 0),
    monthlyLimit: amounts.monthlyLimit,
    ...derived,
    onDemandCap: amounts.onDemandCap,
    billingPeriodEnd,
    usedPercent: known.length === 0 ? null : Math.max(...known),
  };
}

/** Derives missing amounts from the others. */
function deriveAmounts(amounts: XaiAmounts): Pick<XaiBillingSummary, 'used' | 'includedUsed' | 'onDemandUsed'> {
  const { monthlyLimit } = amounts;
  const isSplit = amounts.includedUsed !== null || amounts.onDemandUsed !== null;
  const used = amounts.used ?? (isSplit ? (amounts.includedUsed ?? 0) + (amounts.onDemandUsed ?? 0) : null);
  const included = amounts.includedUsed ?? used;
  const isLimited = monthlyLimit !== null && monthlyLimit > 0;
  const overLimit = used === null || monthlyLimit === null ? null : Math.max(0, used - monthlyLimit);
  return {
    used,
    includedUsed: included !== null && isLimited ? Math.min(included, monthlyLimit) : included,
    onDemandUsed: amounts.onDemandUsed ?? overLimit,
  };
}

function percentOf(used: number | null, limit: number | null): number | null {
  return used === null || limit === null || limit <= 0 ? null : (used / limit) * 100;
}

/** The windows of a summary. The provider states their ends as text only, so they are not used in calculations. */
export function xaiQuotaWindows(summary: XaiBillingSummary): QuotaWindow[] {
  const { weekly } = summary;
  const windows: QuotaWindow[] = [];
  if (weekly !== null) {
    windows.push({
      ...windowOf('xai-weekly', 'weekly_limit', summary.weeklyPercent, weekly.periodEnd),
      ...(weekly.lengthSeconds === null ? {} : { limitWindowSeconds: weekly.lengthSeconds }),
    });
  }
  if (summary.hasMonthly) {
    windows.push(windowOf('xai-monthly', 'monthly_limit', summary.monthlyPercent, summary.billingPeriodEnd));
  }
  if (summary.onDemandPercent !== null || (summary.onDemandCap ?? 0) > 0) {
    windows.push(windowOf('xai-on-demand', 'on_demand', summary.onDemandPercent, summary.billingPeriodEnd));
  }
  const products = weekly?.products ?? [];
  windows.push(...products.map((product, index) => productWindow(product, index, weekly?.periodEnd ?? '')));
  return windows;
}

function productWindow(product: XaiProduct, index: number, periodEnd: string): QuotaWindow {
  const name = product.name || String(index + 1);
  return {
    ...windowOf(`xai-product-${index}`, 'product', product.usedPercent, periodEnd),
    labelParams: { product: name },
    modelScope: { kind: 'product', key: name, complete: false },
  };
}

function windowOf(id: string, label: string, usedPercent: number | null, periodEnd: string): QuotaWindow {
  return {
    id,
    labelKey: `xai_quota.${label}`,
    ...(usedPercent === null ? {} : { usedPercent }),
    resetLabel: periodEnd || '-',
    resetAccuracy: 'unknown',
    modelScope: { kind: 'all', complete: true },
  };
}
