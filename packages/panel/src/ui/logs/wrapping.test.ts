import { expect, test } from 'bun:test';
import { columnsOf, drawnLine, rowsOf } from './wrapping.ts';

test('rows of a line are those of its letters, whatever words it has', () => {
  expect(rowsOf('', 10)).toBe(1);
  expect(rowsOf('0123456789', 10)).toBe(1);
  expect(rowsOf('01234 6789a', 10)).toBe(2);
  expect(rowsOf('x'.repeat(95), 10)).toBe(10);
});

test('wide letters take two columns', () => {
  expect(columnsOf('日志 log')).toBe(8);
  expect(rowsOf('日'.repeat(9), 10)).toBe(2);
  expect(rowsOf('日'.repeat(10), 11)).toBe(2);
});

test('a line on screen is text of bounded length', () => {
  expect(drawnLine('a\tb\u001b[31mred\u202e')).toBe('a    b\ufffd[31mred\ufffd');
  expect(drawnLine('x'.repeat(9_000)).length).toBe(4_001);
});
