import type { ContextTier, ModelPrice, OverlayRates, ServiceTierRule } from './price.ts';

export type CheckedPrice =
  | { readonly kind: 'valid'; readonly price: ModelPrice }
  /** `problem` names the model, the member and the expected value. */
  | { readonly kind: 'invalid'; readonly problem: string };

type Rates = Pick<ModelPrice, (typeof RATES)[number]>;

const RATES = ['prompt', 'completion', 'cache', 'cacheRead', 'cacheCreation', 'cacheWrite1h'] as const;
const BASE_FLAGS = [
  'promptConfigured',
  'completionConfigured',
  'cacheReadConfigured',
  'cacheCreationConfigured',
  'cacheWrite1hConfigured',
] as const;
const OVERLAY_FLAGS = [...BASE_FLAGS, 'cacheConfigured'] as const;

/** Longest model id in a message, in characters. */
const MAX_SHOWN_ID = 80;

/** 1,000 USD per token. Larger rates could make costs infinite, which JSON cannot express. */
const MAX_RATE = 1_000_000_000;

/**
 * Checks a price and converts it to its stored form: rates of 0 and flags of false are left out where the wire format
 * does so, tiers are sorted, tier words are trimmed and lower case. `updatedAtMs` and `syncedAtMs` are kept.
 *
 * @example checkPrice('acme-chat', { prompt: -1, completion: 8, cache: 0 }) // { kind: 'invalid', problem: 'price of
 * "acme-chat": prompt: a finite number of 0 or more expected' }
 */
export function checkPrice(model: string, price: ModelPrice): CheckedPrice {
  const problem = modelProblem(model) ?? priceProblem(price);
  if (problem !== null) return { kind: 'invalid', problem: `price of ${shownId(model)}: ${problem}` };
  return { kind: 'valid', price: storedForm(price) };
}

function shownId(model: string): string {
  return JSON.stringify(model.length > MAX_SHOWN_ID ? `${model.slice(0, MAX_SHOWN_ID)}…` : model);
}

/** A member of an object with this name is its prototype for some readers, and nothing for others. */
export const RESERVED_MODEL = '__proto__';
export const RESERVED_PROBLEM = 'no model can have this id; leave it out';

function modelProblem(model: string): string | null {
  if (model === RESERVED_MODEL) return RESERVED_PROBLEM;
  if (model.trim() === '') return 'the model id must not be blank';
  // Storing half a surrogate pair would silently change the text.
  return isStorable(model) ? null : 'the model id contains a character that cannot be stored';
}

function priceProblem(price: ModelPrice): string | null {
  const texts = [
    ['source', price.source],
    ['sourceModelId', price.sourceModelId],
    ['rawJson', price.rawJson],
  ] as const;
  for (const [name, text] of texts) {
    if (text !== undefined && !isStorable(text)) return `${name}: contains a character that cannot be stored`;
  }
  return (
    ratesProblem(price, '') ??
    contextTiersProblem(price.contextTiers ?? []) ??
    serviceTiersProblem(price.serviceTiers ?? [])
  );
}

function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

function ratesProblem(rates: Rates, path: string): string | null {
  for (const name of RATES) {
    const value = rates[name];
    if (value === undefined) continue;
    if (!(Number.isFinite(value) && value >= 0)) return `${path}${name}: a finite number of 0 or more expected`;
    if (value > MAX_RATE) return `${path}${name}: at most ${MAX_RATE} (US dollars per 1,000,000 tokens)`;
  }
  return null;
}

function contextTiersProblem(tiers: readonly ContextTier[]): string | null {
  const thresholds = new Set<number>();
  for (const [index, tier] of tiers.entries()) {
    const path = `contextTiers[${index}].`;
    const { thresholdTokens } = tier;
    if (!(Number.isSafeInteger(thresholdTokens) && thresholdTokens > 0)) {
      return `${path}thresholdTokens: an integer above 0 expected`;
    }
    if (thresholds.has(thresholdTokens)) return `${path}thresholdTokens: ${thresholdTokens} is used twice`;
    thresholds.add(thresholdTokens);
    const problem = overlayProblem(tier, path);
    if (problem !== null) return problem;
  }
  return null;
}

function serviceTiersProblem(rules: readonly ServiceTierRule[]): string | null {
  const claimed = new Set<string>();
  for (const [index, rule] of rules.entries()) {
    const path = `serviceTiers[${index}].`;
    const words = { mode: tierWord(rule.mode), serviceTier: tierWord(rule.serviceTier) };
    for (const [name, word] of Object.entries(words)) {
      if (word === '') return `${path}${name}: must not be empty`;
      if (!isStorable(word)) return `${path}${name}: contains a character that cannot be stored`;
      if (claimed.has(word)) return `${path}${name}: another rule already uses this word`;
    }
    claimed.add(words.mode).add(words.serviceTier);
    const problem = overlayProblem(rule, path);
    if (problem !== null) return problem;
  }
  return null;
}

function overlayProblem(rates: OverlayRates, path: string): string | null {
  const problem = ratesProblem(rates, path);
  if (problem !== null) return problem;
  return OVERLAY_FLAGS.some((flag) => rates[flag] === true)
    ? null
    : `${path.slice(0, -1)}: at least one rate must be configured (promptConfigured, completionConfigured, …)`;
}

function tierWord(text: string): string {
  return text.trim().toLowerCase();
}

function storedForm(price: ModelPrice): ModelPrice {
  const contextTiers = (price.contextTiers ?? [])
    .map((tier) => ({ thresholdTokens: tier.thresholdTokens, ...storedOverlay(tier) }))
    .sort((a, b) => a.thresholdTokens - b.thresholdTokens);
  const serviceTiers = (price.serviceTiers ?? [])
    .map((rule) => ({ mode: tierWord(rule.mode), serviceTier: tierWord(rule.serviceTier), ...storedOverlay(rule) }))
    .sort((a, b) => compare(a.mode, b.mode) || compare(a.serviceTier, b.serviceTier));
  const { updatedAtMs, syncedAtMs } = price;
  return {
    ...storedRates(price),
    ...setFlags(price, BASE_FLAGS),
    ...storedText('source', price.source),
    ...storedText('sourceModelId', price.sourceModelId),
    ...storedText('rawJson', price.rawJson),
    ...(contextTiers.length === 0 ? {} : { contextTiers }),
    ...(serviceTiers.length === 0 ? {} : { serviceTiers }),
    ...(updatedAtMs === undefined ? {} : { updatedAtMs }),
    ...(syncedAtMs === undefined || syncedAtMs === null ? {} : { syncedAtMs }),
  };
}

function storedOverlay(rates: OverlayRates): OverlayRates {
  return { ...storedRates(rates), ...setFlags(rates, OVERLAY_FLAGS) };
}

function storedRates({ prompt, completion, cache, cacheRead = 0, cacheCreation = 0, cacheWrite1h = 0 }: Rates): Rates {
  return {
    prompt,
    completion,
    cache,
    ...(cacheRead === 0 ? {} : { cacheRead }),
    ...(cacheCreation === 0 ? {} : { cacheCreation }),
    ...(cacheWrite1h === 0 ? {} : { cacheWrite1h }),
  };
}

function setFlags<Flag extends string>(
  rates: { readonly [Name in Flag]?: boolean | undefined },
  flags: readonly Flag[],
): { readonly [Name in Flag]?: boolean } {
  const set: { [Name in Flag]?: boolean } = {};
  for (const flag of flags) if (rates[flag] === true) set[flag] = true;
  return set;
}

function storedText<Name extends string>(name: Name, text: string | undefined): { readonly [Key in Name]?: string } {
  return text === undefined || text === '' ? {} : ({ [name]: text } as { readonly [Key in Name]: string });
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
