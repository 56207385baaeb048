import { beforeEach, describe, expect, test } from 'bun:test';
import { createResumeEntries } from './resume-entries.ts';
import { bytesOf, fileOf } from './testing/rig.ts';

const KEY = '0123456789abcdef'.repeat(2);
const ID = 'f'.repeat(32);
const source = fileOf(bytesOf(10));
const entry = { resumeKey: KEY, sessionId: ID, expiresAtMs: 1_000 };

let stored: unknown;
let nowMs: number;
const open = (base = 'https://one/') =>
  createResumeEntries({
    storage: {
      read: () => stored,
      write: (value) => {
        stored = value;
      },
    },
    base,
    now: () => nowMs,
  });

beforeEach(() => {
  stored = undefined;
  nowMs = 0;
});

describe('resume entries', () => {
  test('are found by address, name, size and time of change', () => {
    open().save(source, entry);
    expect(open().find(source)).toMatchObject(entry);
    expect(open('https://two/').find(source)).toBeNull();
    for (const change of [{ name: 'b' }, { size: 11 }, { lastModified: 2 }]) {
      const { name, size, lastModified } = source;
      expect(open().find({ name, size, lastModified, slice: source.slice, ...change })).toBeNull();
    }
  });

  test('replace the one of the same file', () => {
    open().save(source, { ...entry, sessionId: null });
    open().save(source, entry);
    expect(stored).toMatchObject({ entries: [{ sessionId: ID }] });
    expect(open().find(source)?.sessionId).toBe(ID);
  });

  test('go with their file, with their session, and with time', () => {
    open().save(source, entry);
    open().drop(source);
    expect(open().find(source)).toBeNull();

    open().save(source, entry);
    open('https://two/').dropSession(ID);
    expect(open().find(source)).not.toBeNull();
    open().dropSession(ID);
    expect(open().find(source)).toBeNull();

    open().save(source, entry);
    nowMs = 1_000;
    expect(open().find(source)).toBeNull();
  });

  test('are not more than twenty', () => {
    for (let size = 1; size <= 25; size += 1) open().save(fileOf(bytesOf(size)), entry);
    expect(open().find(fileOf(bytesOf(5)))).toBeNull();
    expect(open().find(fileOf(bytesOf(6)))).not.toBeNull();
  });

  test.each([
    null,
    'text',
    { layout: 2, entries: [] },
    { layout: 1, entries: 'none' },
    { layout: 1, entries: [null, 5, { ...entry, base: 'https://one/' }] },
    { layout: 1, entries: [{ ...entry, resumeKey: 'short', base: 'https://one/', name: 'events.jsonl', size: 10 }] },
  ])('that cannot be read count as none: %p', (value) => {
    stored = value;
    expect(open().find(source)).toBeNull();
    open().save(source, entry);
    expect(open().find(source)).toMatchObject(entry);
  });
});
