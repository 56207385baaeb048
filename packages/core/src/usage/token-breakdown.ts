import { isJsonObject, type JsonObject } from '../json/json.ts';
import { firstExisting, readObject } from '../json/readers.ts';
import type { InputBuckets } from './cache-accounting.ts';
import type { TokenQuality } from './event.ts';

/** A version 2 breakdown of the gateway: mutually exclusive buckets, independent of the provider. */
export interface TokenBreakdown {
  readonly quality: TokenQuality;
  readonly unclassified: number;
  /** The part of the cache writes that is for one hour; 0 = none, or not told. */
  readonly cacheWrite1h: number;
  /** Present only when every bucket can be trusted. */
  readonly complete: { readonly input: InputBuckets; readonly output: number } | null;
}

export const NO_BREAKDOWN: TokenBreakdown = { quality: '', unclassified: 0, cacheWrite1h: 0, complete: null };

function count(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
}

/**
 * Reads `token_breakdown`. Other schema versions and wrong types are ignored. A breakdown marked as complete that does
 * not add up is `inconsistent`: then the buckets are inferred from the reported counts.
 */
export function readTokenBreakdown(item: JsonObject): TokenBreakdown {
  const breakdown = readObject(item, ['token_breakdown', 'tokenBreakdown']);
  if (breakdown === null || firstExisting(breakdown, ['schema_version', 'schemaVersion']) !== 2) return NO_BREAKDOWN;
  const { quality } = breakdown;
  if (quality !== 'complete' && quality !== 'inconsistent' && quality !== 'unclassified') return NO_BREAKDOWN;
  const unclassified = count(firstExisting(breakdown, ['unclassified_tokens', 'unclassifiedTokens'])) ?? 0;
  if (quality !== 'complete') return { ...NO_BREAKDOWN, quality, unclassified };
  const complete = completeBuckets(breakdown.input, breakdown.output);
  if (complete === 'unknown') return { ...NO_BREAKDOWN, unclassified };
  return complete === 'contradictory'
    ? { ...NO_BREAKDOWN, quality: 'inconsistent', unclassified }
    : { quality, unclassified, cacheWrite1h: cacheWrite1hOf(breakdown.input), complete };
}

function cacheWrite1hOf(input: unknown): number {
  return isJsonObject(input) ? (count(input.cache_write_1h_tokens) ?? 0) : 0;
}

function completeBuckets(
  input: unknown,
  output: unknown,
): { readonly input: InputBuckets; readonly output: number } | 'unknown' | 'contradictory' {
  if (!isJsonObject(input) || !isJsonObject(output)) return 'unknown';
  const total = count(input.total_tokens);
  const uncached = count(input.uncached_tokens);
  const read = count(input.cache_read_tokens);
  const write = count(input.cache_write_tokens);
  const outputTotal = count(output.total_tokens);
  if (total === null || uncached === null || read === null || write === null || outputTotal === null) return 'unknown';
  if (total !== uncached + read + write) return 'contradictory';
  return {
    input: {
      normalized_uncached_input_tokens: uncached,
      normalized_total_input_tokens: total,
      normalized_cache_read_tokens: read,
      normalized_cache_creation_tokens: write,
    },
    output: outputTotal,
  };
}
