import { afterEach, beforeEach, expect, test } from 'bun:test';
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSpool } from './spool.ts';

let directory: string;
let path: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'spool-'));
  path = join(directory, 'collector-spool.jsonl');
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const AWKWARD = ['{"a":1}', 'two\nlines\r\n', '', 'separators \u2028\u2029', 'nul \0', 'lone \ud800', '模型 🚀'];

test('records are read back in order and exactly', async () => {
  const spool = createSpool(path);
  await spool.append(AWKWARD.slice(0, 3));
  await spool.append(AWKWARD.slice(3));
  expect(spool.size()).toBe(AWKWARD.length);
  expect(await spool.peek(2, 1e6)).toEqual(AWKWARD.slice(0, 2));
  await spool.drop();
  expect(await spool.peek(100, 1e6)).toEqual(AWKWARD.slice(2));
  expect(await spool.peek(100, 1e6)).toEqual(AWKWARD.slice(2));
  await spool.drop();
  expect(spool.size()).toBe(0);
  expect(existsSync(path)).toBe(false);
});

test('has one JSON string per line and is private', async () => {
  const spool = createSpool(path);
  await spool.append(['{"a":1}', 'x']);
  expect(readFileSync(path, 'utf8')).toBe('"{\\"a\\":1}"\n"x"\n');
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('another process continues where this one ended, without a torn last line', async () => {
  await createSpool(path).append(['one', 'two']);
  appendFileSync(path, '"thr');
  const spool = createSpool(path);
  await spool.open();
  expect(spool.size()).toBe(2);
  await spool.append(['three']);
  expect(await spool.peek(10, 1e6)).toEqual(['one', 'two', 'three']);
});

test('records that arrive during a replay are kept', async () => {
  const spool = createSpool(path);
  await spool.append(['one']);
  await spool.peek(10, 1e6);
  await spool.append(['two']);
  await spool.drop();
  expect(await spool.peek(10, 1e6)).toEqual(['two']);
});

test('a file that is never empty is cut when most of it was replayed', async () => {
  const spool = createSpool(path, { cutBytes: 1_000 });
  await spool.append(AWKWARD);
  for (let round = 0; round < 200; round += 1) {
    await spool.append([`record ${round} ${'x'.repeat(100)}`]);
    await spool.peek(1, 1e6);
    await spool.drop();
  }
  expect(spool.size()).toBe(AWKWARD.length);
  expect(statSync(path).size).toBeLessThan(5_000);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  await spool.append(['last']);
  const rest = await spool.peek(100, 1e6);
  expect(rest.map((text) => text.split(' x')[0])).toEqual([
    ...Array.from(AWKWARD, (_, index) => `record ${200 - AWKWARD.length + index}`),
    'last',
  ]);
  // Another process continues after the cut.
  const next = createSpool(path);
  await next.open();
  expect((await next.peek(100, 1e6)).slice(-2)).toEqual(rest.slice(-2));
  await next.drop();
  expect(existsSync(path)).toBe(false);
});

test('a batch ends at its size', async () => {
  const spool = createSpool(path);
  await spool.append(['x'.repeat(600), 'y'.repeat(600), 'z']);
  expect(await spool.peek(10, 1_000)).toHaveLength(2);
});

test('of a line that is longer than any record only the beginning is kept, and the next one is whole', async () => {
  const part = Buffer.alloc(1024 * 1024, 'x');
  for (let times = 0; times < 70; times += 1) appendFileSync(path, part);
  appendFileSync(path, `\n"after it"\n`);
  const spool = createSpool(path);
  await spool.open();
  expect(spool.size()).toBe(2);
  const [long = '', after] = await spool.peek(10, Number.POSITIVE_INFINITY);
  expect([long.length > 0 && long.length <= 64 * 1024, after]).toEqual([true, 'after it']);
  await spool.drop();
  expect([spool.size(), existsSync(path)]).toEqual([0, false]);
});

test('a path that cannot be written is an error and changes nothing', async () => {
  const spool = createSpool(join('/proc', 'no-such-directory', 'spool'));
  expect(spool.append(['one'])).rejects.toThrow();
  expect(spool.size()).toBe(0);
});

test('a file that holds only a time is read and removed', async () => {
  const spool = createSpool(path);
  await spool.touch(1_700_000_000_000);
  expect(await createSpool(path).touchedAtMs()).toBe(1_700_000_000_000);
  await spool.removeEmpty();
  expect(existsSync(path)).toBe(false);
  await spool.append(['one']);
  await spool.touch(1_700_000_001_000);
  await spool.removeEmpty();
  expect(spool.size()).toBe(1);
});
