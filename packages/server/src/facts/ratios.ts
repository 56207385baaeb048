import { costOfTotals, type Totals } from './kernels/totals.ts';

/** Ratios and token members of every section. All are 0 where the divisor is 0. */

export function ratio(part: number, whole: number): number {
  return whole > 0 ? part / whole : 0;
}

/** Cache creation is not a hit; wrong provider data cannot raise the rate above 1. */
export function cacheHitRate({ cachedTokens, cacheReadTokens, inputTokens }: Totals): number {
  return Math.min(1, ratio(cachedTokens + cacheReadTokens, inputTokens));
}

export function averageLatency({ latencySumMs, latencySamples }: Totals): number | null {
  return latencySamples > 0 ? latencySumMs / latencySamples : null;
}

export function callMembers({ calls, failures }: Pick<Totals, 'calls' | 'failures'>) {
  return {
    calls,
    success_calls: calls - failures,
    failure_calls: failures,
    success_rate: ratio(calls - failures, calls),
  };
}

export function tokenMembers(totals: Totals) {
  return {
    input_tokens: totals.inputTokens,
    output_tokens: totals.outputTokens,
    cached_tokens: totals.cachedTokens,
    cache_read_tokens: totals.cacheReadTokens,
    cache_creation_tokens: totals.cacheCreationTokens,
  };
}

export function cacheMembers(totals: Totals) {
  return {
    cache_hit_tokens: totals.cachedTokens + totals.cacheReadTokens,
    cache_hit_input_tokens: totals.inputTokens,
    cache_hit_rate: cacheHitRate(totals),
  };
}

/** USD, and the number of unpriced requests that are missing in it. */
export function costMember(totals: Totals) {
  return { cost: costOfTotals(totals), ...unpricedMember(totals) };
}

/** Empty when every request is priced. */
export function unpricedMember({ unpricedCalls }: Pick<Totals, 'unpricedCalls'>): { readonly unpriced_calls?: number } {
  return unpricedCalls === 0 ? {} : { unpriced_calls: unpricedCalls };
}
