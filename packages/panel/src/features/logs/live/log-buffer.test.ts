import { describe, expect, test } from 'bun:test';
import {
  append,
  instantOfStamp,
  type LogBuffer,
  type LogPage,
  MAX_LINES,
  openBuffer,
  readLogPage,
} from './log-buffer.ts';
import { canLoadOlder, FIRST_LINES, type LogQuestion, nextBuffer, PAGE_LINES } from './next-buffer.ts';

const START = Date.UTC(2026, 10, 29, 6, 0, 0);
const stamp = (second: number) => new Date(START + second * 1000).toISOString().slice(0, 19).replace('T', ' ');
const line = (number: number, second = number) => `[${stamp(second)}] [--------] [info ] [a.go:1] line ${number}`;
const lines = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => line(from + index));
const secondOf = (text: string) => {
  const at = /^\[(.{19})\]/.exec(text)?.[1];
  return at === undefined ? 0 : Date.parse(`${at.replace(' ', 'T')}Z`) / 1000;
};

/** A log as the gateway serves it. */
function fakeLog(initial: readonly string[], { cursors = true } = {}) {
  const log = { all: [...initial], generation: 0, asked: [] as LogQuestion[] };
  const page = (shown: readonly string[], end: number, reset = false, lineCount = shown.length): LogPage => ({
    lines: shown,
    lineCount,
    latest: Math.max(0, ...log.all.slice(-5).map(secondOf)),
    cursor: cursors && log.all.length > 0 ? `${log.generation}:${end}` : '',
    reset,
  });
  const ask = (question: LogQuestion): Promise<LogPage> => {
    log.asked.push(question);
    const { limit, cursor, after } = question;
    if (cursor !== undefined) {
      const [generation, position] = cursor.split(':').map(Number);
      if (generation !== log.generation) return Promise.resolve(page(log.all.slice(-limit), log.all.length, true));
      const shown = log.all.slice(position, (position ?? 0) + limit);
      return Promise.resolve(page(shown, (position ?? 0) + shown.length));
    }
    const later = after === undefined ? log.all : log.all.filter((text) => secondOf(text) > after);
    const shown = later.slice(-limit);
    return Promise.resolve(page(shown, log.all.length, false, after === undefined ? shown.length : later.length));
  };
  return { log, ask };
}

const texts = (buffer: LogBuffer) => buffer.entries.flatMap((entry) => entry.lines);

describe('the buffer', () => {
  test('begins with the last lines, gets newer ones by cursor and older ones by a longer end', async () => {
    const { log, ask } = fakeLog(lines(0, 1_000));
    let buffer = await nextBuffer(ask, null, false);
    expect(texts(buffer)).toEqual(lines(1_000 - FIRST_LINES, 1_000));
    log.all.push(line(1_000));
    buffer = await nextBuffer(ask, buffer, false);
    expect(texts(buffer)).toEqual(lines(900, 1_001));
    const before = buffer.entries;
    log.all.push(line(1_001));
    buffer = await nextBuffer(ask, buffer, true);
    expect(texts(buffer)).toEqual(lines(1_002 - 202, 1_002));
    // The same line has the same number.
    expect(buffer.entries.find(({ lines: [text] }) => text === line(950))?.id).toBe(
      before.find(({ lines: [text] }) => text === line(950))?.id as number,
    );
    while (canLoadOlder(buffer)) buffer = await nextBuffer(ask, buffer, true);
    expect(texts(buffer)).toEqual(lines(0, 1_002));
    expect(buffer.whole).toBe(true);
    expect(log.asked.map(({ limit }) => limit)).toEqual([100, 1_000, 202, 404, 808, 1_616]);
  });

  test('never holds more than its limit, whatever is loaded', async () => {
    const { log, ask } = fakeLog(lines(0, 30_000));
    let buffer = await nextBuffer(ask, null, false);
    while (canLoadOlder(buffer)) buffer = await nextBuffer(ask, buffer, true);
    expect(buffer.lineCount).toBe(MAX_LINES);
    log.all.push(...lines(30_000, 32_500));
    buffer = await nextBuffer(ask, buffer, false);
    expect(texts(buffer)).toEqual(lines(22_500, 32_500));
    expect(buffer.full).toBe(true);
    const beforeIds = buffer.entries.at(-1)?.id as number;
    log.all.push(line(32_500));
    buffer = await nextBuffer(ask, buffer, false);
    expect(buffer.entries.at(-1)?.id).toBe(beforeIds + 1);
    expect(buffer.entries.length).toBe(MAX_LINES);
  });

  test('keeps a part of an entry that is longer than the limit', () => {
    const rest = Array.from({ length: MAX_LINES + 5 }, (_, index) => `  at ${index}`);
    const page = (of: readonly string[]): LogPage => ({
      lines: of,
      lineCount: of.length,
      latest: 1,
      cursor: 'a',
      reset: false,
    });
    const buffer = append(openBuffer(page([line(1)]), 100), page([...rest, line(2)]));
    expect(buffer.lineCount).toBe(MAX_LINES);
    expect(texts(buffer).length).toBe(MAX_LINES);
    expect(buffer.entries.map(({ head }) => head?.message ?? null)).toEqual([null, 'line 2']);
  });

  test('holds no more characters than its limit', () => {
    const long = Array.from({ length: 30 }, (_, index) => `${line(index)} ${'x'.repeat(1_000_000)}`);
    const buffer = openBuffer({ lines: long, lineCount: 30, latest: 1, cursor: 'a', reset: false }, 100);
    expect(buffer.entries.length).toBe(15);
    expect(buffer.characters).toBeLessThanOrEqual(16_000_000);
    expect(buffer.lineCount).toBe(15);
  });

  test('attaches lines without a time to the entry before, also in a later look', async () => {
    const { log, ask } = fakeLog([line(1), '  at a', line(2)]);
    let buffer = await nextBuffer(ask, null, false);
    log.all.push('  at b', '', '  at c', line(3));
    buffer = await nextBuffer(ask, buffer, false);
    expect(buffer.entries.map((entry) => entry.lines)).toEqual([
      [line(1), '  at a'],
      [line(2), '  at b', '', '  at c'],
      [line(3)],
    ]);
    expect(new Set(buffer.entries.map(({ id }) => id)).size).toBe(3);
  });

  test('begins again with a divider when the log did', async () => {
    const { log, ask } = fakeLog(lines(0, 50));
    let buffer = await nextBuffer(ask, null, false);
    log.generation += 1;
    log.all = [line(90), line(91)];
    buffer = await nextBuffer(ask, buffer, false);
    expect(texts(buffer)).toEqual([line(90), line(91)]);
    expect(buffer.divider).toEqual({ before: 0, kind: 'restarted' });
    log.all.push(line(92));
    buffer = await nextBuffer(ask, buffer, false);
    expect(texts(buffer)).toEqual(lines(90, 93));
    expect(buffer.divider?.before).toBe(0);
  });

  test('notices while it loads older lines that the log began again', async () => {
    const { log, ask } = fakeLog(lines(0, 500));
    const buffer = await nextBuffer(ask, null, false);
    log.all = lines(700, 710);
    const next = await nextBuffer(ask, buffer, true);
    expect(texts(next)).toEqual(lines(700, 710));
    expect(next.divider?.kind).toBe('restarted');
  });

  test('shows the end when too much was written in between', async () => {
    const { log, ask } = fakeLog(lines(0, 10));
    const buffer = await nextBuffer(ask, null, false);
    log.all.push(...lines(10, 25_000));
    const next = await nextBuffer(ask, buffer, false);
    expect(texts(next)).toEqual(lines(24_900, 25_000));
    expect(next.divider?.kind).toBe('skipped');
    expect(log.asked.filter(({ limit }) => limit === PAGE_LINES).length).toBe(10);
  });

  test('of an empty log stays empty until there is a line', async () => {
    const { log, ask } = fakeLog([]);
    let buffer = await nextBuffer(ask, null, false);
    expect(buffer.whole).toBe(true);
    log.all.push(line(1));
    buffer = await nextBuffer(ask, buffer, false);
    expect(texts(buffer)).toEqual([line(1)]);
    expect(buffer.divider).toBeNull();
  });
});

describe('a gateway without cursors', () => {
  test('repeats no line and drops none that shares a second with others', async () => {
    const { log, ask } = fakeLog([line(1, 1), line(2, 2), line(2, 2)], { cursors: false });
    let buffer = await nextBuffer(ask, null, false);
    for (const next of [line(2, 2), line(3, 2), line(4, 3)]) {
      log.all.push(next);
      buffer = await nextBuffer(ask, buffer, false);
      buffer = await nextBuffer(ask, buffer, false);
      expect(texts(buffer)).toEqual(log.all);
    }
    log.all = [line(9, 90)];
    buffer = await nextBuffer(ask, buffer, false);
    expect(texts(buffer)).toEqual([line(9, 90)]);
    expect(buffer.divider?.kind).toBe('restarted');
  });
});

describe('the zone of the gateway', () => {
  const page = (latest: number): LogPage => ({
    lines: [line(1, 5), 'more'],
    lineCount: 2,
    latest,
    cursor: '',
    reset: false,
  });
  const second = START / 1000 + 5;

  test.each([
    [0, 0],
    [8, 8],
    [-3.5, -3.5],
    [5.75, 5.75],
  ])('is what its newest line shows: %p h', (hours, expected) => {
    expect(openBuffer(page(second - hours * 3_600), 100).offsetMs).toBe(expected * 3_600_000);
  });

  test('is unknown when the times do not fit', () => {
    expect(openBuffer(page(second - 400), 100).offsetMs).toBeNull();
    expect(openBuffer(page(0), 100).offsetMs).toBeNull();
    expect(instantOfStamp(stamp(5), null)).toBeNull();
    expect(instantOfStamp(stamp(5), 3_600_000)).toBe(START + 5_000 - 3_600_000);
  });
});

test('what is no line or number is left out', () => {
  const empty = { lines: [], lineCount: 0, latest: 0, cursor: '', reset: false };
  expect(readLogPage({ 'line-count': '1', 'next-cursor': 5 }, [1, null])).toEqual(empty);
});
