import type { Database } from 'bun:sqlite';
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { openDatabase } from '../sqlite/open.ts';
import type { FactChunk } from './chunk.ts';
import { createFactReader, type FactSnapshot } from './reader.ts';
import { textAt } from './segment/texts.ts';
import { createTestDatabase, type StoredEvent, type TestDatabase, testEvent } from './testing/test-database.ts';

let database: TestDatabase;
let db: Database;

beforeEach(() => {
  database = createTestDatabase();
  db = openDatabase(database.path, { readonly: true });
});
afterEach(() => {
  db.close();
  database.dispose();
});

function events(from: number, to: number): StoredEvent[] {
  return Array.from({ length: to - from }, (_, index) => {
    const id = from + index;
    return testEvent(id, {
      model: `m-${id % 7}`,
      request_id: id % 900 === 0 ? `Größe-${id}` : `REQ-${id}`,
      output_tokens: id % 11,
    });
  });
}

function tailOf({ chunks }: FactSnapshot): FactChunk {
  const [tail] = chunks;
  if (tail === undefined) throw new Error('there is no tail');
  return tail;
}

function rowsOf(snapshot: FactSnapshot): unknown[] {
  const tail = tailOf(snapshot);
  const models = tail.symbols('model');
  const output = tail.numbers('output_tokens');
  const requests = tail.texts('request_id');
  return Array.from({ length: tail.rowCount }, (_, row) => [
    snapshot.symbols.text(models.set[models.codes?.[row] ?? 0] ?? 0),
    output.base + (output.values?.[row] ?? 0),
    textAt(requests, row),
  ]);
}

function expectedRows(stored: readonly StoredEvent[]): unknown[] {
  return stored.map((event) => [event.model, event.output_tokens, event.request_id]);
}

test('a tail of any length is read completely, and later rows are added', () => {
  const stored = events(1, 4_097);
  database.insert(stored);
  const reader = createFactReader(db);
  expect(reader.read(rowsOf)).toEqual(expectedRows(stored));
  for (const count of [1, 3_000]) {
    const added = events(stored.length + 1, stored.length + 1 + count);
    database.insert(added);
    stored.push(...added);
    // Columns that were read before lack fewer rows than the others.
    reader.read((snapshot) => tailOf(snapshot).prepare(['model', 'method', 'request_id', 'event_hash']));
    expect(reader.read(rowsOf)).toEqual(expectedRows(stored));
  }
  const last = stored.at(-1);
  expect(reader.read((snapshot) => tailOf(snapshot).maxTimestampMs)).toBe(last?.timestamp_ms ?? 0);
});

test('texts are searched in folded form, in old and new rows', () => {
  const stored = events(1, 2_500);
  database.insert(stored.slice(0, 1_000));
  const reader = createFactReader(db);
  const found = (query: string) =>
    reader.read((snapshot) => {
      const tail = tailOf(snapshot);
      const mask = new Uint8Array(tail.rowCount);
      tail.searched.markTexts('request_id', new TextEncoder().encode(query), mask);
      return mask.reduce((sum, set) => sum + set, 0);
    });
  expect([found('größe-900'), found('req-1')]).toEqual([1, 112]);
  database.insert(stored.slice(1_000));
  expect([found('größe-1800'), found('req-2'), found('größe')]).toEqual([1, 611, 2]);
});

test('while nothing is added, cached values of the tail are kept', () => {
  database.insert(events(1, 10));
  const reader = createFactReader(db);
  const combination = () => reader.read((snapshot) => tailOf(snapshot).combination(['model', 'method']));
  const first = combination();
  expect(combination()).toBe(first);
  database.insert(events(10, 11));
  expect(combination()).not.toBe(first);
});
