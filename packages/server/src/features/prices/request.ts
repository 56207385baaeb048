import { AppError } from '@manager/core/contract/errors';
import {
  modelPriceSyncRequestSchema,
  modelPricesPutRequestSchema,
  type SentPrice,
} from '@manager/core/contract/prices';
import type { ModelPrice, OverlayRates, PriceMap } from '@manager/core/pricing/price';
import { checkPrice, RESERVED_MODEL, RESERVED_PROBLEM } from '@manager/core/pricing/validate';
import { parseJsonBody } from '../../http/body.ts';

/** An unknown model is compared with thousands of ids, which takes some ten milliseconds. */
const MAX_SYNC_MODELS = 2_000;

/**
 * The prices of a PUT body in their stored form.
 *
 * @throws AppError `prices_required` without `prices`, 400 that names model and member of the first invalid price
 */
export function parsePrices(body: Uint8Array): PriceMap {
  const { prices } = parseJsonBody(modelPricesPutRequestSchema, body);
  if (prices == null) throw new AppError('prices_required');
  refuseReservedName(body);
  const checked = Object.entries(prices).map(([model, sent]): readonly [string, ModelPrice] => {
    const outcome = checkPrice(model, priceOf(sent));
    if (outcome.kind === 'invalid') {
      throw new AppError('model_price_invalid', { message: outcome.problem });
    }
    return [model, outcome.price];
  });
  return Object.fromEntries(checked);
}

/** Bodies are read without members of this name, and this request replaces every price that it does not have. */
function refuseReservedName(body: Uint8Array): void {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  if (!bytes.includes(RESERVED_MODEL) && !bytes.includes('\\u')) return;
  const { prices } = JSON.parse(bytes.toString('utf8')) as { readonly prices: object };
  if (!Object.hasOwn(prices, RESERVED_MODEL)) return;
  throw new AppError('model_price_invalid', { message: `price of "${RESERVED_MODEL}": ${RESERVED_PROBLEM}` });
}

/** The models of a sync body: trimmed, each once; null = every model of the catalogues. */
export function parseSyncModels(body: Uint8Array): readonly string[] | null {
  if (body.byteLength === 0) return null;
  const { models } = parseJsonBody(modelPriceSyncRequestSchema, body);
  const named = new Set((models ?? []).map((model) => model.trim()).filter((model) => model !== ''));
  if (named.size > MAX_SYNC_MODELS) {
    throw new AppError('model_price_sync_too_many', {
      message: `models: at most ${MAX_SYNC_MODELS}; leave them out to get every model of the catalogs`,
    });
  }
  return named.size === 0 ? null : [...named];
}

type SentRates = Pick<SentPrice, 'prompt' | 'completion' | 'cache' | 'cacheRead' | 'cacheCreation' | 'cacheWrite1h'> & {
  readonly [Flag in
    | 'promptConfigured'
    | 'completionConfigured'
    | 'cacheReadConfigured'
    | 'cacheCreationConfigured'
    | 'cacheWrite1hConfigured']?: boolean | null | undefined;
};

/** Null equals leaving a member out; a missing rate is 0. */
function priceOf(sent: SentPrice): ModelPrice {
  return {
    ...ratesOf(sent),
    source: sent.source ?? undefined,
    sourceModelId: sent.sourceModelId ?? undefined,
    rawJson: sent.rawJson ?? undefined,
    contextTiers: sent.contextTiers?.map((tier) => ({
      ...ratesOf(tier),
      cacheConfigured: tier.cacheConfigured === true,
      thresholdTokens: tier.thresholdTokens,
    })),
    serviceTiers: sent.serviceTiers?.map((rule) => ({
      ...ratesOf(rule),
      cacheConfigured: rule.cacheConfigured === true,
      mode: rule.mode ?? '',
      serviceTier: rule.serviceTier ?? '',
    })),
    syncedAtMs: sent.syncedAtMs,
  };
}

function ratesOf(sent: SentRates): OverlayRates {
  return {
    prompt: sent.prompt ?? 0,
    completion: sent.completion ?? 0,
    cache: sent.cache ?? 0,
    cacheRead: sent.cacheRead ?? 0,
    cacheCreation: sent.cacheCreation ?? 0,
    cacheWrite1h: sent.cacheWrite1h ?? 0,
    promptConfigured: sent.promptConfigured === true,
    completionConfigured: sent.completionConfigured === true,
    cacheReadConfigured: sent.cacheReadConfigured === true,
    cacheCreationConfigured: sent.cacheCreationConfigured === true,
    cacheWrite1hConfigured: sent.cacheWrite1hConfigured === true,
  };
}
