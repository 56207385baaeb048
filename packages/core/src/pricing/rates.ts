import type { BuiltInPrice } from './model-families.ts';
import type { ModelPrice, OverlayRates } from './price.ts';

/** Final rates of a request, USD per 1,000,000 tokens. */
export interface TokenRates {
  /** Uncached input. */
  readonly input: number;
  /** Cache read, and the rest of the older cached count. */
  readonly cacheRead: number;
  /** Cache writes, except those for one hour. */
  readonly cacheCreation: number;
  readonly cacheWrite1h: number;
  /** Billable output. */
  readonly output: number;
}

/** Rates before `TokenRates`; undefined = not set. */
export interface OpenRates {
  readonly prompt: number | undefined;
  readonly completion: number | undefined;
  /** Older price of cached input. */
  readonly cache: number | undefined;
  readonly cacheRead: number | undefined;
  readonly cacheCreation: number | undefined;
  readonly cacheWrite1h: number | undefined;
}

export const NO_RATES: TokenRates = { input: 0, cacheRead: 0, cacheCreation: 0, cacheWrite1h: 0, output: 0 };

/** 0 without its flag means "not set". */
function rateInEffect(rate: number | undefined, configured: boolean | undefined): number | undefined {
  if (rate !== undefined && rate > 0) return rate;
  return configured === true ? 0 : undefined;
}

/** The rates that a price, context tier or service tier rule sets. */
export function ratesOf(price: ModelPrice | OverlayRates): OpenRates {
  const cacheConfigured = 'cacheConfigured' in price ? price.cacheConfigured : undefined;
  return {
    prompt: rateInEffect(price.prompt, price.promptConfigured),
    completion: rateInEffect(price.completion, price.completionConfigured),
    cache: rateInEffect(price.cache, cacheConfigured),
    cacheRead: rateInEffect(price.cacheRead, price.cacheReadConfigured),
    cacheCreation: rateInEffect(price.cacheCreation, price.cacheCreationConfigured),
    cacheWrite1h: rateInEffect(price.cacheWrite1h, price.cacheWrite1hConfigured),
  };
}

export function ratesOfBuiltIn(price: BuiltInPrice): OpenRates {
  return { ...price, cache: price.cacheRead, cacheWrite1h: undefined };
}

/** `over` where it is set, else `base`. */
export function overlay(base: OpenRates, over: OpenRates): OpenRates {
  return {
    prompt: over.prompt ?? base.prompt,
    completion: over.completion ?? base.completion,
    cache: over.cache ?? base.cache,
    cacheRead: over.cacheRead ?? base.cacheRead,
    cacheCreation: over.cacheCreation ?? base.cacheCreation,
    cacheWrite1h: over.cacheWrite1h ?? base.cacheWrite1h,
  };
}

/**
 * Fills the unset rates of a price row from the built-in prices of its family. Cache rates follow the prompt of that
 * row; its older `cache` price is ignored.
 */
export function complete(rates: OpenRates, builtIn: BuiltInPrice | null): OpenRates {
  if (builtIn === null) return rates;
  const prompt = rates.prompt ?? builtIn.prompt;
  return {
    prompt,
    completion: rates.completion ?? builtIn.completion,
    cache: rates.cache,
    cacheRead: rates.cacheRead ?? prompt * 0.1,
    cacheCreation: rates.cacheCreation ?? prompt * 1.25,
    cacheWrite1h: rates.cacheWrite1h,
  };
}

/**
 * The last step: an unset read rate becomes the older cached price, else a tenth of the prompt; an unset creation rate
 * becomes the prompt, an unset rate of writes for one hour that of other writes.
 *
 * @param inputFactor multiplies every input rate
 * @param outputFactor multiplies the output rate
 */
export function multipliedRates(rates: OpenRates, inputFactor = 1, outputFactor = inputFactor): TokenRates {
  const prompt = rates.prompt ?? 0;
  const cached = rates.cache !== undefined && rates.cache > 0 ? rates.cache : prompt / 10;
  const creation = rates.cacheCreation ?? prompt;
  return {
    input: prompt * inputFactor,
    cacheRead: (rates.cacheRead ?? cached) * inputFactor,
    cacheCreation: creation * inputFactor,
    cacheWrite1h: (rates.cacheWrite1h ?? creation) * inputFactor,
    output: (rates.completion ?? 0) * outputFactor,
  };
}
