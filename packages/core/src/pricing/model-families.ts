/** Total input above which long-premium models cost more; exactly 272,000 does not. */
export const LONG_INPUT_TOKENS = 272_000;

export interface BuiltInPrice {
  readonly prompt: number;
  readonly completion: number;
  readonly cacheRead: number;
  readonly cacheCreation: number;
}

/**
 * Built-in prices of families, for models without a price row, USD per 1,000,000 tokens. A new database gets the same as
 * price rows.
 */
export const FAMILY_PRICES: readonly (readonly [family: string, price: BuiltInPrice])[] = [
  ['gpt-5.6-sol', { prompt: 5, completion: 30, cacheRead: 0.5, cacheCreation: 6.25 }],
  ['gpt-5.6-terra', { prompt: 2.5, completion: 15, cacheRead: 0.25, cacheCreation: 3.125 }],
  ['gpt-5.6-luna', { prompt: 1, completion: 6, cacheRead: 0.1, cacheCreation: 1.25 }],
];

/** The name without provider prefix, lower case: `openai/GPT-5.4` is `gpt-5.4`. */
function baseName(model: string): string {
  return model.slice(model.lastIndexOf('/') + 1).toLowerCase();
}

function isFamily(name: string, family: string): boolean {
  return name === family || name.startsWith(`${family}-`);
}

export function builtInPrice(model: string): BuiltInPrice | null {
  const name = baseName(model);
  return FAMILY_PRICES.find(([family]) => isFamily(name, family))?.[1] ?? null;
}

/** Models with twice the input and 1.5 times the output price in requests above `LONG_INPUT_TOKENS`. */
export function hasLongPremium(model: string): boolean {
  const name = baseName(model);
  return isFamily(name, 'gpt-5.6') || /^gpt-5\.5(-20.*)?$/s.test(name) || /^gpt-5\.4(-pro)?(-20.*)?$/s.test(name);
}

/** A tier text in its compared form: lower case, trimmed. */
export function tierKey(serviceTier: string): string {
  return serviceTier.trim().toLowerCase();
}

/** Whether a tier (as `tierKey`) is a fast one. Long requests are then billed at the standard rates. */
export function isFastTier(tier: string): boolean {
  return tier === 'priority' || tier === 'fast';
}

/**
 * Factor on all rates of a model for a service tier without an explicit rule.
 *
 * @param tier as `tierKey`
 * @example serviceTierMultiplier('openai/gpt-5.5', 'priority') // 2.5
 */
export function serviceTierMultiplier(model: string, tier: string): number {
  if (tier === 'flex' || tier === 'batch') return 0.5;
  if (!isFastTier(tier)) return 1;
  const name = baseName(model);
  if (isFamily(name, 'gpt-5.5')) return 2.5;
  return ['gpt-5.6', 'gpt-5.4', 'gpt-5.3-codex'].some((family) => isFamily(name, family)) ? 2 : 1;
}
