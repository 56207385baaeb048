import { costOfTotals, type Totals } from './kernels/totals.ts';

/** Ratios and token members as every section words them. All are 0 where there is nothing to divide by. */

export function ratio(part: number, whole: number): number {
  return whole > 0 ? part / whole : 0;
}

/** Cache creation is not a hit; bad data of a provider cannot lift it above 1. */
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

/** USD, and how many calls are missing in it for want of a price. */
export function costMember(totals: Totals) {
  return { cost: costOfTotals(totals), ...unpricedMember(totals) };
}

/** Nothing where every call has a price. */
export function unpricedMember({ unpricedCalls }: Pick<Totals, 'unpricedCalls'>): { readonly unpriced_calls?: number } {
  return unpricedCalls === 0 ? {} : { unpriced_calls: unpricedCalls };
}
