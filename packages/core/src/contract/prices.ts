import * as z from 'zod';

/** Prices of models, and the models that the stored events need prices for. Rates are USD per 1,000,000 tokens. */

export const MODEL_PRICES_PATH = '/v0/management/model-prices';

const flag = z.boolean().optional();
const optionalRate = z.number().nonnegative().optional();
const rate = z.number().nonnegative();

/** `…Configured` true: the rate counts even when it is 0. Optional rates of 0 and flags of false are left out. */
const rateMembers = {
  prompt: rate,
  completion: rate,
  cache: rate,
  cacheRead: optionalRate,
  cacheCreation: optionalRate,
  cacheWrite1h: optionalRate,
  promptConfigured: flag,
  completionConfigured: flag,
  cacheReadConfigured: flag,
  cacheCreationConfigured: flag,
  cacheWrite1hConfigured: flag,
};

const contextTierSchema = z.strictObject({
  thresholdTokens: z.int().positive(),
  ...rateMembers,
  cacheConfigured: flag,
});

const serviceTierSchema = z.strictObject({
  mode: z.string(),
  serviceTier: z.string(),
  ...rateMembers,
  cacheConfigured: flag,
});

const modelPriceSchema = z.strictObject({
  ...rateMembers,
  source: z.string().optional(),
  sourceModelId: z.string().optional(),
  rawJson: z.string().optional(),
  contextTiers: z.array(contextTierSchema).readonly().optional(),
  serviceTiers: z.array(serviceTierSchema).readonly().optional(),
  /** Last write; absent only in prices that are not stored. */
  updatedAtMs: z.int().optional(),
  /** Last catalogue sync; absent when never. */
  syncedAtMs: z.int().nullish(),
});

const priceMapSchema = z.record(z.string(), modelPriceSchema).readonly();

/** Answer of GET and PUT: every price as stored, by model id. */
export const modelPricesResponseSchema = z.strictObject({ prices: priceMapSchema });
export type ModelPricesResponse = z.infer<typeof modelPricesResponseSchema>;

const sentRate = z.number('number expected').nullish();
const sentFlag = z.boolean('boolean expected').nullish();
const sentText = z.string('string expected').nullish();
const sentRates = {
  prompt: sentRate,
  completion: sentRate,
  cache: sentRate,
  cacheRead: sentRate,
  cacheCreation: sentRate,
  cacheWrite1h: sentRate,
  promptConfigured: sentFlag,
  completionConfigured: sentFlag,
  cacheReadConfigured: sentFlag,
  cacheCreationConfigured: sentFlag,
  cacheWrite1hConfigured: sentFlag,
};

const sentPriceSchema = z.object(
  {
    ...sentRates,
    source: sentText,
    sourceModelId: sentText,
    rawJson: sentText,
    contextTiers: z
      .array(
        z.object({
          ...sentRates,
          thresholdTokens: z.int('integer expected'),
          cacheConfigured: sentFlag,
        }),
        'array expected',
      )
      .nullish(),
    serviceTiers: z
      .array(
        z.object({ ...sentRates, mode: sentText, serviceTier: sentText, cacheConfigured: sentFlag }),
        'array expected',
      )
      .nullish(),
    syncedAtMs: z.int('integer expected').nullish(),
  },
  'object expected',
);
export type SentPrice = z.infer<typeof sentPriceSchema>;

/** PUT body: replaces every price. Unknown members and `updatedAtMs` are ignored, null equals leaving a member out. */
export const modelPricesPutRequestSchema = z.object(
  { prices: z.record(z.string(), sentPriceSchema, 'object expected').nullish() },
  'object expected',
);

/** The models of the newest events, so that the panel can show which are unpriced. */
export const usageSummaryResponseSchema = z.strictObject({
  sampled_events: z.int(),
  /** Stored raw events. */
  total_events: z.int(),
  truncated: z.boolean(),
  /** Most requests first, then by model. */
  models: z.array(
    z.strictObject({
      model: z.string(),
      /** `requested_calls` + `resolved_calls`. */
      calls: z.int(),
      /** Events with this analytics model. */
      requested_calls: z.int(),
      /** Events with this resolved model and another requested one. */
      resolved_calls: z.int(),
    }),
  ),
});
export type UsageSummaryResponse = z.infer<typeof usageSummaryResponseSchema>;

/** Body of POST …/sync; without a body or list every model of the catalogues is synced. */
export const modelPriceSyncRequestSchema = z.object(
  { models: z.array(z.string('string expected'), 'array expected').nullish() },
  'object expected',
);

/** The result of a catalogue sync. */
export const modelPriceSyncResponseSchema = z.strictObject({
  /** The only source that answered, or `multi`. */
  source: z.string(),
  sources: z.array(z.string()).readonly(),
  imported: z.int(),
  skipped: z.int(),
  matched: priceMapSchema.optional(),
  candidates: z
    .array(
      z.strictObject({
        model: z.string(),
        candidates: z
          .array(
            z.strictObject({
              sourceModelId: z.string(),
              score: z.number(),
              reason: z.string(),
              price: modelPriceSchema,
            }),
          )
          .readonly(),
      }),
    )
    .readonly()
    .optional(),
  unmatched: z.array(z.string()).readonly().optional(),
  preserved: z.array(z.string()).readonly().optional(),
  proxyUsed: z.boolean(),
  sourceResults: z
    .array(z.strictObject({ source: z.string(), models: z.int(), skipped: z.int(), error: z.string().optional() }))
    .readonly(),
  /** Every price after the sync. */
  prices: priceMapSchema,
});
export type ModelPriceSyncResponse = z.infer<typeof modelPriceSyncResponseSchema>;
