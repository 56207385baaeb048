import { bandOf, costOf } from '@manager/core/pricing/cost';
import type { ModelPrice } from '@manager/core/pricing/price';
import { createPriceBook, type TokenRates } from '@manager/core/pricing/price-book';

/** Contents of a sample request; texts as typed. */
export interface CalculatorForm {
  readonly input: string;
  readonly cacheRead: string;
  readonly cacheCreation: string;
  /** The part of `cacheCreation` for one hour. */
  readonly cacheWrite1h: string;
  readonly output: string;
  readonly tier: string;
}

interface CalculatedPart {
  readonly kind: 'uncached' | 'cached' | 'creation' | 'write1h' | 'output';
  readonly tokens: number;
  /** US dollars per 1,000,000 tokens. */
  readonly rate: number;
  readonly usd: number;
}

export interface Calculation {
  /** Null without a price: unknown, not free. */
  readonly usd: number | null;
  readonly parts: readonly CalculatedPart[];
}

const tokensOf = (text: string): number => {
  const clean = text.replace(/[\s,]/g, '');
  return /^\d+$/.test(clean) ? Number(clean) : 0;
};

/** Cost of one request of `model` at a price that may be unsaved. */
export function calculate(model: string, price: ModelPrice | null, form: CalculatorForm): Calculation {
  const book = createPriceBook(price === null ? {} : { [model]: price });
  const plan = book.plan({
    analyticsModel: model,
    billingModel: model,
    requestedModel: model,
    serviceTier: form.tier,
  });
  const rates: TokenRates | undefined = plan.bands[bandOf(plan.thresholds, tokensOf(form.input))];
  if (price === null || rates === undefined) return { usd: null, parts: [] };
  const totalInput = tokensOf(form.input);
  const cacheRead = tokensOf(form.cacheRead);
  const cacheCreation = tokensOf(form.cacheCreation);
  const cacheWrite1h = Math.min(tokensOf(form.cacheWrite1h), cacheCreation);
  const tokens = {
    // Cached tokens are part of the input.
    uncachedInput: Math.max(totalInput - cacheRead - cacheCreation, 0),
    cached: 0,
    cacheRead,
    cacheCreation,
    cacheWrite1h,
    billableOutput: tokensOf(form.output),
  };
  const part = (kind: CalculatedPart['kind'], count: number, rate: number): CalculatedPart => ({
    kind,
    tokens: count,
    rate,
    usd: (count * rate) / 1_000_000,
  });
  return {
    usd: costOf(rates, tokens),
    parts: [
      part('uncached', tokens.uncachedInput, rates.input),
      part('cached', cacheRead, rates.cacheRead),
      part('creation', cacheCreation - cacheWrite1h, rates.cacheCreation),
      part('write1h', cacheWrite1h, rates.cacheWrite1h),
      part('output', tokens.billableOutput, rates.output),
    ].filter(({ tokens: count }) => count > 0),
  };
}
