import { describe, expect, test } from 'bun:test';
import type { ModelPrice } from '@manager/core/pricing/price';
import { applyEdits, changesBetween, conflictsOf, undoOf } from './price-changes.ts';

const price = (prompt: number, more: Partial<ModelPrice> = {}): ModelPrice => ({
  prompt,
  completion: 0,
  cache: 0,
  ...more,
});

describe('changes of prices', () => {
  test('show old and new prices without times', () => {
    const before = { a: price(1), b: price(2), d: price(4, { updatedAtMs: 1 }) };
    const after = { a: price(1.5), c: price(3), d: price(4, { updatedAtMs: 2 }) };
    expect(changesBetween(before, after)).toEqual([
      { model: 'a', kind: 'changed', rates: [{ rate: 'prompt', before: 1, after: 1.5 }], tiers: false },
      { model: 'b', kind: 'removed', rates: [{ rate: 'prompt', before: 2, after: null }], tiers: false },
      { model: 'c', kind: 'added', rates: [{ rate: 'prompt', before: null, after: 3 }], tiers: false },
    ]);
  });

  test('undo brings back what differs and leaves the rest', () => {
    const before = { a: price(1), b: price(2) };
    const after = { a: price(9), b: price(2), c: price(3) };
    expect(applyEdits(after, undoOf(before, after))).toEqual(before);
  });

  test('an edit conflicts only where its model was changed', () => {
    const base = { a: price(1), b: price(2) };
    const current = { a: price(5), b: price(2, { updatedAtMs: 7 }) };
    expect(conflictsOf(base, current, new Map([['b', price(3)]]))).toEqual([]);
    expect(conflictsOf(base, current, new Map([['a', price(3)]]))).toEqual(['a']);
    expect(conflictsOf(base, current, new Map([['constructor', price(3)]]))).toEqual([]);
  });
});
