import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { JsonListCutter, type ListCutterOptions } from './json-list-cutter.ts';

interface Cut extends Partial<ListCutterOptions> {
  /** Bytes of each portion. */
  readonly step?: number;
}

function cut(text: string, { step, ...options }: Cut = {}) {
  const cutter = new JsonListCutter({ maxElementBytes: 1_000, ...options });
  const bytes = Buffer.from(text);
  const found: { text: string; totalBytes: number; line: number }[] = [];
  const portion = step ?? bytes.length;
  for (let from = 0; from < bytes.length; from += portion) {
    const chunk = bytes.subarray(from, from + portion);
    for (let at = 0; at < chunk.length && cutter.state === 'open'; ) {
      at = cutter.take(chunk, at);
      const { element } = cutter;
      if (element !== null) found.push({ ...element, text: Buffer.from(element.bytes).toString() });
    }
  }
  return { state: cutter.state, line: cutter.line, texts: found.map(({ text }) => text), found };
}

const mixed = ' [ {"a":[1,{"b":"]}"}]} ,"x\\"],", 12.50 ,null,[1,[2]], true,-3e5,""] ';
const parts = ['{"a":[1,{"b":"]}"}]}', '"x\\"],"', '12.50', 'null', '[1,[2]]', 'true', '-3e5', '""'];

test.each([true, false])('elements are cut out exactly as sent, in any portions (strict: %p)', (strict) => {
  for (const step of [1, 2, 3, 7, 1_000]) {
    expect(cut(mixed, { step, strict })).toMatchObject({ state: 'ended', texts: parts });
  }
});

test('numbers keep all their digits', () => {
  expect(cut('[{"n":12345678901234567890.10}]').texts).toEqual(['{"n":12345678901234567890.10}']);
});

test('any list of JSON values comes out again', () => {
  fc.assert(
    fc.property(
      fc.array(fc.jsonValue(), { maxLength: 8 }),
      fc.integer({ min: 1, max: 20 }),
      fc.nat(2),
      fc.boolean(),
      (values, step, indent, strict) => {
        const { state, texts } = cut(JSON.stringify(values, null, indent), { step, strict, maxElementBytes: 1e6 });
        expect(state).toBe('ended');
        expect(texts.map((text) => JSON.parse(text))).toEqual(JSON.parse(JSON.stringify(values)));
      },
    ),
  );
});

test('a misplaced byte affects only its element', () => {
  expect(cut('[{"a":1},{bad},}{"b":2}{"c":3}]')).toMatchObject({
    state: 'ended',
    texts: ['{"a":1}', '{bad}', '}', '{"b":2}', '{"c":3}'],
  });
  expect(cut('\ufeff[,\u0001{"a":1},12",{"b":2},,]').texts).toEqual(['{"a":1}', '12"', '{"b":2}']);
});

test.each(['[,1]', '[1,]', '[1,,2]', '[1 2]', '[{}}', '[}', '[{"a":1}{"b":2}]'])(
  '%j is broken where it is strict',
  (text) => {
    expect(cut(text, { strict: true }).state).toBe('broken');
  },
);

test.each(['[{"a":1},{"b"', '[', '', '[1,2'])('%j broke off', (text) => {
  expect(cut(text).state).toBe('open');
});

test.each(['<html>', '{"error":"x"}', '"text"'])('%j is no list', (text) => {
  expect(cut(text).state).toBe('not a list');
});

test('a list is found under one of its keys, whatever comes before it', () => {
  const text = '{"total":2,"note":"files","nested":{"files":[9]},"files":[{"name":"a"},{"name":"b"}],"more":[1]}';
  for (const step of [1, 5, 500]) {
    expect(cut(text, { step, listKeys: ['files', 'items'] }).texts).toEqual(['{"name":"a"}', '{"name":"b"}']);
  }
  expect(cut('{"files":{}}', { listKeys: ['files'] }).state).toBe('no list');
});

test.each([1_000, 100_000])(
  'an element above the limit keeps its beginning and its length (portions of %d)',
  (step) => {
    const text = `["${'x'.repeat(50_000)}",{"a":1}]`;
    const { found } = cut(text, { step, maxElementBytes: 20_000, headBytes: 4_096 });
    expect(found.map(({ text, totalBytes }) => [text.length, totalBytes])).toEqual([
      [4_096, 50_002],
      [7, 7],
    ]);
    expect(cut(text, { step, maxElementBytes: 20_000 }).texts).toEqual(['', '{"a":1}']);
  },
);

test('an element above the limit is known before its end', () => {
  const cutter = new JsonListCutter({ maxElementBytes: 10 });
  cutter.take(Buffer.from('["12345678'), 0);
  expect(cutter.tooLarge).toBe(false);
  cutter.take(Buffer.from('90'), 0);
  expect(cutter.tooLarge).toBe(true);
});

test('lines are counted between elements and inside them', () => {
  for (const step of [1, 4, 100]) {
    const { found, line } = cut('\n[1,\n{\n"a":"\n\\\n"},2,\n\n3', { step, firstLine: 3 });
    expect(found.map((element) => element.line)).toEqual([4, 5, 8]);
    expect(line).toBe(10);
  }
});
