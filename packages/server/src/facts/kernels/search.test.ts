import { describe, expect, test } from 'bun:test';
import { decodeHashes, encodeHashes } from '../segment/hashes.ts';
import { decodeTexts, encodeTexts } from '../segment/texts.ts';
import { isHexNeedle, markHexDigits, markOpaque } from './hash-search.ts';
import { markEqual, markSubstring } from './text-search.ts';

function column(texts: readonly string[]) {
  return decodeTexts(encodeTexts(texts, () => true).payload, texts.length);
}

function rowsOf(mask: Uint8Array): number[] {
  return [...mask.entries()].filter(([, set]) => set === 1).map(([row]) => row);
}

describe('substring of a text column', () => {
  const TEXTS = ['', 'abab', 'xab', 'b', '', 'aaab', '超时', 'ab'];
  for (const needle of ['a', 'ab', 'aab', 'abab', 'ba', '时', 'abx', 'zzz']) {
    test(`${needle} is found where the text has it, never across rows`, () => {
      const mask = new Uint8Array(TEXTS.length);
      markSubstring(column(TEXTS), new TextEncoder().encode(needle), mask);
      expect(rowsOf(mask)).toEqual([...TEXTS.keys()].filter((row) => TEXTS[row]?.includes(needle)));
    });
  }

  test('whole texts, few and many', () => {
    for (const padding of [0, 40]) {
      const values = ['ab', 'xab', ...Array.from({ length: padding }, (_, index) => `no ${index}`)];
      const mask = new Uint8Array(TEXTS.length);
      markEqual(column(TEXTS), values, mask);
      expect(rowsOf(mask)).toEqual([2, 7]);
    }
  });
});

describe('digits of hashes', () => {
  const random = (seed: number) =>
    Uint8Array.from({ length: 32 }, (_, index) => Math.imul(seed * 31 + index, 2_654_435_761) >>> 24);
  const hashes = Array.from({ length: 40 }, (_, row) => random(row));
  const texts = hashes.map((hash) => Buffer.from(hash).toString('hex'));
  const encoded = encodeHashes(hashes);
  const decoded = decodeHashes(encoded.layout, encoded.payload, hashes.length);

  for (const length of [1, 2, 3, 4, 5, 6, 7, 8, 31, 63, 64]) {
    test(`${length} digits at any place, none across two hashes`, () => {
      const joined = texts.join('');
      for (let from = 0; from + length <= joined.length; from += length > 2 ? 7 : 97) {
        const needle = joined.slice(from, from + length);
        const mask = new Uint8Array(hashes.length);
        markHexDigits(decoded, needle, mask);
        expect(rowsOf(mask)).toEqual([...texts.keys()].filter((row) => texts[row]?.includes(needle)));
      }
    });
  }

  test('zeros do not find opaque hashes, which are found by their text', () => {
    const mixed = encodeHashes(['Legacy-1', new Uint8Array(32)]);
    const columnOfBoth = decodeHashes(mixed.layout, mixed.payload, 2);
    for (const zeros of ['0', '00', '000', '00000']) {
      const mask = new Uint8Array(2);
      markHexDigits(columnOfBoth, zeros, mask);
      expect(rowsOf(mask)).toEqual([1]);
    }
    const mask = new Uint8Array(2);
    markOpaque(columnOfBoth, 'legacy', mask);
    expect(rowsOf(mask)).toEqual([0]);
  });

  test('a text that is not hex is not searched as hex', () => {
    expect(['7', 'beef', 'a'.repeat(64)].map(isHexNeedle)).toEqual([true, true, true]);
    expect(['', 'g', 'BEEF', 'a b', 'a'.repeat(65)].map(isHexNeedle)).toEqual([false, false, false, false, false]);
  });
});
