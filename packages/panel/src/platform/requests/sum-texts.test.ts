import { describe, expect, test } from 'bun:test';
import { shortCost, tokenRemarks } from './sum-texts.ts';

describe('cost in a tile', () => {
  test.each([
    [0, 0, false, '$0'],
    [0, 3, false, '–'],
    [12.3456, 3, false, '≥$12.346'],
    [12_345.67, 3, false, '≥$12,346'],
    [0.0004, 3, false, '≥$0'],
    [123_456, 3, false, '≥$123K'],
    [1_234.5, 3, true, '≥$1,235'],
    [27.333, 3, true, '≥$27'],
    [6.832, 3, true, '≥$6.832'],
    [99_999.99, 0, false, '$99,999.99'],
    [123_456, 0, false, '$123K'],
    [195.81, 0, true, '$195.81'],
    [1_234.5, 0, true, '$1,235'],
    [12_345, 0, true, '$12.3K'],
  ])('%p with %p unpriced, narrow %p: %p', (total_cost, unpriced_calls, narrow, text) => {
    expect(shortCost({ total_cost, unpriced_calls }, narrow)).toBe(text);
  });
});

describe('remarks on token sums', () => {
  const none = { inconsistent_calls: 0, unclassified_tokens: 0, zero_token_calls: 0 };

  test('there are none when everything is normal', () => {
    expect(tokenRemarks(none)).toEqual([]);
  });

  test('the gravest comes first, zero counts are no remark', () => {
    const remarks = tokenRemarks({ ...none, unclassified_tokens: 12, zero_token_calls: 4 });
    expect(remarks.map((remark) => [remark.short, remark.value])).toEqual([
      ['stat.unclassified', 12],
      ['stat.zeroTokens', 4],
    ]);
  });
});
