import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createTestFolder, type TestFolder } from '../../../../platform/testing/test-folder.ts';
import { createSpool, removeLeftSpools } from './spool.ts';

const MEBIBYTE = 1024 * 1024;

let folder: TestFolder;
beforeAll(() => {
  folder = createTestFolder();
});
afterAll(() => folder.dispose());

test('a spool returns its bytes, and leaves no file even while it is used', () => {
  const directory = folder.path('spools');
  const spool = createSpool({ directory, newId: () => 'one' });
  for (let part = 0; part < 12; part++) spool.append(new Uint8Array(MEBIBYTE).fill(part));
  expect(spool.size).toBe(12 * MEBIBYTE);
  expect(statSync(directory).mode & 0o777).toBe(0o700);
  // Without a name it disappears with the process, however that ends.
  expect(readdirSync(directory)).toEqual([]);
  const found = new Uint8Array(4);
  expect(spool.readAt(11 * MEBIBYTE - 2, found)).toBe(4);
  expect([...found]).toEqual([10, 10, 11, 11]);
  expect(spool.readAt(12 * MEBIBYTE - 1, found)).toBe(1);
  expect(spool.readAt(12 * MEBIBYTE, found)).toBe(0);
  spool.dispose();
  expect(spool.size).toBe(0);
});

test('a folder that is a link is not followed', () => {
  symlinkSync(folder.path('.'), folder.path('link'));
  const spool = createSpool({ directory: folder.path('link'), newId: () => 'one' });
  expect(() => spool.append(new Uint8Array(11 * MEBIBYTE))).toThrow('symbolic link');
});

test('only leftovers of another process are removed', () => {
  const directory = folder.path('left');
  mkdirSync(directory);
  for (const name of ['spool-1', 'session.part']) writeFileSync(`${directory}/${name}`, 'x');
  removeLeftSpools(directory);
  removeLeftSpools(folder.path('missing'));
  expect(readdirSync(directory)).toEqual(['session.part']);
});
