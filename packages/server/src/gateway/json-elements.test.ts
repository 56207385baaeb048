import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { createElementSlicer, type SlicerOptions } from './json-elements.ts';

function slice(text: string, options: { step?: number } & Partial<SlicerOptions> = {}): [kind: string, text: string][] {
  const found: [string, string][] = [];
  const slicer = createElementSlicer({
    maxElementBytes: 1_000,
    ...options,
    onElement: (element) => found.push([element.kind, Buffer.from(element.bytes).toString()]),
  });
  const bytes = Buffer.from(text);
  const step = options.step ?? bytes.length;
  for (let at = 0; at < bytes.length; at += step) slicer.push(bytes.subarray(at, at + step));
  slicer.end();
  return found;
}

const mixed = ' [ {"a":[1,{"b":"]}"}]} ,"x\\"],", 12.50 ,null,[1,[2]], true,-3e5,""] ';
const parts: [string, string][] = [
  ['object', '{"a":[1,{"b":"]}"}]}'],
  ['string', '"x\\"],"'],
  ['number', '12.50'],
  ['literal', 'null'],
  ['array', '[1,[2]]'],
  ['literal', 'true'],
  ['number', '-3e5'],
  ['string', '""'],
];

test('elements are cut out exactly as sent, in any portions', () => {
  for (const step of [1, 2, 3, 7, 1_000]) expect(slice(mixed, { step })).toEqual(parts);
});

test('numbers keep all their digits', () => {
  expect(slice('[{"n":12345678901234567890.10}]')).toEqual([['object', '{"n":12345678901234567890.10}']]);
});

test('any list of JSON values comes out again', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue(), { maxLength: 8 }), fc.integer({ min: 1, max: 20 }), (values, step) => {
      const texts = slice(JSON.stringify(values), { step, maxElementBytes: 1e6 }).map(([, text]) => text);
      expect(texts).toEqual(values.map((value) => JSON.stringify(value)));
    }),
  );
});

test('one element that is not JSON spoils only itself', () => {
  expect(slice('[{"a":1},{bad},}{"b":2}]').map(([, text]) => text)).toContain('{"b":2}');
});

test.each(['[{"a":1},{"b"', '[', '', '[1,2'])('%j broke off', (text) => {
  expect(() => slice(text)).toThrow('was cut off');
});

test.each(['<html>', '{"error":"x"}', '"text"'])('%j is no list', (text) => {
  expect(() => slice(text)).toThrow('not a JSON list');
});

test('a list is found under a wrapping member, whatever stands before it', () => {
  const text = '{"total":2,"note":"files","nested":{"files":[9]},"files":[{"name":"a"},{"name":"b"}],"more":[1]}';
  for (const step of [1, 5, 500]) {
    expect(slice(text, { step, wrapperKeys: ['files', 'items'] })).toEqual([
      ['object', '{"name":"a"}'],
      ['object', '{"name":"b"}'],
    ]);
  }
  expect(() => slice('{"files":{}}', { wrapperKeys: ['files'] })).toThrow('contains no list');
});

test('an element above the limit keeps its beginning and its length', () => {
  const found: [number, number][] = [];
  const slicer = createElementSlicer({
    maxElementBytes: 20_000,
    onElement: (element) => found.push([element.bytes.length, element.totalBytes]),
  });
  const bytes = Buffer.from(`["${'x'.repeat(50_000)}",{"a":1}]`);
  for (let at = 0; at < bytes.length; at += 1_000) slicer.push(bytes.subarray(at, at + 1_000));
  slicer.end();
  expect(found).toEqual([
    [4_096, 50_002],
    [7, 7],
  ]);
});
