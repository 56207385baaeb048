import { expect, test } from 'bun:test';
import { findRows, textRows } from './text-rows.ts';

const texts = (text: string, columns: number | null = null) => textRows(text, columns).map((row) => row.text);

test('a text is shown line by line, long lines in parts that lose nothing and fill the lines on screen', () => {
  expect(texts('a\r\nb\n\nc\n')).toEqual(['a', 'b', '', 'c']);
  const long = `${'x'.repeat(1_999)}😀${'y'.repeat(3_000)}`;
  const rows = texts(long);
  expect(rows.join('')).toBe(long);
  expect(rows.every((row) => row.length <= 2_000 && row.isWellFormed())).toBe(true);
  expect(texts('x'.repeat(5_000), 74).map((row) => row.length)).toEqual([1_998, 1_998, 1_004]);
  expect(texts('x'.repeat(5_000), 9_000).map((row) => row.length)).toEqual([2_000, 2_000, 1_000]);
});

test('rows are found by their text in any case, also where a line is parted', () => {
  expect(findRows(textRows('=== HEADERS ===\nx-headers: 1\n'), 'headers')).toEqual([0, 1]);
  expect(findRows(textRows('a'), '')).toEqual([]);
  const parted = textRows(`${'x'.repeat(1_997)}needle\n${'x'.repeat(1_997)}\nneedle`);
  expect(findRows(parted, 'NEEDLE')).toEqual([0, 3]);
});
