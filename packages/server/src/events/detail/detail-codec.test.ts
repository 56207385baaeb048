import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import type { UsageEvent } from '@manager/core/usage/event';
import { prepareForInsert } from '@manager/core/usage/insert';
import { readRecord } from '@manager/core/usage/record';
import fc from 'fast-check';
import { sha256Hex } from '../../platform/sha256.ts';
import VERSION_1 from '../fixtures/detail-version-1.json';
import { createMemoryWords } from '../testing/memory-words.ts';
import { sampleRecords } from '../testing/sample-records.ts';
import { createDetailEncoder, decodeDetail } from './detail-codec.ts';
import { JsonShape } from './json-shape.ts';
import { anyEvent } from './testing/any-event.ts';
import { hashText } from './text-hash.ts';
import type { WordWriter } from './word-finder.ts';
import { LONGEST_WORD } from './word-length.ts';
import { createWordReader, createWordTable } from './words.ts';

const FIXTURES = readFileSync(new URL('../fixtures/usage-events.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n');

function eventOf(text: string, nowMs = 1_788_250_000_000): UsageEvent {
  const outcome = readRecord(text, { nowMs, sha256Hex });
  if (outcome.kind !== 'event') throw new Error(`no event: ${outcome.kind}`);
  return prepareForInsert(outcome.event).event;
}

function expectRoundTrip(event: UsageEvent): void {
  for (const all of [true, false]) {
    const words = createMemoryWords(all);
    const encoder = createDetailEncoder(words);
    // Twice, because the second time the words are known and buffers are reused.
    for (let round = 0; round < 2; round += 1) {
      const detail = encoder.encode(event);
      expect(decodeDetail(detail, words)).toEqual(event);
      expect(decodeDetail(detail, words, { raw: false })).toEqual({ ...event, raw_json: '' });
    }
  }
}

test('an event without members of a later version is stored as the earlier one', () => {
  const words = createMemoryWords(true);
  const encoder = createDetailEncoder(words);
  const event = eventOf(FIXTURES[1] ?? '');
  const long = { ...event, fail_body: 'a failure body that is long enough to be packed. '.repeat(90) };
  const versionOf = (changed: UsageEvent) => encoder.encode(changed)[0];
  expect([event, long].map(versionOf)).toEqual([1, 2]);
  const with1h = [event, long].map((one) => ({ ...one, cache_creation_tokens: 9, cache_write_1h_tokens: 7 }));
  expect(with1h.map(versionOf)).toEqual([3, 4]);
  for (const one of [event, long, ...with1h]) expectRoundTrip(one);
});

const TEMPLATE = eventOf(FIXTURES[1] ?? '');
const someEvent = anyEvent(TEMPLATE);

describe('the detail of an event', () => {
  test.each(FIXTURES.map((text, line) => [line + 1, text] as const))('restores fixture line %d', (_line, text) => {
    expectRoundTrip(eventOf(text));
  });

  test('restores any event', () => {
    fc.assert(fc.property(someEvent, expectRoundTrip), { numRuns: 300, seed: 20_260_901 });
  });

  test('restores a hash from an imported record', () => {
    expectRoundTrip({ ...TEMPLATE, event_hash: 'opaque identity of another program' });
  });

  test.each([4_095, 4_096, 4_097, 16_384, 16_385, 40_000])('restores an original with %d values', (count) => {
    const list = Array.from({ length: count }, (_, index) => (index % 2 === 0 ? index % 50 : `value ${index % 50}`));
    expectRoundTrip({ ...TEMPLATE, raw_json: JSON.stringify({ list }) });
  });

  test('a long original uses no memory for values that it does not have', () => {
    const shape = new JsonShape();
    expect(shape.scan(JSON.stringify({ padding: 'x'.repeat(5_000_000), tokens: 7 }))).toBe(true);
    expect(shape.count).toBe(2);
    expect(shape.scan(JSON.stringify(Array.from({ length: 500_000 }, () => 7)))).toBe(false);
    expect(shape.from.length).toBeLessThanOrEqual(LONGEST_WORD);
  });

  test('restores a failure body of a megabyte, deflated', () => {
    const body = 'upstream said: quota exceeded '.repeat(35_000);
    const event = { ...TEMPLATE, failed: true, fail_status_code: 500, fail_body: body };
    expectRoundTrip(event);
    expect(createDetailEncoder(createMemoryWords(true)).encode(event).length).toBeLessThan(20_000);
  });

  test('takes at most 240 bytes for an event of a busy gateway', () => {
    const db = new Database(':memory:');
    db.run('CREATE TABLE detail_words (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE)');
    const encoder = createDetailEncoder(createWordTable(db));
    const words = createWordReader(db);
    const next = sampleRecords({ seed: 3 });
    for (let index = 0; index < 3_000; index += 1) encoder.encode(eventOf(next()));
    let bytes = 0;
    for (let index = 0; index < 1_000; index += 1) {
      const event = eventOf(next());
      const detail = encoder.encode(event);
      expect(decodeDetail(detail, words)).toEqual(event);
      bytes += detail.length;
    }
    expect(bytes / 1_000).toBeLessThan(240);
  });

  test('of an unknown version is refused', () => {
    expect(() => decodeDetail(Uint8Array.of(99, 1, 2), createMemoryWords(false))).toThrow('unknown version 99');
  });

  test('that was cut off is refused', () => {
    const words = createMemoryWords(true);
    const detail = createDetailEncoder(words).encode(TEMPLATE);
    expect(() => decodeDetail(detail.subarray(0, detail.length - 3), words)).toThrow('ends too early');
  });

  test('of version 1 stays readable', () => {
    // Written by the first release. It must stay decodable; a change of the format needs a new version.
    const words = createMemoryWords(true);
    for (const text of VERSION_1.words) words.find(0, text, 0, text.length);
    const { cache_write_1h_tokens, ...event } = decodeDetail(Buffer.from(VERSION_1.detail, 'base64'), words);
    expect(cache_write_1h_tokens).toBe(0);
    expect(sha256Hex(JSON.stringify(Object.entries(event).sort()))).toBe(VERSION_1.digest);
  });
});

describe('the table of words', () => {
  function createTable() {
    const db = new Database(':memory:');
    db.run('CREATE TABLE detail_words (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE)');
    return { db, find: finder(createWordTable(db)), words: createWordTable(db), reader: createWordReader(db) };
  }

  function finder(words: WordWriter): (text: string) => number {
    return (text) => words.find(hashText(text), `before${text}after`, 6, 6 + text.length);
  }

  test('adds a text when it is seen again, and keeps unique texts out', () => {
    const { db, find, reader } = createTable();
    expect(find('seen once')).toBe(0);
    expect(find('another')).toBe(0);
    const id = find('seen once');
    expect(id).toBeGreaterThan(0);
    expect(find('seen once')).toBe(id);
    expect(reader.textOf(id)).toBe('seen once');
    expect(db.query('SELECT count(*) AS words FROM detail_words').get()).toEqual({ words: 1 });
  });

  test('finds a word of an earlier process', () => {
    const { db, find } = createTable();
    find('shared');
    const id = find('shared');
    const later = finder(createWordTable(db));
    later('shared');
    expect(later('shared')).toBe(id);
  });

  test('forgets words of a transaction that was rolled back', () => {
    const { db, words, reader } = createTable();
    const find = finder(words);
    find('volatile');
    db.run('BEGIN');
    const lost = find('volatile');
    db.run('ROLLBACK');
    words.rolledBack();
    expect(() => reader.textOf(lost)).toThrow('missing');
    expect(reader.textOf(find('volatile'))).toBe('volatile');
  });

  test('stays correct when more words are in use than are kept in memory', () => {
    const { find, reader } = createTable();
    const texts = Array.from({ length: 40_000 }, (_, index) => `word number ${index}`);
    let found = 0;
    for (let round = 0; round < 3; round += 1) {
      for (const text of texts) {
        const id = find(text);
        if (id === 0) continue;
        found += 1;
        if (reader.textOf(id) !== text) throw new Error(`${text} became ${reader.textOf(id)}`);
      }
    }
    expect(found).toBeGreaterThan(30_000);
  });

  test('distinguishes texts that share a hash', () => {
    const { words, reader } = createTable();
    const hash = 42;
    for (const text of ['one', 'two', 'one', 'two']) words.find(hash, text, 0, 3);
    expect(reader.textOf(words.find(hash, 'one', 0, 3))).toBe('one');
    expect(reader.textOf(words.find(hash, 'two', 0, 3))).toBe('two');
  });
});
