import { isJsonObject, type JsonObject } from '../../json/json.ts';
import { readInstant } from '../../usage/timestamp.ts';
import { member, numberFrom, numberMember, objectMember, spellingsOf, textMember } from '../provider-values.ts';

/** One parsed billing answer, before anything is derived. null = missing. Amounts in US cents. */
export interface XaiBillingEvidence {
  readonly weekly: XaiWeekly | null;
  readonly amounts: XaiAmounts;
  /** End of the billing period as sent; '' = missing. */
  readonly billingPeriodEnd: string;
}

export interface XaiWeekly {
  readonly usedPercent: number | null;
  readonly periodEnd: string;
  readonly lengthSeconds: number | null;
  readonly products: readonly XaiProduct[];
}

export interface XaiProduct {
  readonly name: string;
  readonly usedPercent: number | null;
}

export interface XaiAmounts {
  readonly monthlyLimit: number | null;
  readonly used: number | null;
  readonly includedUsed: number | null;
  readonly onDemandCap: number | null;
  readonly onDemandUsed: number | null;
}

/** Reads a billing answer; null when it has no known member. */
export function readXaiBilling(body: JsonObject | null): XaiBillingEvidence | null {
  if (body === null) return null;
  const config = objectMember(body, 'config') ?? body;
  const usage = objectMember(config, 'usage') ?? {};
  const cycle = objectMember(config, 'billing_cycle') ?? {};
  const evidence: XaiBillingEvidence = {
    weekly: readWeekly(config),
    amounts: {
      monthlyLimit: cents(config, 'monthly_limit'),
      used: cents(config, 'used') ?? cents(usage, 'total_used'),
      includedUsed: cents(usage, 'included_used'),
      onDemandCap: cents(config, 'on_demand_cap'),
      onDemandUsed: cents(config, 'on_demand_used') ?? cents(usage, 'on_demand_used'),
    },
    billingPeriodEnd:
      textMember(config, 'billing_period_end') || textMember(cycle, 'billing_period_end') || textMember(cycle, 'end'),
  };
  const hasAmount = Object.values(evidence.amounts).some((amount) => amount !== null);
  return evidence.weekly === null && !hasAmount ? null : evidence;
}

function readWeekly(config: JsonObject): XaiWeekly | null {
  const period = objectMember(config, 'current_period') ?? {};
  const percent = numberMember(config, 'credit_usage_percent');
  const isWeekly = textMember(period, 'type').toLowerCase().includes('weekly');
  if (percent === null && !isWeekly) return null;
  const start = textMember(period, 'start');
  const end = textMember(period, 'end');
  const lengthSeconds = secondsBetween(start, end);
  return {
    // After a reset the provider leaves the percent out; only a complete period proves that.
    usedPercent: percent ?? (lengthSeconds === null ? null : 0),
    periodEnd: end,
    lengthSeconds,
    products: readProducts(config),
  };
}

/** Far more than there are; the answer comes from elsewhere. */
const MAX_PRODUCTS = 32;

function readProducts(config: JsonObject): XaiProduct[] {
  const list = member(config, 'product_usage');
  if (!Array.isArray(list)) return [];
  return list
    .slice(0, MAX_PRODUCTS)
    .filter(isJsonObject)
    .map((product) => ({
      name: textMember(product, 'product'),
      usedPercent: numberMember(product, 'usage_percent'),
    }));
}

const RFC_3339 = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/;

/** null when one of the times is invalid or the end is not after the start. */
function secondsBetween(start: string, end: string): number | null {
  if (!RFC_3339.test(start) || !RFC_3339.test(end)) return null;
  const from = readInstant(start);
  const to = readInstant(end);
  return from !== null && to !== null && from.ms < to.ms ? (to.ms - from.ms) / 1000 : null;
}

/** An amount as number, as text or as `{ val }`. An empty object is a placeholder; then the next spelling is read. */
function cents(object: JsonObject, name: string): number | null {
  for (const spelling of spellingsOf(name)) {
    const value = object[spelling];
    const amount = isJsonObject(value) ? (numberFrom(value.val) ?? numberFrom(value.value)) : numberFrom(value);
    if (amount !== null) return amount;
  }
  return null;
}
