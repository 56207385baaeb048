import { expect, test } from 'bun:test';
import { result } from '../../platform/testing/inspection-results.ts';
import { requestOf } from './batch.ts';
import { openSuggestions, suggestionBatch } from './suggestions.ts';

const results = [
  result(1, { action: 'enable', fileName: 'a.json' }),
  result(2, { action: 'delete', fileName: 'b.json' }),
  result(3, { action: 'reauth', fileName: 'c.json' }),
  result(4, { action: 'keep', fileName: 'd.json' }),
  result(5, { action: 'disable', fileName: 'b.json' }),
  result(6, { action: 'disable', fileName: 'e.json', actionStatus: 'success' }),
];

test('suggestions that can be carried out, the most urgent first', () => {
  expect(openSuggestions(results).map(({ id }) => id)).toEqual([2, 5, 1]);
});

test('each ticked account gets its own suggestion, in one request', () => {
  const batch = suggestionBatch(results, new Set([1, 2, 3, 6]));
  expect(requestOf(batch)).toEqual({ resultIds: [2, 1] });
  // Another account of the file is not ticked.
  expect(batch.files).toMatchObject([
    { fileName: 'b.json', others: 1 },
    { fileName: 'a.json', others: 0 },
  ]);
});
