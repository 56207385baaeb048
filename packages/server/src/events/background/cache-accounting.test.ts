import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test';
import type { UsageEvent } from '@manager/core/usage/event';
import { createFactReader } from '../../facts/reader.ts';
import { sealTail } from '../../facts/seal.ts';
import { createTestFolder, type TestFolder } from '../../platform/testing/test-folder.ts';
import { readCounter } from '../ingest/counters.ts';
import { catchUpHourlyRollup } from '../ingest/hourly-catch-up.ts';
import type { IngestContext } from '../ingest/operations.ts';
import { checkInvariants } from '../invariants/invariants.ts';
import { sampleRecords } from '../testing/sample-records.ts';
import { TEST_NOW_MS } from '../testing/test-ingester.ts';
import { CACHE_ACCOUNTING, type DataMigrationState, dataMigration, dataMigrationRunning, readState } from './state.ts';
import { stepDataMigration } from './step.ts';
import { type OlderOptions, openContext, storedEvents, writeOlderDatabase } from './testing/older-database.ts';

// Invariants are recounted after every step.
setDefaultTimeout(180_000);

let folder: TestFolder;
let path: string;
let context: IngestContext | null = null;

beforeEach(() => {
  folder = createTestFolder();
  path = folder.path('usage.sqlite');
});
afterEach(() => {
  context?.db.close();
  context = null;
  folder.dispose();
});

function older(options: OlderOptions, open: { readonly hourlyRollup?: boolean } = {}) {
  const right = writeOlderDatabase(path, options);
  context = openContext(path, open);
  return { context, right };
}

/** One step, with the sealing it needs. */
function step(opened: IngestContext): DataMigrationState {
  const outcome = stepDataMigration(opened, CACHE_ACCOUNTING);
  if (outcome.kind === 'seal') sealTail(opened, outcome.rows);
  return readState(opened.db, CACHE_ACCOUNTING);
}

/** All steps; returns each status once, in order. */
function runToEnd(opened: IngestContext, afterEachStep: () => void = () => {}): string[] {
  const statuses: string[] = [];
  for (let steps = 0; statuses.at(-1) !== 'completed'; steps += 1) {
    if (steps > 100) throw new Error(`no end: ${statuses.join(' ')}`);
    const { status } = step(opened);
    if (statuses.at(-1) !== status) statuses.push(status);
    afterEachStep();
  }
  return statuses;
}

function expectRight(opened: IngestContext, right: ReadonlyMap<number, UsageEvent>): void {
  expect(checkInvariants(opened.db)).toEqual([]);
  const stored = storedEvents(opened.db);
  expect(stored.size).toBe(right.size);
  const wrong = [...right].flatMap(([id, event]) =>
    Object.entries(event)
      .filter(([name, value]) => stored.get(id)?.[name as keyof UsageEvent] !== value)
      .map(([name, value]) => `${id} ${name}: ${stored.get(id)?.[name as keyof UsageEvent]} instead of ${value}`),
  );
  expect(wrong.slice(0, 5)).toEqual([]);
}

function fail(opened: IngestContext, statement: string): void {
  opened.db.run(`CREATE TEMP TRIGGER failing BEFORE ${statement} BEGIN SELECT RAISE(ABORT, 'no'); END`);
}

function repair(opened: IngestContext): void {
  opened.db.run('DROP TRIGGER failing');
}

test('a new database is complete from the start and is never scanned', () => {
  context = openContext(path);
  expect(dataMigration(context, null)).toEqual({
    name: 'usage_cache_accounting_v2',
    status: 'completed',
    lastEventId: 0,
    targetEventId: 0,
    processedRows: 0,
    changedRows: 0,
    appliedRows: 0,
    updatedAtMs: expect.any(Number),
  });
  expect(stepDataMigration(context, CACHE_ACCOUNTING)).toEqual({ kind: 'done' });
  expect(dataMigrationRunning(context.db)).toBe(false);
});

describe('a database of an earlier version', () => {
  test('goes through every status; the invariants hold after each step', () => {
    const { context: opened, right } = older({ events: 2_100, segments: [700, 700] });
    expect(dataMigrationRunning(opened.db)).toBe(true);
    const statuses = runToEnd(opened, () => expect(checkInvariants(opened.db)).toEqual([]));
    expect(statuses).toEqual(['pending', 'running', 'applying', 'clearing', 'completed']);
    expectRight(opened, right);
    const state = dataMigration(opened, null);
    expect(state).toMatchObject({ status: 'completed', startedAtMs: TEST_NOW_MS, finishedAtMs: TEST_NOW_MS });
    expect(state.lastEventId).toBe(state.targetEventId);
    expect(state.processedRows).toBe(state.targetEventId);
    expect(state.changedRows).toBeGreaterThan(1_000);
    expect(state.appliedRows).toBe(state.changedRows);
    expect(dataMigrationRunning(opened.db)).toBe(false);
  });

  test('is not touched by a second run', () => {
    const { context: opened } = older({ events: 300 });
    runToEnd(opened);
    const segments = () => opened.db.query('SELECT id FROM fact_segments').all();
    const before = segments();
    opened.db.run(
      `UPDATE usage_data_migrations
       SET status = 'discovering', target_event_id = 0, last_event_id = 0, changed_rows = 0, applied_rows = 0`,
    );
    expect(runToEnd(opened)).toEqual(['pending', 'completed']);
    expect(segments()).toEqual(before);
  });

  test('whose events are correct is scanned once and not changed', () => {
    const { context: opened, right } = older({ events: 1_500, older: (event) => event });
    expect(runToEnd(opened)).toEqual(['pending', 'running', 'completed']);
    expect(dataMigration(opened, null)).toMatchObject({ changedRows: 0, appliedRows: 0 });
    expectRight(opened, right);
  });

  test('without any candidate ends after the search', () => {
    const plain = (event: UsageEvent): UsageEvent => ({
      ...event,
      cached_tokens: 0,
      cache_tokens: 0,
      cache_read_tokens: 0,
      cache_creation_tokens: 0,
    });
    const { context: opened } = older({ events: 2_100, older: plain });
    expect(runToEnd(opened)).toEqual(['discovering', 'completed']);
    expect(dataMigration(opened, null)).toMatchObject({ targetEventId: 0, lastEventId: 0, processedRows: 0 });
  });

  test('shows corrected sums to readers that kept columns of its segments', () => {
    const { context: opened } = older({ events: 1_200, segments: [600] });
    const reader = createFactReader(opened.db);
    const sum = () =>
      reader.read(({ chunks }) => {
        let total = 0;
        for (const chunk of chunks) {
          const { base, values } = chunk.numbers('total_tokens');
          for (let row = 0; row < chunk.rowCount; row += 1) total += base + (values?.[row] ?? 0);
        }
        return total;
      });
    const recount = () =>
      opened.db.query<{ total: number }, []>('SELECT sum(total_tokens) AS total FROM hourly_core').get()?.total ?? -1;
    const before = sum();
    expect(before).toBe(recount());
    runToEnd(opened, () => expect(sum()).toBe(recount()));
    expect(sum()).not.toBe(before);
  });

  test('keeps ingesting events, which the job ignores', () => {
    const { context: opened, right } = older({ events: 1_500, segments: [500] });
    const record = sampleRecords({ seed: 99 });
    let ingested = 0;
    runToEnd(opened, () => {
      const texts = Array.from({ length: 40 }, () => ({ text: record(), receivedAtMs: TEST_NOW_MS }));
      ingested += opened.ingester.ingest({ records: texts }).inserted;
    });
    expect(ingested).toBeGreaterThan(200);
    const stored = storedEvents(opened.db);
    expect(stored.size).toBe(right.size + ingested);
    expect(checkInvariants(opened.db)).toEqual([]);
    for (const [id, event] of right) expect(stored.get(id)).toEqual(event);
    expect(dataMigration(opened, null).targetEventId).toBeLessThanOrEqual(right.size);
  });

  test('keeps the facts of deleted events as they are, deleted before or after they were noted', () => {
    const { context: opened } = older({ events: 1_000, segments: [1_000] });
    const totals = (from: number, to: number) =>
      createFactReader(opened.db).read(({ chunks }) =>
        chunks.flatMap((chunk) => {
          const { base, values } = chunk.numbers('input_tokens');
          return Array.from({ length: to - from }, (_, index) => base + (values?.[from + index] ?? 0));
        }),
      );
    const remove = (from: number, to: number) => {
      const { changes } = opened.db.query('DELETE FROM usage_events WHERE id BETWEEN ? AND ?').run(from, to);
      opened.db.query("UPDATE counters SET value = value - ? WHERE name = 'events'").run(changes);
    };
    const early = totals(0, 100);
    const late = totals(900, 1_000);
    remove(1, 100);
    while (readState(opened.db, CACHE_ACCOUNTING).status !== 'applying') step(opened);
    remove(901, 1_000);
    expect(runToEnd(opened)).toEqual(['applying', 'clearing', 'completed']);
    expect(totals(0, 100)).toEqual(early);
    expect(totals(900, 1_000)).toEqual(late);
    expect(checkInvariants(opened.db)).toEqual([]);
    const { changedRows, appliedRows } = dataMigration(opened, null);
    expect(appliedRows).toBe(changedRows);
  });
});

describe('the hourly rollup', () => {
  test('that is behind waits, and catches up from corrected facts', () => {
    const { context: opened, right } = older({ events: 1_200, segments: [500], hourlyRollup: false });
    expect(catchUpHourlyRollup(opened, null)).toEqual({ behind: false });
    expect(readCounter(opened.db, 'hourly_core_event_id')).toBe(0);
    runToEnd(opened);
    while (catchUpHourlyRollup(opened, null).behind) {
      // The next segment.
    }
    expect(readCounter(opened.db, 'hourly_core_event_id')).toBe(1_200);
    expectRight(opened, right);
  });

  test('that was disabled halfway gets only the differences of the facts it covers', () => {
    const { context: opened, right } = older({ events: 1_200, segments: [500] });
    // As if it had been disabled after the first segment.
    opened.db.run('DELETE FROM hourly_core');
    opened.db.run("UPDATE counters SET value = 0 WHERE name = 'hourly_core_event_id'");
    opened.db.run("UPDATE usage_data_migrations SET status = 'completed'");
    catchUpHourlyRollup(opened, null);
    expect(readCounter(opened.db, 'hourly_core_event_id')).toBe(500);
    opened.db.run("UPDATE usage_data_migrations SET status = 'discovering'");
    runToEnd(opened);
    while (catchUpHourlyRollup(opened, null).behind) {
      // The next segment.
    }
    expectRight(opened, right);
  });
});

describe('a step that fails', () => {
  test('keeps counters and checkpoint, however often, and the error inside', () => {
    const { context: opened, right } = older({ events: 2_100, segments: [800] });
    while (step(opened).appliedRows === 0) {
      // Until the first batch is written.
    }
    const before = readState(opened.db, CACHE_ACCOUNTING);
    fail(opened, 'UPDATE ON usage_events');
    for (let times = 0; times < 2; times += 1) {
      expect(stepDataMigration(opened, CACHE_ACCOUNTING)).toMatchObject({ kind: 'failed' });
      expect(readState(opened.db, CACHE_ACCOUNTING)).toEqual({ ...before, status: 'failed' });
      expect(checkInvariants(opened.db)).toEqual([]);
    }
    const { last_error } = opened.db
      .query<{ last_error: string }, [string]>('SELECT last_error FROM usage_data_migrations WHERE name = ?')
      .get(CACHE_ACCOUNTING) ?? { last_error: '' };
    expect(last_error).toBe('no');
    expect(JSON.stringify(dataMigration(opened, null))).not.toContain('"no"');
    repair(opened);
    expect(runToEnd(opened)).toEqual(['applying', 'clearing', 'completed']);
    expectRight(opened, right);
  });

  test('after facts were written leaves them and the hourly rollup as they were', () => {
    const { context: opened, right } = older({ events: 400, segments: [400] });
    while (step(opened).status !== 'applying') {
      // Until corrections are noted.
    }
    for (const statement of ['UPDATE ON hourly_core', 'DELETE ON usage_data_migration_changes']) {
      fail(opened, statement);
      expect(stepDataMigration(opened, CACHE_ACCOUNTING)).toEqual({ kind: 'failed', error: 'no' });
      expect(checkInvariants(opened.db)).toEqual([]);
      repair(opened);
    }
    runToEnd(opened);
    expectRight(opened, right);
  });

  test('of the scan resumes with the noted events, then with the rest of the scan', () => {
    const { context: opened, right } = older({ events: 2_100 });
    while (step(opened).processedRows === 0) {
      // Until the first batch is noted.
    }
    fail(opened, 'INSERT ON usage_data_migration_changes');
    expect(stepDataMigration(opened, CACHE_ACCOUNTING)).toMatchObject({ kind: 'failed' });
    repair(opened);
    expect(runToEnd(opened)).toEqual(['applying', 'running', 'applying', 'clearing', 'completed']);
    expectRight(opened, right);
  });

  test.each([
    ['nothing was found yet', { target: 0, last: 0, processed: 0, changed: 0, applied: 0 }, 'pending'],
    ['changes are left', { target: 400, last: 400, processed: 400, changed: 5, applied: 4 }, 'clearing'],
    ['the scan is not over', { target: 400, last: 300, processed: 300, changed: 0, applied: 0 }, 'applying'],
    ['all is applied', { target: 400, last: 400, processed: 400, changed: 5, applied: 5 }, 'completed'],
    ['nothing had to change', { target: 400, last: 400, processed: 400, changed: 0, applied: 0 }, 'completed'],
  ])('goes on where it was: %s', (_, row, next) => {
    const { context: opened } = older({ events: 400 });
    opened.db
      .query(
        `UPDATE usage_data_migrations
         SET status = 'failed', target_event_id = $target, last_event_id = $last, processed_rows = $processed,
             changed_rows = $changed, applied_rows = $applied`,
      )
      .run(row);
    expect(String(step(opened).status)).toBe(next);
  });
});

test.each(['', 'paused', 'COMPLETED'])('an unknown status (%s) is an error, shown raw and left untouched', (status) => {
  const { context: opened } = older({ events: 10 });
  opened.db.query('UPDATE usage_data_migrations SET status = ?').run(status);
  const row = () => opened.db.query('SELECT * FROM usage_data_migrations').all();
  const before = row();
  expect(() => stepDataMigration(opened, CACHE_ACCOUNTING)).toThrow('unknown status');
  expect(row()).toEqual(before);
  expect(dataMigration(opened, null).status).toBe(status);
  expect(dataMigrationRunning(opened.db)).toBe(true);
});

test('a missing state row is not ready', () => {
  context = openContext(path);
  context.db.run('DELETE FROM usage_data_migrations');
  expect(dataMigrationRunning(context.db)).toBe(true);
  const { db } = context;
  expect(() => dataMigration({ db }, null)).toThrow('missing');
});
