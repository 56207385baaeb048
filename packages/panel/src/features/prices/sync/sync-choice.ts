import type { UsageSummaryResponse } from '@manager/core/contract/prices';
import type { PriceMap } from '@manager/core/pricing/price';

/** The server's maximum. */
const MAX_MODELS = 2_000;

export interface SyncChoice {
  /** Models to look up: in use, offered by the gateway, or stored; the used ones first. */
  readonly models: readonly string[];
  /** Manual: a sync keeps them unless they are selected. */
  readonly handSet: readonly string[];
}

export function syncChoice(
  prices: PriceMap,
  usage: UsageSummaryResponse | undefined,
  gateway: readonly string[] | undefined,
): SyncChoice {
  const used = (usage?.models ?? []).map(({ model }) => model);
  const all = [...new Set([...used, ...(gateway ?? []), ...Object.keys(prices)])].filter(
    (model) => model.trim() !== '',
  );
  const models = all.slice(0, MAX_MODELS);
  const isHandSet = (model: string) => Object.hasOwn(prices, model) && prices[model]?.source === 'manual';
  return { models, handSet: models.filter(isHandSet) };
}
