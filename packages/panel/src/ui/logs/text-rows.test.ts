import { expect, test } from 'bun:test';
import { findRows, textRows } from './text-rows.ts';

test('a text is shown line by line, long lines in parts that lose nothing', () => {
  expect(textRows('a\r\nb\n\nc\n')).toEqual(['a', 'b', '', 'c']);
  const long = `${'x'.repeat(1_999)}😀${'y'.repeat(3_000)}`;
  const rows = textRows(long);
  expect(rows.join('')).toBe(long);
  expect(rows.every((row) => row.length <= 2_000 && row.isWellFormed())).toBe(true);
});

test('rows are found by their text in any case', () => {
  expect(findRows(['=== HEADERS ===', 'x-headers: 1', ''], 'headers')).toEqual([0, 1]);
  expect(findRows(['a'], '')).toEqual([]);
});
