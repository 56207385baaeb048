import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import type { UsageEvent } from '@manager/core/usage/event';
import { exportLine } from '@manager/core/usage/export-line';
import { prepareForInsert } from '@manager/core/usage/insert';
import { readRecord } from '@manager/core/usage/record';
import fc from 'fast-check';
import { createDetailEncoder, decodeDetail } from '../../../../events/detail/detail-codec.ts';
import { anyEvent, someJson, someText } from '../../../../events/detail/testing/any-event.ts';
import type { WordReader } from '../../../../events/detail/words.ts';
import VERSION_1 from '../../../../events/fixtures/detail-version-1.json';
import { createMemoryWords } from '../../../../events/testing/memory-words.ts';
import { sampleRecords } from '../../../../events/testing/sample-records.ts';
import { sha256Hex } from '../../../../platform/sha256.ts';
import { createLineWriter } from './line-writer.ts';

const FIXTURES = readFileSync(new URL('../../../../events/fixtures/usage-events.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n');

function eventOf(text: string): UsageEvent {
  const outcome = readRecord(text, { nowMs: 1_788_250_000_000, sha256Hex });
  if (outcome.kind !== 'event') throw new Error(`no event: ${outcome.kind}`);
  return prepareForInsert(outcome.event).event;
}

const TEMPLATE = eventOf(FIXTURES[1] ?? '');

function expectedLine(detail: Uint8Array, words: WordReader): string {
  return `${exportLine(decodeDetail(detail, words, { raw: false }))}\n`;
}

/** Writes events with texts as words and without, each alone and after others, with a stored hash and a computed one. */
function expectSameLines(events: readonly UsageEvent[]): void {
  for (const all of [true, false]) {
    const words = createMemoryWords(all);
    const encoder = createDetailEncoder(words);
    const details = [false, true].flatMap((computed) => events.map((event) => encoder.encode(event, computed)));
    const writer = createLineWriter(words);
    const texts = details.map((detail) => {
      const start = writer.out.length;
      writer.write(detail);
      return Buffer.from(writer.out.view().subarray(start)).toString();
    });
    const lines = details.map((detail) => expectedLine(detail, words));
    expect(texts).toEqual(lines);
    expect(Buffer.from(writer.out.view()).toString()).toBe(lines.join(''));
  }
}

const halves = fc.constantFrom('\ud800', 'a\udc00"', '\udfffb', 'x'.repeat(5_000), '語', ' 語 \u2028', '\u007f\u0085');
const modelName = fc.constantFrom(
  'gpt-5(high)',
  'gpt-5(region-"eu")',
  'm(+007)',
  '(high)',
  'm(-1)',
  '語(auto)',
  'gemini-2.5',
);
const oddText = fc.oneof(someText, halves, modelName);
/** As other programs may write an object: with escapes and white space that are not needed. */
const oddObject = fc
  .tuple(
    fc.dictionary(fc.oneof(oddText, fc.constantFrom('2', '1', '__proto__', 'a')), fc.jsonValue({ maxDepth: 3 })),
    fc.nat(4),
  )
  .map(([object, way]) => {
    const json = JSON.stringify(object);
    if (way === 0) return JSON.stringify(object, null, 1);
    if (way === 1) return json.replaceAll('e', '\\u0065');
    if (way === 2) return json.replaceAll('/', '\\/').replace('{', '{"a":1,"2":{},"1":"",');
    return json;
  });
const someEvent = anyEvent(TEMPLATE, oddText, fc.oneof(someJson, oddObject));
/** Most members have their usual value. */
const nearlyUsual = fc
  .tuple(someEvent, fc.subarray(Object.keys(TEMPLATE) as (keyof UsageEvent)[], { maxLength: 12 }))
  .map(([event, names]) => ({ ...TEMPLATE, ...Object.fromEntries(names.map((name) => [name, event[name]])) }));

describe('lines that are written from details', () => {
  test('are those of the events of a gateway', () => {
    const next = sampleRecords({ seed: 5 });
    expectSameLines([...FIXTURES, ...Array.from({ length: 500 }, next)].map(eventOf));
  });

  test('are those of any events', () => {
    const events = fc.array(fc.oneof(someEvent, nearlyUsual), { minLength: 1, maxLength: 4 });
    fc.assert(fc.property(events, expectSameLines), { numRuns: 300 });
  });

  test.each([
    ['escapes that are needed', '{"etag":"W/\\"a\\\\b\\"","text":"\\u0001\\n"}'],
    ['escapes that are not needed', '{"a":"\\u0041\\/"}'],
    ['surrogate halves', '{"a":"\\ud800","b":"\\ud83d\\ude00"}'],
    ['numbers in any spelling', '{"a":1.50,"b":-0,"c":1e3,"d":0.35,"e":12345678901234567890,"f":1e400,"g":-7}'],
    ['numbers as texts', '{"a":"37","b":"007","c":37,"d":1788250000,"e":"1788250000"}'],
    ['names twice', '{"a":1,"b":2,"a":3}'],
    ['names in another order', '{"b":1,"2":"x","1":"y"}'],
    ['a name that objects have', '{"__proto__":{"a":1},"toJSON":2,"constructor":"x"}'],
    ['white space', '{"a" : 1,\n"b":"x"}'],
    ['lists', '{"a":[1,"x",[],{}],"b":[[0.5]]}'],
    ['texts like its own shape', '{"a":"{\\"b\\":1}","c":",:[]{}"}'],
    ['texts in other scripts', '{"a":"語","語":"ünï 😀"}'],
    ['a number with signs', '{"a":+1,"b":--1}'],
    ['no object', '[1,"x"]'],
    ['nothing', '{}'],
    ['no JSON', '{"a":1'],
    ['an allowed depth', `${'{"a":'.repeat(400)}1${'}'.repeat(400)}`],
    ['too much depth', `${'{"a":'.repeat(1_200)}1${'}'.repeat(1_200)}`],
  ])('have the same metadata with %s', (_name, response_metadata_json) => {
    expectSameLines([{ ...TEMPLATE, response_metadata_json }]);
  });

  test('are those of all stored versions', () => {
    const long = 'a failure text that is long enough to be packed. '.repeat(90);
    const events = [TEMPLATE, { ...TEMPLATE, fail_summary: long }].flatMap((event) => [
      event,
      { ...event, cache_creation_tokens: 9, cache_write_1h_tokens: 7 },
    ]);
    const encoder = createDetailEncoder(createMemoryWords(true));
    expect(events.map((event) => encoder.encode(event)[0])).toEqual([1, 3, 2, 4]);
    expectSameLines(events);
    const words = createMemoryWords(true);
    for (const text of VERSION_1.words) words.find(0, text, 0, text.length);
    const detail = Buffer.from(VERSION_1.detail, 'base64');
    const writer = createLineWriter(words);
    writer.write(detail);
    expect(Buffer.from(writer.out.view()).toString()).toBe(expectedLine(detail, words));
  });

  test('are those of huge events', () => {
    const text = `"upstream" said: quota exceeded\n`.repeat(100_000);
    const many = JSON.stringify({
      list: Array.from({ length: 15_000 }, (_, index) => (index % 2 === 0 ? index : `v${index}`)),
    });
    expectSameLines([
      { ...TEMPLATE, fail_summary: text, response_metadata_json: many },
      { ...TEMPLATE, request_id: ` ${'語'.repeat(1_000_000)}`, event_hash: 'f'.repeat(3_000_000) },
      TEMPLATE,
    ]);
  });

  test('read no word twice, and make no event of what a gateway sends', () => {
    const memory = createMemoryWords(true);
    let reads = 0;
    const words = {
      textOf(id: number) {
        reads += 1;
        return memory.textOf(id);
      },
    };
    const encoder = createDetailEncoder(memory);
    const details = FIXTURES.map((text) => encoder.encode(eventOf(text)));
    const writer = createLineWriter(words);
    for (const detail of details) writer.write(detail);
    expect(reads).toBeGreaterThan(0);
    reads = 0;
    for (const detail of details) writer.write(detail);
    // Decoding an event would read its words.
    expect(reads).toBe(0);
  });

  test('are correct when more words are in use than are kept', () => {
    const words = createMemoryWords(true);
    const encoder = createDetailEncoder(words);
    const writer = createLineWriter(words);
    const details = Array.from({ length: 3_000 }, (_, index) =>
      encoder.encode({ ...TEMPLATE, source: `${index} ${'x'.repeat(250)}`, path: `/${index} ${'y'.repeat(250)}` }),
    );
    for (let round = 0; round < 2; round += 1) {
      writer.out.cut(0);
      for (const detail of details) writer.write(detail);
      const expected = details.map((detail) => expectedLine(detail, words)).join('');
      expect(Buffer.from(writer.out.view()).toString() === expected).toBe(true);
    }
  });

  test('of a detail that was cut off or has an unknown version are refused', () => {
    const words = createMemoryWords(true);
    const detail = createDetailEncoder(words).encode({ ...TEMPLATE, raw_json: '' });
    const writer = createLineWriter(words);
    for (let length = 1; length < detail.length - 1; length += 1) {
      expect(() => writer.write(detail.subarray(0, length))).toThrow('ends too early');
    }
    expect(() => writer.write(Uint8Array.of(99, 1, 2))).toThrow('unknown version 99');
    writer.out.cut(0);
    writer.write(detail);
    expect(Buffer.from(writer.out.view()).toString()).toBe(expectedLine(detail, words));
  });
});
