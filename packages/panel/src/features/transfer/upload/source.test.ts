import { expect, test } from 'bun:test';
import { ACCEPTED_FILES, checkChoice, chunkCount, sessionFilename } from './source.ts';

test.each([
  ['events.jsonl', 'events.jsonl'],
  [' a/b/c.json ', 'c.json'],
  ['C:\\logs\\d.txt', 'd.txt'],
  ['', 'usage-import.jsonl'],
  ['a/.', 'usage-import.jsonl'],
  ['a\0b.json', 'ab.json'],
  ['🔑'.repeat(300), '🔑'.repeat(240)],
])('the session of %p is called as the server calls it', (name, expected) => {
  expect(sessionFilename(name)).toBe(expected);
});

test('every accepted suffix is accepted, in upper case as well', () => {
  for (const suffix of ACCEPTED_FILES.split(','))
    for (const name of [`a${suffix}`, `A${suffix.toUpperCase()}`])
      expect(() => checkChoice({ name, size: 1, lastModified: 0, slice: () => new Blob() }, 1)).not.toThrow();
});

test('the last chunk may be short', () => {
  expect([chunkCount(8, 4), chunkCount(9, 4), chunkCount(1, 4)]).toEqual([2, 3, 1]);
});
