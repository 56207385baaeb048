import { expect, test } from 'bun:test';
import { decodeTexts, encodeTexts } from '../segment/texts.ts';
import { spellings, textPairs } from './text-pairs.ts';

const encoder = new TextEncoder();
const ways = (pairs: ReturnType<typeof textPairs>, text: string) =>
  spellings(pairs, encoder.encode(text))?.map((way) => new TextDecoder().decode(way)) ?? null;

test('for any alignment, the pairs are exactly those of adjacent bytes', () => {
  for (let offset = 0; offset < 4; offset++) {
    for (let length = 0; length < 12; length++) {
      const buffer = encoder.encode('0'.repeat(offset) + 'abcdefghijkl'.slice(0, length) + '0'.repeat(4));
      const bytes = buffer.subarray(offset, offset + length);
      const pairs = textPairs({ bytes, starts: Uint32Array.of(0, length + 1) }, true);
      for (let first = 0; first < 12; first++) {
        for (let second = 0; second < 12; second++) {
          const text = 'abcdefghijkl'.charAt(first) + 'abcdefghijkl'.charAt(second);
          expect([offset, text, ways(pairs, text)]).toEqual([
            offset,
            text,
            second === first + 1 && second < length ? [text] : [],
          ]);
        }
      }
    }
  }
});

test('only spellings whose pairs occur are searched', () => {
  const texts = ['7d1e91a29d643e4d-FRA', 'nw-req-0a', 'ABab'];
  const pairs = textPairs(decodeTexts(encodeTexts(texts, () => true).payload, texts.length), false);
  expect(ways(pairs, '91a2')).toEqual(['91a2']);
  expect(ways(pairs, '4d-fra')).toEqual(['4d-FRA']);
  expect(ways(pairs, 'ab')).toEqual(['ab', 'AB']);
  expect(ways(pairs, 'a')).toEqual(['a', 'A']);
  expect(ways(pairs, 'req_')).toEqual([]);
  expect(ways(pairs, 'é')).toEqual([]);
  expect(ways(pairs, `${'ab'.repeat(10)}a`)).toEqual([]);
});

test('texts with many spellings are not searched one by one', () => {
  const texts = ['aA', 'Aa', 'aa', 'AA', 'a'.repeat(40)];
  const pairs = textPairs(decodeTexts(encodeTexts(texts, () => true).payload, texts.length), false);
  expect(ways(pairs, 'aa')).toEqual(['aa', 'aA', 'Aa', 'AA']);
  expect(ways(pairs, 'aaaaa')).toBeNull();
});
