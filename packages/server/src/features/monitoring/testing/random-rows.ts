import fc from 'fast-check';
import { type StoredEvent, testEvent } from '../../../facts/testing/test-database.ts';
import { FROM_MS, members } from './random-events.ts';

// Random events with tokens, for sums by what they have in common.

const tokens = fc.constantFrom(0, 0, 1, 2, 70_000, 300_001);

export const drafts = fc.tuple(
  members,
  fc.record({
    // Some events of one task, some less than a millisecond apart, some hours apart.
    timestamp_ms: fc.constantFrom(0, 1, 1_800_000, 1_800_001, 7_000_000, 9_000_500).map((after) => FROM_MS + after),
    nanos: fc.constantFrom('', '', '1', '25'),
    uncached: tokens,
    output_tokens: tokens,
    reasoning_tokens: tokens,
    total_tokens: tokens,
    cached_tokens: tokens,
    cache_read_tokens: tokens,
    cache_creation_tokens: tokens,
  }),
);

export function eventOf(
  id: number,
  [draft, { nanos, uncached, ...counts }]: typeof drafts extends fc.Arbitrary<infer Value> ? Value : never,
): StoredEvent {
  const { cached_tokens, cache_read_tokens, cache_creation_tokens, timestamp_ms } = counts;
  const residual = Math.max(cached_tokens - cache_read_tokens - cache_creation_tokens, 0);
  const input = uncached + residual + cache_read_tokens + cache_creation_tokens;
  const milliseconds = new Date(timestamp_ms)
    .toISOString()
    .replace('Z', nanos)
    .replace(/\.?0*$/, '');
  return testEvent(id, {
    ...draft,
    ...counts,
    // An event of the product never has more of these than of all cache writes.
    cache_write_1h_tokens: Math.min(draft.cache_write_1h_tokens, cache_creation_tokens),
    timestamp: `${milliseconds}Z`,
    latency_ms: draft.latency_ms,
    billable_output_tokens: counts.output_tokens + (id % 3),
    normalized_uncached_input_tokens: uncached,
    normalized_total_input_tokens: input,
    normalized_cache_read_tokens: cache_read_tokens,
    normalized_cache_creation_tokens: cache_creation_tokens,
  });
}
