import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { chmodSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { archiveLine } from '@manager/core/usage/archive-record';
import type { UsageEvent } from '@manager/core/usage/event';
import type { PrivateDirectory } from '../../../platform/files/private-directory.ts';
import { createTestFolder, type TestFolder } from '../../../platform/testing/test-folder.ts';
import { ArchiveDamaged } from './damaged.ts';
import { openArchivesDirectory } from './directory.ts';
import { createEventDigest } from './event-digest.ts';
import { createGzipWriter } from './gzip.ts';
import { inspectSegment, type SegmentExpectation } from './segment-reader.ts';
import { type SegmentFacts, type StoredEvent, type WrittenSegment, writeSegment } from './segment-writer.ts';
import { pagesOf, storedEvents } from './testing.ts';

let folder: TestFolder;
let directory: PrivateDirectory;

beforeEach(async () => {
  folder = createTestFolder();
  directory = await openArchivesDirectory(folder.path('.'), 'archives');
});
afterEach(() => folder.dispose());

const LATER_MS = Date.UTC(2027, 0, 1);

async function write(
  events: readonly StoredEvent[],
  options: { readonly limits?: { readonly events: number; readonly bytes: number }; readonly after?: number } = {},
): Promise<WrittenSegment> {
  const source = { sequence: 1, afterEventId: options.after ?? 0, eventsAfter: pagesOf(events) };
  const segment = await writeSegment(directory, source, options.limits);
  if (segment === null) throw new Error('no segment');
  return segment;
}

function expectation({ fileName, facts }: WrittenSegment, changes: Partial<SegmentExpectation> = {}) {
  return { fileName, facts, afterEventId: 0, cutoffMs: LATER_MS, ...changes };
}

function inspect(expected: SegmentExpectation): Promise<void> {
  return inspectSegment(directory, expected, createEventDigest());
}

function lines(fileName: string): string[] {
  const text = Buffer.from(Bun.gunzipSync(new Uint8Array(readFileSync(directory.path(fileName))))).toString();
  expect(text).toEndWith('\n');
  return text.slice(0, -1).split('\n');
}

const idsIn = (fileName: string) => lines(fileName).map((line) => Number(JSON.parse(line)._archive_event_id));

describe('a segment', () => {
  test('holds its events in id order, also with gaps', async () => {
    const ids = [3, 4, 9, 1_000_000, 1_000_007, 2_000_000, 2_000_001, 2_000_002, 9_000_000];
    const events = storedEvents(ids);
    const segment = await write(events);
    expect(segment.fileName).toBe('segment-000001-00000000000000000003-00000000000009000000.jsonl.gz');
    expect(readdirSync(directory.path())).toEqual([segment.fileName]);
    expect(lines(segment.fileName)).toEqual(events.map(({ id, read }) => archiveLine(read(), id)));
    const times = events.map(({ read }) => read().timestamp_ms);
    const file = readFileSync(directory.path(segment.fileName));
    const digest = createEventDigest();
    for (const { id, read } of events) digest.add(id, read().event_hash);
    expect(segment.facts).toEqual({
      sequence: 1,
      firstEventId: 3,
      lastEventId: 9_000_000,
      minTimestampMs: Math.min(...times),
      maxTimestampMs: Math.max(...times),
      eventCount: ids.length,
      uncompressedBytes: Bun.gunzipSync(new Uint8Array(file)).length,
      compressedBytes: file.length,
      contentSha256: new Bun.CryptoHasher('sha256').update(file).digest('hex'),
      eventHashDigest: digest.hex(),
    });
    expect([...segment.events.ids]).toEqual(ids);
    expect([...segment.events.timestampsMs]).toEqual(times);
    expect(segment.events.hashes).toEqual(events.map(({ read }) => read().event_hash));
    await inspect(expectation(segment));
  });

  test('is a private file', async () => {
    const { fileName } = await write(storedEvents([1]));
    expect(statSync(directory.path(fileName)).mode & 0o777).toBe(0o600);
  });

  test('ends at its number of events', async () => {
    const events = storedEvents(Array.from({ length: 20 }, (_, index) => index + 1));
    const limits = { events: 8, bytes: 1_000_000 };
    expect(idsIn((await write(events, { limits })).fileName)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(idsIn((await write(events, { limits, after: 16 })).fileName)).toEqual([17, 18, 19, 20]);
  });

  test('ends before the event that would make its content too large; the first one always fits', async () => {
    const events = storedEvents([1, 2, 3, 4]);
    const bytes = events.map(({ id, read }) => Buffer.byteLength(archiveLine(read(), id)) + 1);
    const two = (bytes[0] ?? 0) + (bytes[1] ?? 0);
    expect(idsIn((await write(events, { limits: { events: 9, bytes: two } })).fileName)).toEqual([1, 2]);
    expect(idsIn((await write(events, { limits: { events: 9, bytes: two - 1 } })).fileName)).toEqual([1]);
    expect(idsIn((await write(events, { limits: { events: 9, bytes: 10 } })).fileName)).toEqual([1]);
  });

  test('has 10,000 events or 64 MiB', async () => {
    const one = storedEvents([1])[0];
    if (one === undefined) throw new Error('no event');
    const many = Array.from({ length: 10_001 }, (_, index) => ({ ...one, id: index + 1 }));
    let next = 0;
    const source = (events: readonly StoredEvent[]) => ({
      sequence: 1,
      afterEventId: 0,
      eventsAfter: () => {
        const page = events.slice(next, next + 500);
        next += 500;
        return page;
      },
    });
    expect((await writeSegment(directory, source(many)))?.facts.eventCount).toBe(10_000);
    next = 0;
    const body = 'x'.repeat(9 * 1024 * 1024);
    const large = { id: 1, read: () => ({ ...one.read(), fail_body: body }) };
    const segment = await writeSegment(directory, source(many.map((_, index) => ({ ...large, id: index + 1 }))));
    expect(segment?.facts.eventCount).toBe(7);
    expect(segment?.facts.uncompressedBytes).toBeLessThanOrEqual(64 * 1024 * 1024);
  });

  test('is not written without events', async () => {
    expect(await writeSegment(directory, { sequence: 1, afterEventId: 5, eventsAfter: () => [] })).toBeNull();
    expect(readdirSync(directory.path())).toEqual([]);
  });

  test('replaces a file of the same name', async () => {
    const events = storedEvents([1, 2]);
    const { fileName } = await write(events);
    writeFileSync(directory.path(fileName), 'left by a crash');
    await inspect(expectation(await write(events)));
  });

  const bad: readonly (readonly [string, readonly number[], (event: UsageEvent) => UsageEvent])[] = [
    ['of more than 10 MiB', [1, 2], (event) => ({ ...event, fail_body: 'x'.repeat(10 * 1024 * 1024) })],
    ['without an acceptable hash', [1, 2], (event) => ({ ...event, event_hash: 'a\nb' })],
    ['without an acceptable time', [1, 2], (event) => ({ ...event, timestamp_ms: 0 })],
  ];
  test.each(bad)('is not written with an event %s, and leaves nothing', async (_name, ids, change) => {
    const events = storedEvents(ids, (event, id) => (id === 2 ? change(event) : event));
    await expect(write(events)).rejects.toThrow('event 2');
    expect(readdirSync(directory.path())).toEqual([]);
  });

  test('is not written with ids that do not ascend', async () => {
    const events = storedEvents([5, 5]);
    const source = { sequence: 1, afterEventId: 0, eventsAfter: () => events };
    await expect(writeSegment(directory, source)).rejects.toThrow('event 5 follows event 5');
  });
});

describe('a segment is damaged', () => {
  let segment: WrittenSegment;
  beforeEach(async () => {
    segment = await write(storedEvents([3, 5, 8]));
  });

  const path = () => directory.path(segment.fileName);

  test.each(['first', 'middle', 'last'])('when a bit of its %s byte is flipped', async (place) => {
    const file = readFileSync(path());
    const index = { first: 0, middle: file.length >> 1, last: file.length - 1 }[place] ?? 0;
    file[index] = (file[index] ?? 0) ^ 1;
    writeFileSync(path(), file);
    await expect(inspect(expectation(segment))).rejects.toThrow('checksum of the file');
  });

  test('when it is shorter or longer', async () => {
    const file = readFileSync(path());
    writeFileSync(path(), file.subarray(1));
    await expect(inspect(expectation(segment))).rejects.toThrow('size');
    writeFileSync(path(), Buffer.concat([file, Buffer.of(0)]));
    await expect(inspect(expectation(segment))).rejects.toThrow('larger');
  });

  test('when it is gone, a link, or accessible to others', async () => {
    const file = readFileSync(path());
    rmSync(path());
    await expect(inspect(expectation(segment))).rejects.toMatchObject({ code: 'ENOENT' });
    writeFileSync(folder.path('outside'), file, { mode: 0o600 });
    symlinkSync(folder.path('outside'), path());
    await expect(inspect(expectation(segment))).rejects.toThrow('not a regular file');
    rmSync(path());
    writeFileSync(path(), file, { mode: 0o600 });
    await inspect(expectation(segment));
    for (const mode of [0o644, 0o640, 0o604]) {
      chmodSync(path(), mode);
      await expect(inspect(expectation(segment))).rejects.toThrow('accessible to others');
    }
    chmodSync(path(), 0o600);
    chmodSync(directory.path(), 0o750);
    await expect(inspect(expectation(segment))).rejects.toThrow('accessible to others');
  });

  const facts: readonly (readonly [keyof SegmentFacts, number | string])[] = [
    ['firstEventId', 4],
    ['lastEventId', 9],
    ['minTimestampMs', 1],
    ['maxTimestampMs', 1],
    ['eventCount', 4],
    ['uncompressedBytes', 1],
    ['contentSha256', '0'.repeat(64)],
    ['eventHashDigest', '0'.repeat(64)],
  ];
  test.each(facts)('when its row says %s = %s', async (name, value) => {
    const changed = { ...segment.facts, [name]: value };
    await expect(inspect(expectation({ ...segment, facts: changed }))).rejects.toBeInstanceOf(ArchiveDamaged);
  });

  test('when it begins before the end of the one before, or reaches the cutoff', async () => {
    await inspect(expectation(segment, { afterEventId: 2, cutoffMs: segment.facts.maxTimestampMs + 1 }));
    await expect(inspect(expectation(segment, { afterEventId: 3 }))).rejects.toThrow('event 3 follows event 3');
    await expect(inspect(expectation(segment, { cutoffMs: segment.facts.maxTimestampMs }))).rejects.toThrow('too new');
  });
});

/**
 * A file with any content that matches the size and checksum of its row: errors that a checksum alone would not find.
 */
async function placed(content: string | Uint8Array, around: (file: Buffer) => Buffer = (file) => file) {
  const parts: Uint8Array[] = [];
  const gzip = createGzipWriter(async (bytes) => {
    parts.push(bytes.slice());
  });
  await gzip.write(Buffer.from(content));
  await gzip.end();
  const file = around(Buffer.concat(parts));
  await directory.publish('file', file);
  return file;
}

describe('a file with the right checksum is damaged', () => {
  const [first, second] = storedEvents([3, 5]);
  if (first === undefined || second === undefined) throw new Error('no events');
  const line = (stored: StoredEvent) => archiveLine(stored.read(), stored.id);
  const good = `${line(first)}\n${line(second)}\n`;

  async function inspectPlaced(content: string | Uint8Array, around?: (file: Buffer) => Buffer): Promise<void> {
    const segment = await write([first as StoredEvent, second as StoredEvent]);
    const file = await placed(content, around);
    const facts = {
      ...segment.facts,
      compressedBytes: file.length,
      contentSha256: new Bun.CryptoHasher('sha256').update(file).digest('hex'),
      uncompressedBytes: Buffer.byteLength(content),
    };
    await inspect({ fileName: 'file', facts, afterEventId: 0, cutoffMs: LATER_MS });
  }

  test('unless nothing is wrong', async () => {
    await inspectPlaced(good);
  });

  const invalid = Buffer.from(good);
  invalid[good.indexOf('"provider":"') + 12] = 0xff;
  const contents: readonly (readonly [string, string | Uint8Array])[] = [
    ['whose last line has no end', good.slice(0, -1)],
    ['with an empty line', `${good}\n`],
    ['with a line that is no JSON', good.replace('{', '')],
    [
      'with a line that is no archive record',
      good.replaceAll('_archive_schema_version', 'schema_version').replaceAll('_archive_event_id', 'id'),
    ],
    ['with a record of another version', good.replace('"_archive_schema_version":1', '"_archive_schema_version":2')],
    ['with a record without raw_json', good.replace('"raw_json"', '"raw"')],
    ['with events in another order', `${line(second)}\n${line(first)}\n`],
    ['with an event twice', `${line(first)}\n${line(first)}\n`],
    ['with invalid UTF-8', invalid],
    ['without an event', ''],
  ];
  test.each(contents)('%s', async (_name, content) => {
    await expect(inspectPlaced(content)).rejects.toBeInstanceOf(ArchiveDamaged);
  });

  test('with a second member or data after the first', async () => {
    await expect(inspectPlaced(good, (file) => Buffer.concat([file, file]))).rejects.toThrow('does not end');
    await expect(inspectPlaced(good, (file) => Buffer.concat([file, Buffer.of(0)]))).rejects.toThrow('does not end');
  });
});
