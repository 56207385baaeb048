import { expect, test } from 'bun:test';
import { JsonShortener } from './json-shortener.ts';

function shorten(text: string, { room = 100_000, chunk = 7_001 } = {}): JsonShortener {
  const shortener = new JsonShortener({ room, headBytes: 100 });
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += chunk) shortener.take(bytes.subarray(at, at + chunk));
  return shortener;
}

const textOf = (shortener: JsonShortener) => new TextDecoder('utf-8', { fatal: true }).decode(shortener.view());

test('a value with short strings stays as it is', () => {
  const text = JSON.stringify({ a: 'x\\"\u20ac\n', b: [1, { 'na"me': '' }], c: '\u{1F511}' });
  for (const chunk of [1, 2, 3, 1_000]) expect(textOf(shorten(text, { chunk }))).toBe(text);
});

test('long strings are cut, everything else is kept, and the result is JSON', () => {
  for (const filler of ['x', '\u20ac', '\u{1F511}', '\\"', '"', '\u0001', '\ud800', 'ab\\']) {
    const value = { before: 1, body: filler.repeat(90_000), nested: [{ other: filler.repeat(50_000) }], after: 'end' };
    for (const chunk of [997, 10_000_000]) {
      const shortener = shorten(JSON.stringify(value), { chunk });
      if (shortener.isFull) {
        // Nothing but escape sequences: no place is safe to cut.
        expect(['\\"', '"', '\u0001', '\ud800']).toContain(filler);
        expect(shortener.view().length).toBe(100);
        continue;
      }
      const short = JSON.parse(textOf(shortener));
      expect(short).toMatchObject({ before: 1, after: 'end' });
      for (const cut of [short.body, short.nested[0].other]) {
        expect(cut).toEndWith('...(truncated)');
        expect((filler.repeat(90_000) as string).startsWith(cut.slice(0, -'...(truncated)'.length))).toBe(true);
      }
      expect(shortener.view().length).toBeLessThanOrEqual(100_000);
    }
  }
});

test('a value of many members has no room; only its start is kept', () => {
  const text = JSON.stringify(Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`m${at}`, at])));
  const shortener = shorten(text);
  expect(shortener.isFull).toBe(true);
  expect(textOf(shortener)).toBe(text.slice(0, 100));
});
