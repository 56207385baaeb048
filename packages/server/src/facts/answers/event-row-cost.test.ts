import { describe, expect, test } from 'bun:test';
import { costOfEvent } from '@manager/core/pricing/cost';
import { rowIdentity, rowTokens } from '@manager/core/pricing/event-row';
import vectors from '@manager/core/pricing/fixtures/cost-vectors.json';
import type { PriceMap } from '@manager/core/pricing/price';
import { createPriceBook } from '@manager/core/pricing/price-book';
import { eventOf } from '@manager/core/usage/testing/context';
import { eventRow } from './event-row.ts';

const priceBooks: Readonly<Record<string, PriceMap>> = vectors.price_books;

describe('a row has everything that the cost of its event needs', () => {
  for (const vector of vectors.event_cases) {
    test(vector.id, () => {
      const row = eventRow(eventOf(vector.payload));
      const better: { readonly cost_number?: number } = vector.expected_better ?? {};
      const expected = better.cost_number ?? vector.expected.cost_number;
      const cost = costOfEvent(createPriceBook(priceBooks[vector.price_book] ?? {}), rowIdentity(row), rowTokens(row));
      expect(Math.abs(cost - expected)).toBeLessThanOrEqual(vectors.tolerance_abs);
    });
  }

  test('a row has billed counts only where they differ from the others', () => {
    const event = { ...eventOf(vectors.event_cases[0]?.payload ?? {}), cache_read_tokens: 0, cache_creation_tokens: 0 };
    expect(Object.keys(eventRow(event)).filter((name) => /^(uncached|billable)_/.test(name))).toEqual([]);
    const told = eventRow({ ...event, normalized_uncached_input_tokens: 7, billable_output_tokens: 999 });
    expect(told).toMatchObject({ uncached_input_tokens: 7, billable_output_tokens: 999 });
    expect(rowTokens(told)).toMatchObject({ uncachedInput: 7, billableOutput: 999 });
  });
});
