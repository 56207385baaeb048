import { describe, expect, test } from 'bun:test';
import { createPartialResults } from './partials.ts';

const ids = (...list: number[]) => new Set(list);

describe('results over sealed segments', () => {
  test('are found for the same and for more segments, the largest first', () => {
    const partials = createPartialResults();
    partials.keep('a', ids(2, 3), 'short', 10);
    partials.keep('a', ids(7, 8), 'other range', 10);
    expect(partials.find('a', ids(2, 3))?.state).toBe('short');
    expect(partials.find('a', ids(1, 2, 3, 4, 7, 8))?.segments.size).toBe(2);
    partials.keep('a', ids(1, 2, 3), 'longer', 10);
    expect(partials.find('a', ids(1, 2, 3, 4))?.state).toBe('longer');
  });

  test('are not found when the query leaves out one of their segments, nor under another key', () => {
    const partials = createPartialResults();
    partials.keep('a', ids(1, 2, 3), 'state', 10);
    expect(partials.find('a', ids(2, 3, 4))).toBeNull();
    expect(partials.find('b', ids(1, 2, 3))).toBeNull();
  });

  test('are evicted, least recently used first, and never exceed the limit', () => {
    const partials = createPartialResults(10_000);
    for (const key of ['a', 'b', 'c']) partials.keep(key, ids(1), key, 2_000);
    expect(partials.find('a', ids(1))?.state).toBe('a');
    for (const key of ['d', 'e']) partials.keep(key, ids(1), key, 2_000);
    expect(partials.find('b', ids(1))).toBeNull();
    expect(partials.find('a', ids(1))?.state).toBe('a');
    expect(partials.bytes()).toBeLessThanOrEqual(10_000);
  });

  test('one that is larger than half of the limit is not kept', () => {
    const partials = createPartialResults(10_000);
    partials.keep('large', ids(1), 'state', 6_000);
    expect(partials.find('large', ids(1))).toBeNull();
    expect(partials.bytes()).toBe(0);
  });
});
