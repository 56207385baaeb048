import { describe, expect, test } from 'bun:test';
import { fragment, JsonWriter, numberMembers, openObject } from './json-writer.ts';
import { jsonOf, WrittenList } from './written-list.ts';

function written(write: (out: JsonWriter) => void): string {
  const out = new JsonWriter();
  write(out);
  return Buffer.concat(out.finish()).toString();
}

describe('numbers are written as JSON.stringify writes them', () => {
  const edges = [0, -0, 1, 9, 10, 99, 100, 12_345, 999_999_999, 1e9, 1_000_000_001, 1_788_215_398_999, 1e15 - 1, 1e15];
  const others = [-1, 0.1, 1 / 3, 1e-7, 1.5e300, 1e21, 2 ** 53, Number.MAX_VALUE, 5e-324, 123_456.789];
  const none = [Number.NaN, Number.POSITIVE_INFINITY, null];
  test.each([...edges, ...others, ...none])('%p', (value) => {
    expect(written((out) => out.number(value))).toBe(JSON.stringify(value));
  });

  test('of every length', () => {
    for (let digits = 1, value = 1; digits <= 16; digits++, value = value * 10 + ((digits * 7) % 10)) {
      for (const near of [value - 1, value, value + 1]) {
        expect(written((out) => out.number(near))).toBe(JSON.stringify(near));
      }
    }
  });
});

test('values of any length and any script are written completely', () => {
  const values = ['é', '漢字', '\u{1F600}', '\ud800', 'a"b\\c\n', 'x'.repeat(3_000_000), '漢\u{1F600}'.repeat(400_000)];
  expect(written((out) => out.value(values))).toBe(JSON.stringify(values));
});

test('fragments of any length follow each other', () => {
  const texts = [1, 63, 64, 65, 40_000, 2_000_000, 3].map((length, index) => String(index).repeat(length));
  expect(
    written((out) => {
      for (const text of texts) out.fragment(fragment(text));
    }),
  ).toBe(texts.join(''));
});

test('an object is opened with texts and continued with numbers', () => {
  const members = numberMembers<{ readonly count: number }>({
    calls: ({ count }) => count,
    none: () => undefined,
    rate: () => null,
  });
  const json = written((out) => {
    out.fragment(openObject({ id: 'ü', label: undefined }));
    out.numbers(members, { count: 7 });
    out.fragment(fragment('}'));
  });
  expect(json).toBe('{"id":"ü","calls":7,"rate":null}');
});

test('written lists may be members of an answer and of its objects', () => {
  const list = new WrittenList<number>(3, (out, index) => out.number(index));
  const answer = {
    at: 1,
    none: undefined,
    list,
    plain: [{ a: undefined, b: 'c' }],
    inner: { x: undefined, list, y: 2 },
  };
  expect(JSON.parse(Buffer.concat(jsonOf(answer)).toString())).toEqual({
    at: 1,
    list: [0, 1, 2],
    plain: [{ b: 'c' }],
    inner: { list: [0, 1, 2], y: 2 },
  });
  expect(Buffer.concat(jsonOf({ none: undefined, a: [] })).toString()).toBe('{"a":[]}');
});
