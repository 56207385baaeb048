import { describe, expect, test } from 'bun:test';
import { type Change, diffLines, splitLines } from './line-diff.ts';
import { mergeLines } from './merge-lines.ts';

/** The second text, from the first one and the changes. */
function applied(before: readonly string[], after: readonly string[], changes: readonly Change[]): string[] {
  const lines: string[] = [];
  let at = 0;
  for (const { from, to, newFrom, newTo } of changes) {
    lines.push(...before.slice(at, from), ...after.slice(newFrom, newTo));
    at = to;
  }
  return [...lines, ...before.slice(at)];
}

describe('the difference of two texts', () => {
  test.each([
    ['abc', 'abc', 0],
    ['', 'abc', 1],
    ['abc', '', 1],
    ['abcdef', 'abXdef', 1],
    ['abcabba', 'cbabac', 4],
    ['abcdefgh', 'axcdyfgh', 2],
  ])('of %s and %s has few changes', (before, after, count) => {
    const [left, right] = [[...before], [...after]];
    const changes = diffLines(left, right);
    expect(applied(left, right, changes).join('')).toBe(after);
    expect(changes).toHaveLength(count);
  });

  test('gives the second text for any two', () => {
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
      return Math.floor((seed / 2 ** 31) * below);
    };
    for (let round = 0; round < 300; round++) {
      const letters = (length: number) => Array.from({ length }, () => 'abcd'[random(4)] ?? 'a');
      const [left, right] = [letters(random(12)), letters(random(12))];
      expect(applied(left, right, diffLines(left, right))).toEqual(right);
    }
  });

  test('of texts with nothing in common is one change', () => {
    const numbers = (from: number) => Array.from({ length: 3_000 }, (_, index) => `${from + index}\n`);
    expect(diffLines(numbers(0), numbers(5_000))).toEqual([{ from: 0, to: 3_000, newFrom: 0, newTo: 3_000 }]);
  });

  test('keeps line breaks of both kinds', () => {
    for (const text of ['a\r\nb\n\nc', '\n', '', 'a\n']) expect(splitLines(text).join('')).toBe(text);
  });
});

describe('a merge of lines', () => {
  const base = 'a\nb\nc\nd\ne\n';
  test('takes the changes of both sides', () => {
    const merged = mergeLines(base, 'A\nb\nc\nd\ne\n', 'a\nb\nc\nd\nE\nf\n');
    expect(merged.conflicts).toEqual([]);
    expect(merged.resolve([])).toBe('A\nb\nc\nd\nE\nf\n');
  });

  test('takes the same change of both sides once', () => {
    expect(mergeLines(base, 'a\nc\nd\ne\n', 'a\nc\nd\ne\n').resolve([])).toBe('a\nc\nd\ne\n');
  });

  test('asks about lines that both changed', () => {
    const merged = mergeLines(base, 'a\nmine\nc\nd\ne\n', 'a\ntheirs\nc\nd\ne\nf\n');
    expect(merged.conflicts).toEqual([{ line: 2, mine: 'mine\n', theirs: 'theirs\n' }]);
    expect(merged.resolve(['mine'])).toBe('a\nmine\nc\nd\ne\nf\n');
    expect(merged.resolve(['theirs'])).toBe('a\ntheirs\nc\nd\ne\nf\n');
  });

  test('asks about lines that both added at one place', () => {
    const merged = mergeLines(base, `${base}mine\n`, `${base}theirs\n`);
    expect(merged.conflicts).toHaveLength(1);
    expect(merged.resolve(['theirs'])).toBe(`${base}theirs\n`);
  });
});
