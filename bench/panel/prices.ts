import { MODEL_PRICES_PATH } from '@manager/core/contract/prices';
import type { ManagerProcess } from '../../test/support/manager-process.ts';
import { benchAccounts } from '../dataset/events.ts';

/** Threshold of a context tier: some of the generated requests are longer. */
const LONG_TOKENS = 60_000;
/** Every seventh model has no price, every third a tier for long requests, every fourth one for a service tier. */
const [UNPRICED, TIERED, SERVED] = [7, 3, 4];

/** Prices of the generated models, by the names they are billed under. */
function benchPrices(): Record<string, unknown> {
  const names = [...new Set(benchAccounts().flatMap(({ models }) => models.map(({ name }) => name)))];
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
  // A tier only changes the rates that it marks as its own.
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

/** False where this build has no prices yet. */
export async function savePrices(manager: ManagerProcess): Promise<boolean> {
  const answer = await manager.fetch(MODEL_PRICES_PATH, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ prices: benchPrices() }),
  });
  const text = await answer.text();
  if (answer.status === 501 || answer.status === 404) return false;
  if (!answer.ok) throw new Error(`prices: ${answer.status} ${text.slice(0, 200)}`);
  return true;
}
