import type { Database } from 'bun:sqlite';
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { shownPart } from '@manager/core/accounts/quota/cycle-view';
import type { QuotaState } from '@manager/core/accounts/quota/lifecycle-state';
import type { QuotaObservation } from '@manager/core/accounts/quota/observation';
import { ROWS_PER_SOURCE } from '@manager/core/accounts/quota/read-selection';
import { DAY, fiveHour, HOUR, observationAt, T0, weekly } from '@manager/core/accounts/testing/quota';
import type { QuotaWindowView, SnapshotWindow } from '@manager/core/contract/quotas/snapshots';
import fc from 'fast-check';
import { createTestFolder, type TestFolder } from '../../platform/testing/test-folder.ts';
import { openMigrated } from '../../schema/open-migrated.ts';
import { findAccount, readState } from './queries/accounts.ts';
import { readWindows } from './queries/read-windows.ts';
import { writeObservations, writeSentObservations } from './queries/write-observations.ts';
import { caughtUp } from './runs.ts';
import { createReference } from './testing/reference.ts';

const ACCOUNT = { accountKey: 'account', provider: 'codex' } as const;
const NEVER = T0 + 1000 * DAY;

let folder: TestFolder;
let db: Database;
beforeEach(() => {
  folder = createTestFolder();
  db = openMigrated(folder.path('usage.sqlite'), { now: () => T0 });
  db.run('PRAGMA synchronous = OFF');
});
afterEach(() => {
  db.close();
  folder.dispose();
});

function clear(): void {
  for (const table of ['accounts', 'states', 'observations', 'snapshots', 'window_shapes'])
    db.run(`DELETE FROM quota_${table}`);
  db.run("DELETE FROM counters WHERE name = 'quota_ids'");
}

const rowCount = () => db.query<{ n: number }, []>('SELECT count(*) AS n FROM quota_snapshots').get()?.n ?? -1;

const mostRows = () =>
  db
    .query<{ n: number }, []>(
      'SELECT count(*) AS n FROM quota_snapshots WHERE counts = 1 GROUP BY window_number, source ORDER BY n DESC LIMIT 1',
    )
    .get()?.n ?? 0;

function storedState(): QuotaState {
  const account = findAccount(db, ACCOUNT);
  if (account === null) throw new Error('no account');
  return caughtUp(readState(db, account.number), account.runs);
}

/** Hashes of observations of events have fewer members. Cycles that are no longer shown are dropped. */
function comparable({ windows, watermarks }: QuotaState) {
  const shown = (list: QuotaState['windows']) => list.map((each) => ({ ...each, cycles: shownPart(each.cycles) }));
  const marks = Object.entries(watermarks).map(([scope, { hash: _hash, windowsBefore, ...mark }]) => {
    return [scope, { ...mark, windowsBefore: shown(windowsBefore) }];
  });
  return { windows: shown(windows), marks };
}

/**
 * A run is one row, so a shown boundary without a cycle comes from another observation of the same cycle, some seconds apart.
 */
function comparableViews(views: readonly QuotaWindowView[]) {
  return views.map(({ field_sources: { boundary: _boundary, ...sources }, ...view }) => {
    if (view.current_cycle !== undefined) return { ...view, sources };
    const { cycle_start_ms: _start, cycle_end_ms: _end, boundary_accuracy: _accuracy, ...rest } = view;
    return { ...rest, sources };
  });
}

interface Step {
  readonly kind: 'event' | 'spark' | 'sent';
  readonly stepMs: number;
  readonly percents: readonly [number, number];
  readonly jitterMs: number;
  readonly cycle: number;
  readonly accuracy: 'derived' | 'exact';
  readonly mode: 'partial' | 'complete';
  readonly endsBatch: boolean;
}

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('event', 'event', 'event', 'event', 'spark', 'sent'),
  stepMs: fc.constantFrom(1_000, 6_000, 6_000, 6_000, 0, -5_000, HOUR),
  percents: fc.tuple(fc.constantFrom(10, 10, 10, 10.25, 10.5, 11, 40, 0, 0.5), fc.constantFrom(5, 5, 5, 5, 5.5, 6, 1)),
  jitterMs: fc.constantFrom(0, 0, 0, 1_000, -1_000, 59_000, 70_000),
  cycle: fc.constantFrom(0, 0, 0, 0, 0, 1),
  accuracy: fc.constantFrom('derived', 'derived', 'derived', 'derived', 'exact'),
  mode: fc.constantFrom('partial', 'complete'),
  endsBatch: fc.boolean(),
});

function observationsOf(
  steps: readonly Step[],
): { observation: QuotaObservation; sent: boolean; endsBatch: boolean }[] {
  let at = T0;
  return steps.map((each, index) => {
    at += each.stepMs;
    const end = T0 + 4 * HOUR + each.cycle * 5 * HOUR + each.jitterMs;
    const change: Partial<SnapshotWindow> = { boundary_accuracy: each.accuracy, plan_type: 'plus' };
    const names: Partial<SnapshotWindow> =
      each.kind === 'spark' ? { model_scope_kind: 'models', model_scope_key: '', model_ids: ['spark'] } : {};
    const id = new Bun.CryptoHasher('sha256').update(String(index)).digest('hex');
    const windows = [
      fiveHour(each.percents[0], end, { ...change, ...names }),
      weekly(each.percents[1], T0 + 3 * DAY + each.jitterMs, { ...change, ...names }),
    ];
    const sent = each.kind === 'sent';
    const observation = observationAt(at, windows, {
      observationId: id,
      ...(sent ? { source: 'api_query' as const, inventoryMode: each.mode } : {}),
    });
    const named = observation.windows.map((window) => ({ ...window, source_observation_id: id }));
    return { observation: { ...observation, windows: named }, sent, endsBatch: each.endsBatch };
  });
}

function store(list: ReturnType<typeof observationsOf>): void {
  let batch: QuotaObservation[] = [];
  const write = () => {
    if (batch.length > 0) db.transaction(() => writeObservations(db, batch, NEVER))();
    batch = [];
  };
  for (const { observation, sent, endsBatch } of list) {
    if (sent) {
      write();
      db.transaction(() => writeSentObservations(db, [observation]))();
    } else {
      batch.push(observation);
      if (endsBatch) write();
    }
  }
  write();
}

/** In the minute in which a window ends, rows with the same end expire one after the other. */
function apartFromEnds(nowMs: number): number {
  const isNear = [T0 + 4 * HOUR, T0 + 9 * HOUR, T0 + 3 * DAY].some((end) => Math.abs(nowMs - end) < 2 * 60_000);
  return isNear ? nowMs + 5 * 60_000 : nowMs;
}

test('state and answers equal those after applying and storing each observation', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 40 }), (steps) => {
      clear();
      const list = observationsOf(steps);
      store(list);
      const reference = createReference();
      for (const { observation } of list) reference.see(observation);
      expect(comparable(storedState())).toEqual(comparable(reference.state()));
      // Answers read the newest runs, the reference reads every observation.
      if (mostRows() > ROWS_PER_SOURCE) return;
      const latest = Math.max(...list.map(({ observation }) => observation.observedAtMs));
      for (const nowMs of [latest, latest + 6 * HOUR].map(apartFromEnds)) {
        const question = { nowMs, includeInactive: true };
        expect(comparableViews(readWindows(db, ACCOUNT, question))).toEqual(
          comparableViews(reference.views(nowMs, true)),
        );
      }
    }),
    { numRuns: 200 },
  );
});

function event(atMs: number, percents: readonly [number, number], endMs = T0 + 4 * HOUR): QuotaObservation {
  const id = new Bun.CryptoHasher('sha256').update(`${atMs}`).digest('hex');
  const change = { boundary_accuracy: 'derived', source_observation_id: id } as const;
  const windows = [fiveHour(percents[0], endMs, change), weekly(percents[1], T0 + 3 * DAY, change)];
  return observationAt(atMs, windows, { observationId: id });
}

const write = (list: readonly QuotaObservation[]) => db.transaction(() => writeObservations(db, list, NEVER))();

test('repeated observations are counted and not stored', () => {
  write([event(T0, [10, 5])]);
  expect(rowCount()).toBe(2);
  write(
    Array.from({ length: 500 }, (_, index) =>
      event(T0 + 6_000 * (index + 1), [10, 5], T0 + 4 * HOUR + (index % 3) * 900),
    ),
  );
  expect(rowCount()).toBe(2);
  const last = T0 + 6_000 * 500;
  const [view] = readWindows(db, ACCOUNT, { nowMs: last, includeInactive: false });
  expect(view).toMatchObject({ used_percent: 10, observed_at_ms: last, last_seen_at_ms: last, first_seen_at_ms: T0 });
  expect(storedState().windows[0]?.cycles[0]?.observations).toBe(501);
});

test('a changed percent is a new row, of its window only', () => {
  write([event(T0, [10, 5]), event(T0 + 1, [10, 5]), event(T0 + 2, [11, 5]), event(T0 + 3, [12, 5])]);
  expect(rowCount()).toBe(4);
});

test('decimals of a percent are one row with the newest value', () => {
  write([event(T0, [10, 5]), event(T0 + 1, [10.25, 5]), event(T0 + 2, [10.75, 5.5])]);
  expect(rowCount()).toBe(2);
  const views = readWindows(db, ACCOUNT, { nowMs: T0 + 2, includeInactive: false });
  expect(views.map((view) => view.used_percent)).toEqual([10.75, 5.5]);
});

test('late events that repeat the state of their time are not stored, others are history', () => {
  write([event(T0, [10, 5]), event(T0 + 10_000, [10, 5]), event(T0 + 20_000, [11, 5])]);
  write([event(T0 + 5_000, [10, 5]), event(T0 + 15_000, [10, 5])]);
  expect(rowCount()).toBe(3);
  write([event(T0 + 6_000, [9, 5])]);
  expect(db.query('SELECT counts, used_percent FROM quota_snapshots ORDER BY id').all().at(-1)).toEqual({
    counts: 0,
    used_percent: 9,
  });
  write([event(T0 + 6_000, [9, 5]), event(T0 + 7_000, [9, 5])]);
  expect(rowCount()).toBe(4);
});

test('events in the future are left out', () => {
  const now = T0 + HOUR;
  db.transaction(() => writeObservations(db, [event(now + DAY, [90, 90]), event(now, [10, 5])], now))();
  expect(readWindows(db, ACCOUNT, { nowMs: now, includeInactive: false })[0]).toMatchObject({ observed_at_ms: now });
});
