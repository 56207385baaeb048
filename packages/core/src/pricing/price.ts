/**
 * Prices as stored and sent. Every rate is USD per 1,000,000 tokens.
 *
 * A rate counts when it is above 0 or its `…Configured` flag is true: 0 with the flag is a price, 0 without it means
 * "not set". `cache` is the older price of cached input; it is the read rate when `cacheRead` is not set.
 */
interface Rates {
  /** Uncached input. */
  readonly prompt: number;
  /** Billable output. */
  readonly completion: number;
  readonly cache: number;
  readonly cacheRead?: number | undefined;
  readonly cacheCreation?: number | undefined;
  /** Cache writes for one hour; those are billed by `cacheCreation` when it is not set. */
  readonly cacheWrite1h?: number | undefined;
  readonly promptConfigured?: boolean | undefined;
  readonly completionConfigured?: boolean | undefined;
  readonly cacheReadConfigured?: boolean | undefined;
  readonly cacheCreationConfigured?: boolean | undefined;
  readonly cacheWrite1hConfigured?: boolean | undefined;
}

/** Rates that override the base rates of a price; unset ones are inherited. */
export interface OverlayRates extends Rates {
  readonly cacheConfigured?: boolean | undefined;
}

/** Rates of whole requests whose total input is above a threshold. */
export interface ContextTier extends OverlayRates {
  /** Tokens; a request of exactly this size stays below. */
  readonly thresholdTokens: number;
}

/** Rates of a service tier that the provider names. */
export interface ServiceTierRule extends OverlayRates {
  /** Lower case; matches an event's tier text, as `serviceTier` does. */
  readonly mode: string;
  readonly serviceTier: string;
}

export interface ModelPrice extends Rates {
  /** A catalogue, `manual`, `built-in`, or free text. */
  readonly source?: string | undefined;
  /** Id in the catalogue. */
  readonly sourceModelId?: string | undefined;
  /** Original entry of the catalogue. */
  readonly rawJson?: string | undefined;
  /** By threshold. */
  readonly contextTiers?: readonly ContextTier[] | undefined;
  /** By mode, then tier. */
  readonly serviceTiers?: readonly ServiceTierRule[] | undefined;
  /** Milliseconds UTC of the last write. */
  readonly updatedAtMs?: number | undefined;
  /** Milliseconds UTC of the last catalogue sync; null when never. */
  readonly syncedAtMs?: number | null | undefined;
}

/** Prices by model id: exact, case-sensitive. */
export type PriceMap = Readonly<Record<string, ModelPrice>>;
