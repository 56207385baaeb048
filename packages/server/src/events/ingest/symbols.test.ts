import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { createSymbolWriter, OTHER_TEXT } from './symbols.ts';

function symbolBench() {
  const db = new Database(':memory:');
  db.run('CREATE TABLE symbols (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE)');
  const textOf = (id: number) =>
    db.query<{ text: string }, [number]>('SELECT text FROM symbols WHERE id = ?').get(id)?.text;
  return { db, textOf, texts: () => db.query('SELECT text FROM symbols ORDER BY id').values().flat() };
}

/** Room for four symbols of 36 characters, two of them from callers. */
const LIMITS = { total: 400, callers: 200 };
const name = (letter: string) => letter.repeat(36);

test('made-up texts share one symbol once the room is used up, and callers leave some of it for names', () => {
  const { db, textOf, texts } = symbolBench();
  const writer = createSymbolWriter(db, LIMITS);
  for (const letter of 'abc') writer.idOfCaller(name(letter));
  expect(texts()).toEqual([name('a'), name('b'), OTHER_TEXT]);
  expect(textOf(writer.idOfCaller(name('d')))).toBe(OTHER_TEXT);
  expect(textOf(writer.idOf(name('d')))).toBe(name('d'));
  // Known texts keep their symbol, whoever sends them.
  expect(textOf(writer.idOfCaller(name('d')))).toBe(name('d'));
  expect([writer.idOf(''), writer.idOf(name('a'))]).toEqual([0, 1]);
  for (const letter of 'efgh') writer.idOf(name(letter));
  expect(texts()).toEqual([name('a'), name('b'), OTHER_TEXT, name('d'), name('e')]);
  expect(writer.withoutRoom).toBe(5);
  db.close();
});

test('the room that earlier starts used is counted', () => {
  const { db, texts, textOf } = symbolBench();
  const first = createSymbolWriter(db, LIMITS);
  for (const letter of 'abcd') first.idOf(name(letter));
  const second = createSymbolWriter(db, LIMITS);
  expect(textOf(second.idOf(name('e')))).toBe(OTHER_TEXT);
  second.rolledBack();
  expect(textOf(second.idOf(name('c')))).toBe(name('c'));
  expect(texts()).toHaveLength(5);
  db.close();
});
