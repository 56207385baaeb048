import { expect, test } from 'bun:test';
import { maskLog } from '../../../platform/format/mask.ts';
import { toEntries } from './log-buffer.ts';
import { drawnLines, gridHeight, maskedLines, rowAt, startsOf, textHeight } from './log-heights.ts';

const [entry] = toEntries(
  [
    '[2026-11-29 06:43:34] [--------] [error] [m.go:2] refused Bearer abcdefgh12345678 of ops@example.org from 10.1.2.3',
    '-----BEGIN PRIVATE KEY-----',
    'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC',
    '-----END PRIVATE KEY-----',
    '\tat x',
  ],
  0,
);
if (entry === undefined) throw new Error('there is no entry');

test('an entry is masked as a whole, on screen and in copies', () => {
  const masked = [
    '[2026-11-29 06:43:34] [--------] [error] [m.go:2] refused Bearer [redacted] of ops***@example.org from 10.1.*.*',
    '[redacted]',
    '\tat x',
  ];
  expect(maskedLines(entry, maskLog)).toEqual(masked);
  expect(drawnLines(entry, maskLog)).toEqual([...masked.slice(0, 2), '    at x']);
  expect(drawnLines(entry, maskLog)).toBe(drawnLines(entry, maskLog));
  expect(maskedLines(entry, (text) => text)).toEqual(entry.lines);
});

test('rows have the height of their text', () => {
  expect(textHeight(['x'.repeat(25), 'y'], 10)).toBe(4 * 18 + 7);
  expect(textHeight(['x'.repeat(25), 'y'], null)).toBe(2 * 18 + 7);
  expect(gridHeight(entry, false, 28)).toBe(28);
  expect(gridHeight(entry, true, 28)).toBe(28 + 4 * 18 + 7);
});

test('the row at a position is found', () => {
  const starts = startsOf([10, 20, 30]);
  expect([...starts]).toEqual([0, 10, 30, 60]);
  expect([-5, 0, 9, 10, 29, 30, 59, 60, 900].map((position) => rowAt(starts, position))).toEqual([
    0, 0, 0, 1, 1, 2, 2, 2, 2,
  ]);
  expect(rowAt(startsOf([]), 5)).toBe(0);
});
