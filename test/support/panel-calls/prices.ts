import { MODEL_PRICES_PATH } from '@manager/core/contract/prices';
import type { ManagerProcess } from '../manager-process.ts';
import { trafficAccounts } from '../traffic.ts';

/** Threshold of a context tier, where providers have one: some of the generated requests are longer. */
const LONG_TOKENS = 128_000;
/** Every seventh model is unpriced, every third has a tier for long requests, every fourth one for a service tier. */
const [UNPRICED, TIERED, SERVED] = [7, 3, 4];

/** Prices of the generated models, by billing model. */
function trafficPrices(): Record<string, unknown> {
  const names = [...new Set(trafficAccounts().flatMap(({ models }) => models.map(({ name }) => name)))];
  return Object.fromEntries(
    names.map((name, index) => [name, priceOf(index)] as const).filter((_, index) => index % UNPRICED !== UNPRICED - 1),
  );
}

function priceOf(index: number) {
  const prompt = 0.25 * (1 + (index % 12));
  const rates = {
    prompt,
    completion: prompt * 5,
    cache: prompt / 10,
    cacheRead: prompt / 10,
    cacheCreation: prompt * 1.25,
  };
  // A tier only changes the rates it sets.
  const dearer = Object.fromEntries(
    Object.entries(rates).flatMap(([name, rate]) => [
      [name, rate * 2],
      [`${name}Configured`, true],
    ]),
  );
  return {
    ...rates,
    ...(index % TIERED === 0 ? { contextTiers: [{ thresholdTokens: LONG_TOKENS, ...dearer }] } : {}),
    ...(index % SERVED === 0 ? { serviceTiers: [{ mode: 'priority', serviceTier: 'priority', ...dearer }] } : {}),
  };
}

export async function savePrices(manager: ManagerProcess): Promise<void> {
  await manager.json(MODEL_PRICES_PATH, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ prices: trafficPrices() }),
  });
}
