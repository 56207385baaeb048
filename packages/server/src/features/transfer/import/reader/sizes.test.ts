import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTestFolder, type TestFolder } from '../../../../platform/testing/test-folder.ts';
import { MAX_RECORD_BYTES } from './refused.ts';
import { readChunks, readWhole } from './testing.ts';

const MEBIBYTE = 1024 * 1024;
const HTTP_CHUNK = 64 * 1024;

let folder: TestFolder;
beforeAll(() => {
  folder = createTestFolder();
});
afterAll(() => folder.dispose());

/** A record of exactly this many bytes. */
function recordOf(bytes: number, id = 'large'): string {
  const start = `{"id":"${id}","fill":"`;
  const end = '"}';
  return `${start}${'x'.repeat(bytes - start.length - end.length)}${end}`;
}

function detailOf(bytes: number, id = 'large'): string {
  return recordOf(bytes - 17, id).replace('{', '{"timestamp":1788,');
}

const snapshotOf = (...details: string[]) => `{"apis":{"a":{"models":{"m":{"details":[${details.join(',')}]}}}}}`;
const SMALL = '{"id":"small"}';

describe('a record of 10 MiB', () => {
  const largest = recordOf(MAX_RECORD_BYTES);
  const tooLarge = recordOf(MAX_RECORD_BYTES + 1);

  test.each([
    ['with LF', `${largest}\n${SMALL}`],
    ['with CRLF', `${largest}\r\n${SMALL}`],
    ['behind another, with CRLF', `${SMALL}\r\n${largest}\r\n`],
    ['at the end', `${SMALL}\n${largest}`],
    ['in a list', `[${SMALL},${largest}]`],
  ])('%s passes', (_name, payload) => {
    for (const result of [readWhole(folder, payload, 'a file'), readChunks(folder, Buffer.from(payload), HTTP_CHUNK)]) {
      expect({ ...result, events: result.events.map((event) => event.request_id).sort() }).toMatchObject({
        events: ['large', 'small'],
        failed: 0,
        refused: '',
      });
    }
  });

  test.each([
    ['with LF', `${tooLarge}\n${SMALL}`],
    ['behind another', `${SMALL}\n${tooLarge}\r\n`],
    ['a carriage return at the end is content', `${SMALL}\n${largest}\r`],
    ['in a list', `[${SMALL},${tooLarge}]`],
    ['that is not even JSON', `${'x'.repeat(MAX_RECORD_BYTES + 1)}\n${SMALL}`],
  ])('and one byte more is refused: %s', (_name, payload) => {
    for (const result of [readWhole(folder, payload, 'a file'), readChunks(folder, Buffer.from(payload), HTTP_CHUNK)]) {
      expect(result.refused).toContain('larger than 10485760 bytes');
    }
  });

  test('a detail of a snapshot has the same limit, and nothing before it is stored', () => {
    const fits = snapshotOf(detailOf(200), detailOf(MAX_RECORD_BYTES));
    const exceeds = snapshotOf(detailOf(200), detailOf(MAX_RECORD_BYTES + 1));
    expect(readChunks(folder, Buffer.from(fits), HTTP_CHUNK)).toMatchObject({ refused: '', batches: [2] });
    expect(readWhole(folder, fits, 'a file')).toMatchObject({ refused: '', batches: [2] });
    expect(readWhole(folder, exceeds, 'a file')).toMatchObject({
      refused: 'the usage snapshot has a detail larger than 10485760 bytes',
      batches: [],
    });
  });
});

test('batches end at 256 events or after 4 MiB', () => {
  expect(readWhole(folder, `${SMALL}\n`.repeat(600), 'a file').batches).toEqual([256, 256, 88]);
  const large = Array.from({ length: 5 }, (_, index) => recordOf(3 * MEBIBYTE, `${index}`));
  large.push(recordOf(9 * MEBIBYTE), SMALL);
  expect(readWhole(folder, large.join('\n'), 'a file').batches).toEqual([2, 2, 2, 1]);
});

describe('a snapshot in a stream', () => {
  const spread = (mebibytes: number) =>
    snapshotOf(detailOf(200, 'first'), ' '.repeat(mebibytes * MEBIBYTE) + detailOf(200, 'last'));

  test('is kept in a separate file once it is larger than 10 MiB', () => {
    const result = readChunks(folder, Buffer.from(spread(30)), HTTP_CHUNK);
    expect(result.refused).toBe('');
    expect(result.events.map((event) => event.request_id)).toEqual(['first', 'last']);
  });

  test('is refused above 64 MiB, but not in a file', () => {
    const payload = Buffer.from(spread(64));
    expect(readChunks(folder, payload, HTTP_CHUNK).refused).toContain('larger than 67108864 bytes');
    expect(readWhole(folder, payload, 'a file').events).toHaveLength(2);
  });
});

test('structural keys are bounded in number and in bytes', () => {
  const models = (count: number) =>
    `{"apis":{"a":{"models":{${Array.from({ length: count }, (_, index) => `"m${index}":{}`).join(',')}}}}}`;
  expect(readWhole(folder, models(99_997), 'a file').unsupported).toBe(99_997);
  expect(readWhole(folder, models(99_998), 'a file').refused).toContain('too many endpoints and models');
  const long = `{"apis":{"${'k'.repeat(5 * MEBIBYTE)}":{},"${'l'.repeat(4 * MEBIBYTE)}":{}}}`;
  expect(readWhole(folder, long, 'a file').refused).toContain('too many endpoints and models');
});

test('a snapshot is recognized after any number of other names', () => {
  const names = Array.from({ length: 50_000 }, (_, index) => `"n${index}":1`).join(',');
  expect(
    readWhole(folder, `{${names},"apis":{"a":{"models":{"m":{"details":[{"time":1788}]}}}}}`, 'a file'),
  ).toMatchObject({
    format: 'legacy_usage_payload',
    batches: [1],
  });
});

test('a payload far larger than the memory of the reader is read in little memory', async () => {
  const path = folder.path('huge');
  const body = detailOf(200_000).replaceAll('large', '0000');
  const list = Array.from({ length: 900 }, (_, index) => body.replace('0000', String(index).padStart(4, '0'))).join(
    ',\n',
  );
  writeFileSync(path, snapshotOf(list));
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'memory-child.ts'), path], { stdout: 'pipe' });
  const { events, residentBytes } = (await new Response(child.stdout).json()) as Record<string, number>;
  expect(events).toBe(900);
  // The runtime itself needs about 60 MB.
  expect(residentBytes).toBeLessThan(250e6);
}, 180_000);
