import type { ModelPrice, OverlayRates } from '@manager/core/pricing/price';
import { ratesOf } from '@manager/core/pricing/rates';
import { checkPrice } from '@manager/core/pricing/validate';
import type { TextKey } from '../../platform/i18n/index.ts';

export const RATE_NAMES = ['prompt', 'completion', 'cacheRead', 'cacheCreation', 'cacheWrite1h', 'cache'] as const;
export type RateName = (typeof RATE_NAMES)[number];

/** As typed; '' = not set, which differs from 0. */
export type RateTexts = Readonly<Record<RateName, string>>;

interface ContextTierForm {
  /** Row key during editing. */
  readonly id: string;
  readonly threshold: string;
  readonly rates: RateTexts;
}

interface ServiceTierForm {
  readonly id: string;
  readonly tier: string;
  /** Second name of the same tier; '' = none. */
  readonly mode: string;
  readonly rates: RateTexts;
}

export interface PriceForm {
  readonly rates: RateTexts;
  readonly contextTiers: readonly ContextTierForm[];
  readonly serviceTiers: readonly ServiceTierForm[];
}

/** Field → error. */
export type Problems = Readonly<Record<string, TextKey>>;

export const NO_RATE_TEXTS: RateTexts = {
  prompt: '',
  completion: '',
  cacheRead: '',
  cacheCreation: '',
  cacheWrite1h: '',
  cache: '',
};

export function formOf(price: ModelPrice | null): PriceForm {
  if (price === null) return { rates: NO_RATE_TEXTS, contextTiers: [], serviceTiers: [] };
  return {
    rates: textsOf(price),
    contextTiers: (price.contextTiers ?? []).map((tier, index) => ({
      id: `stored-${index}`,
      threshold: String(tier.thresholdTokens),
      rates: textsOf(tier),
    })),
    serviceTiers: (price.serviceTiers ?? []).map(({ mode, serviceTier, ...rates }, index) => ({
      id: `stored-${index}`,
      tier: serviceTier,
      mode: mode === serviceTier ? '' : mode,
      rates: textsOf(rates),
    })),
  };
}

function textsOf(rates: ModelPrice | OverlayRates): RateTexts {
  const open = ratesOf(rates);
  const text = (rate: number | undefined) => (rate === undefined ? '' : String(rate));
  return {
    prompt: text(open.prompt),
    completion: text(open.completion),
    cacheRead: text(open.cacheRead),
    cacheCreation: text(open.cacheCreation),
    cacheWrite1h: text(open.cacheWrite1h),
    cache: text(open.cache),
  };
}

/** Maximum stored price, US dollars per 1,000,000 tokens. */
const MAX_RATE = 1_000_000_000;

function rateProblem(text: string): TextKey | null {
  if (text.trim() === '') return null;
  const value = numberOf(text);
  if (!Number.isFinite(value)) return 'prices.badNumber';
  if (value < 0) return 'prices.badNegative';
  return value > MAX_RATE ? 'prices.badLarge' : null;
}

/** Rejects ambiguous numbers such as `1.000,5` and `0x10`. */
const numberOf = (text: string): number =>
  /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text.trim()) ? Number(text) : Number.NaN;

/** Errors by field: `prompt`, `context.0.threshold`, `service.1.completion`. */
export function problemsOf(form: PriceForm): Problems {
  const problems: Record<string, TextKey> = {};
  const rates = (texts: RateTexts, path: string) => {
    for (const name of RATE_NAMES) {
      const problem = rateProblem(texts[name]);
      if (problem !== null) problems[path + name] = problem;
    }
    if (RATE_NAMES.every((name) => texts[name].trim() === '')) problems[`${path}prompt`] ??= 'prices.badEmpty';
  };
  rates(form.rates, '');
  const thresholds = new Set<number>();
  for (const [index, tier] of form.contextTiers.entries()) {
    const path = `context.${index}.`;
    const tokens = numberOf(tier.threshold);
    if (!(Number.isSafeInteger(tokens) && tokens > 0)) problems[`${path}threshold`] = 'prices.badThreshold';
    else if (thresholds.has(tokens)) problems[`${path}threshold`] = 'prices.badTwice';
    thresholds.add(tokens);
    rates(tier.rates, path);
  }
  const words = new Set<string>();
  for (const [index, rule] of form.serviceTiers.entries()) {
    const path = `service.${index}.`;
    const [tier, mode] = wordsOf(rule);
    if (tier === '') problems[`${path}tier`] = 'prices.badTier';
    else if (words.has(tier)) problems[`${path}tier`] = 'prices.badTwice';
    else if (words.has(mode)) problems[`${path}mode`] = 'prices.badTwice';
    words.add(tier).add(mode);
    rates(rule.rates, path);
  }
  return problems;
}

function wordsOf({ tier, mode }: ServiceTierForm): readonly [tier: string, mode: string] {
  const word = tier.trim().toLowerCase();
  return [word, mode.trim().toLowerCase() || word];
}

/** The manual price of a form without errors: without any catalog data. */
export function priceFrom(form: PriceForm): ModelPrice {
  return {
    ...ratesFrom(form.rates),
    source: 'manual',
    contextTiers: form.contextTiers.map((tier) => ({
      thresholdTokens: numberOf(tier.threshold),
      ...overlayFrom(tier.rates),
    })),
    serviceTiers: form.serviceTiers.map((rule) => {
      const [serviceTier, mode] = wordsOf(rule);
      return { mode, serviceTier, ...overlayFrom(rule.rates) };
    }),
  };
}

function ratesFrom(texts: RateTexts) {
  const set = (name: RateName) => texts[name].trim() !== '';
  const value = (name: RateName) => (set(name) ? numberOf(texts[name]) : 0);
  return {
    prompt: value('prompt'),
    completion: value('completion'),
    cache: value('cache'),
    cacheRead: value('cacheRead'),
    cacheCreation: value('cacheCreation'),
    cacheWrite1h: value('cacheWrite1h'),
    promptConfigured: set('prompt'),
    completionConfigured: set('completion'),
    cacheReadConfigured: set('cacheRead'),
    cacheCreationConfigured: set('cacheCreation'),
    cacheWrite1hConfigured: set('cacheWrite1h'),
  };
}

const overlayFrom = (texts: RateTexts): OverlayRates => ({
  ...ratesFrom(texts),
  cacheConfigured: texts.cache.trim() !== '',
});

/** Whether two forms have the same price; the notation of numbers does not matter. */
export function sameForm(a: PriceForm, b: PriceForm): boolean {
  return canonical(a) === canonical(b);
}

export const sameRates = (a: PriceForm, b: PriceForm): boolean =>
  sameForm({ ...a, contextTiers: [], serviceTiers: [] }, { ...b, contextTiers: [], serviceTiers: [] });

function canonical(form: PriceForm): string {
  const number = (text: string) => (Number.isNaN(numberOf(text)) ? text.trim() : numberOf(text));
  const rates = (texts: RateTexts) => RATE_NAMES.map((name) => number(texts[name]));
  return JSON.stringify([
    rates(form.rates),
    form.contextTiers.map((tier) => [number(tier.threshold), rates(tier.rates)]),
    form.serviceTiers.map((rule) => [wordsOf(rule), rates(rule.rates)]),
  ]);
}

/** Name under which a price can be stored. */
export function modelProblem(model: string): TextKey | null {
  if (model.trim() === '') return 'prices.badModel';
  return checkPrice(model, { prompt: 0, completion: 0, cache: 0 }).kind === 'valid' ? null : 'prices.badModelText';
}
