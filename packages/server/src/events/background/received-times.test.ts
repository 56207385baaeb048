import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { prepareForInsert } from '@manager/core/usage/insert';
import { readRecord } from '@manager/core/usage/record';
import { FactFlag } from '../../facts/columns.ts';
import { createFactReader } from '../../facts/reader.ts';
import { sealTail } from '../../facts/seal.ts';
import { sha256Hex } from '../../platform/sha256.ts';
import { createTestFolder, type TestFolder } from '../../platform/testing/test-folder.ts';
import { numberAt } from '../ingest/chunk-sums.ts';
import { readCounter } from '../ingest/counters.ts';
import type { IngestContext } from '../ingest/operations.ts';
import { checkInvariants } from '../invariants/invariants.ts';
import { recordText, TEST_NOW_MS } from '../testing/test-ingester.ts';
import { noteClocks } from './clock-readings.ts';
import { RECEIVED_TIMES, readState } from './state.ts';
import { stepDataMigration } from './step.ts';
import { openContext, storedEvents } from './testing/older-database.ts';

// Invariants are recounted after every step.
setDefaultTimeout(180_000);

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const MONTH_MS = 30 * DAY_MS;
/** The right time when the manager starts. */
const START_MS = TEST_NOW_MS - 60 * MINUTE_MS;

let folder: TestFolder;
let context: IngestContext;

beforeEach(() => {
  folder = createTestFolder();
  context = openContext(folder.path('usage.sqlite'));
});
afterEach(() => {
  context.db.close();
  folder.dispose();
});

/** Minutes after the start by the right clock, and by how much each clock is wrong. */
function note(minute: number, { own = 0, gateway = 0 } = {}): number {
  const rightMs = START_MS + minute * MINUTE_MS;
  return noteClocks(context, { ownMs: rightMs + own, gatewayMs: rightMs + gateway, startedAtMs: START_MS + own })
    .wasBehindMs;
}

/** Collects an event with this time, which arrives half a minute after the given one. */
function collect(name: string, minute: number, timeMs = START_MS + minute * MINUTE_MS, own = 0): void {
  const text = recordText({
    request_id: name,
    timestamp: new Date(timeMs).toISOString(),
    response_headers: { 'X-Request-Id': [name] },
  });
  const receivedAtMs = START_MS + (minute + 0.5) * MINUTE_MS + own;
  expect(context.ingester.ingest({ records: [{ text, receivedAtMs }] }).inserted).toBe(1);
}

const far = (minute: number, days: number) => START_MS + minute * MINUTE_MS + days * DAY_MS;
const ancient = Date.UTC(1999, 0, 1);

/** Request ids of the events whose time counts as impossible. */
function impossible(): string[] {
  const ids = createFactReader(context.db).read(({ chunks }) =>
    chunks.flatMap((chunk) => {
      const [events, flags] = [chunk.eventIds(), chunk.numbers('flags')];
      const rows = Array.from({ length: chunk.rowCount }, (_, row) => row);
      return rows
        .filter((row) => (numberAt(flags, row) & FactFlag.implausibleTime) !== 0)
        .map((row) => numberAt(events, row));
    }),
  );
  const events = storedEvents(context.db);
  expect(readCounter(context.db, 'implausible_timestamps')).toBe(ids.length);
  return ids.map((id) => events.get(id)?.request_id ?? '');
}

function receivedAt(name: string): number | undefined {
  return [...storedEvents(context.db).values()].find((event) => event.request_id === name)?.created_at_ms;
}

function runToEnd(): void {
  for (let steps = 0; ; steps += 1) {
    if (steps > 20) throw new Error('no end');
    const outcome = stepDataMigration(context, RECEIVED_TIMES);
    if (outcome.kind === 'failed') throw new Error(outcome.error);
    if (outcome.kind === 'seal') sealTail(context, outcome.rows);
    expect(checkInvariants(context.db)).toEqual([]);
    if (outcome.kind === 'done') return;
  }
}

/** A month behind from minute 10 to 20, after impossible times of before. */
function collectWhileBehind(): void {
  note(0);
  collect('right before', 1);
  collect('far before', 2, far(2, 3));
  note(5);
  note(10, { own: -MONTH_MS });
  collect('behind 1', 11, undefined, -MONTH_MS);
  collect('far meanwhile', 12, far(12, 3), -MONTH_MS);
  collect('ancient', 13, ancient, -MONTH_MS);
  note(14, { own: -MONTH_MS });
  collect('behind 2', 15, undefined, -MONTH_MS);
}

describe('after a clock that was a month behind', () => {
  test('right times are possible, in the tail and in sealed segments; impossible ones stay impossible', () => {
    collectWhileBehind();
    sealTail(context, 4);
    expect(impossible()).toEqual(['far before', 'behind 1', 'far meanwhile', 'ancient', 'behind 2']);
    expect(note(20)).toBe(MONTH_MS);
    collect('right after', 21);
    runToEnd();
    expect(impossible()).toEqual(['far before', 'far meanwhile', 'ancient']);
    const right = START_MS + 11.5 * MINUTE_MS;
    expect(receivedAt('behind 1')).toBe(right);
    expect(receivedAt('right before')).toBe(START_MS + 1.5 * MINUTE_MS);
    const { processedRows, changedRows } = readState(context.db, RECEIVED_TIMES);
    // Those before it began are not read again; an ancient one came no earlier than it happened.
    expect([processedRows, changedRows]).toEqual([4, 3]);
    expect(note(22)).toBe(0);
  });

  test('the newest headers of an account are those of an event that is possible now', () => {
    collectWhileBehind();
    const newest = () =>
      context.db.query<{ event_id: number }, []>('SELECT event_id FROM latest_header_snapshots').all();
    expect(newest()).toEqual([{ event_id: 1 }]);
    note(20);
    runToEnd();
    expect(newest()).toEqual([{ event_id: 6 }]);
  });

  test('an event that was imported meanwhile keeps its received time', () => {
    collectWhileBehind();
    const timestamp = new Date(START_MS - MONTH_MS + 12 * MINUTE_MS).toISOString();
    const text = recordText({ request_id: 'imported', timestamp });
    const outcome = readRecord(text, { nowMs: START_MS - MONTH_MS + 13 * MINUTE_MS, sha256Hex });
    if (outcome.kind !== 'event') throw new Error('an event expected');
    context.imports.insert([prepareForInsert(outcome.event).event]);
    note(20);
    runToEnd();
    expect(receivedAt('imported')).toBe(outcome.event.created_at_ms);
  });

  test('a failed step changes nothing and is retried; meanwhile nothing else is requested', () => {
    collectWhileBehind();
    sealTail(context, 6);
    expect(note(20)).toBe(MONTH_MS);
    context.db.run("CREATE TEMP TRIGGER failing BEFORE DELETE ON fact_segments BEGIN SELECT RAISE(ABORT, 'no'); END");
    expect(stepDataMigration(context, RECEIVED_TIMES)).toEqual({ kind: 'failed', error: 'no' });
    expect(impossible()).toHaveLength(5);
    expect(checkInvariants(context.db)).toEqual([]);

    note(21, { own: -MONTH_MS });
    collect('behind 3', 22, undefined, -MONTH_MS);
    expect(note(23)).toBe(0);
    context.db.run('DROP TRIGGER failing');
    runToEnd();
    expect(impossible()).toEqual(['far before', 'far meanwhile', 'ancient', 'behind 3']);
    expect(note(24)).toBe(MONTH_MS);
    runToEnd();
    expect(impossible()).toEqual(['far before', 'far meanwhile', 'ancient']);
  });

  test('a first start with it is corrected too, and one that is stopped for hours meanwhile', () => {
    note(0, { own: -MONTH_MS });
    collect('behind', 1, undefined, -MONTH_MS);
    expect(impossible()).toEqual(['behind']);
    expect(note(1 + 24 * 60)).toBe(MONTH_MS);
    runToEnd();
    expect(impossible()).toEqual([]);
  });
});

describe('nothing is judged again', () => {
  const ahead = () => void note(0, { gateway: MONTH_MS });
  const DAY = 24 * 60;

  test.each([
    ['when the clock of the gateway was ahead and is set back', ahead, 10],
    ['when the manager was stopped for longer than that meanwhile', ahead, 45 * DAY],
    ['when nothing was known of the gateway', () => {}, 10],
  ] as const)('%s', (_, before, minute) => {
    before();
    collect('far', 1, far(1, 30));
    expect(note(minute)).toBe(0);
    runToEnd();
    expect(impossible()).toEqual(['far']);
  });

  test('when the clocks still differ, or differ only now', () => {
    note(0);
    collect('far', 1, far(1, 30));
    expect(note(2, { own: MONTH_MS })).toBe(0);
    expect(note(3, { own: -MONTH_MS })).toBe(0);
    expect(note(4, { own: -20 * DAY_MS })).toBe(0);
    expect(stepDataMigration(context, RECEIVED_TIMES)).toEqual({ kind: 'done' });
  });

  test('when a clock was behind by less than a day', () => {
    note(0, { own: -DAY_MS + MINUTE_MS });
    expect(note(1)).toBe(0);
  });
});
