import type { Database } from 'bun:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import type { QuotaObservation } from '@manager/core/accounts/quota/observation';
import { DAY, fiveHour, HOUR, observationAt, T0, weekly } from '@manager/core/accounts/testing/quota';
import { createTestFolder, type TestFolder } from '../../platform/testing/test-folder.ts';
import { openMigrated } from '../../schema/open-migrated.ts';
import { createQuotaSnapshotPruner } from './pruner.ts';
import {
  PRUNE_OBSERVATIONS_SQL,
  PRUNE_SNAPSHOTS_SQL,
  PRUNE_START,
  type PrunePlace,
  pruneRows,
} from './queries/prune.ts';
import { NEWEST_ROWS_SQL, readWindows } from './queries/read-windows.ts';
import { writeObservations, writeSentObservations } from './queries/write-observations.ts';

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

interface Row {
  readonly id: number;
  readonly window_number: number;
  readonly cycle_number: number | null;
  readonly first_observed_at_ms: number;
}
const rows = () => db.query<Row, []>('SELECT * FROM quota_snapshots ORDER BY id').all();
const observationCount = () => db.query<{ n: number }, []>('SELECT count(*) AS n FROM quota_observations').get()?.n;

function prune(beforeMs: number, batchRows: number): number {
  let place: PrunePlace | null = PRUNE_START;
  let deleted = 0;
  while (place !== null) {
    const outcome = pruneRows(db, { beforeMs, place, rows: batchRows });
    deleted += outcome.deleted;
    place = outcome.next;
  }
  return deleted;
}

/**
 * Forty days of a five-hour window, four observations per cycle; the windows of `rolling` are never part of a cycle.
 */
function fill(write: (list: readonly QuotaObservation[]) => void): number {
  const days = 40;
  for (let cycle = 0; cycle < (days * 24) / 5; cycle += 1) {
    const end = T0 + (cycle + 1) * 5 * HOUR;
    const list = [10, 20, 30, 40].map((percent, index) =>
      observationAt(end - (4 - index) * HOUR, [
        fiveHour(percent, end),
        weekly(index, T0, { provider_window_id: 'rolling', window_mode: 'rolling', boundary_accuracy: 'estimated' }),
      ]),
    );
    write(list);
  }
  return T0 + days * DAY;
}

const ACCOUNT = { accountKey: 'account', provider: 'codex' } as const;
const answer = (nowMs: number) => readWindows(db, ACCOUNT, { nowMs, includeInactive: true });

describe.each([1_000, 7])('pruning in batches of %d rows', (batchRows) => {
  test('keeps answers, the first and last row of each cycle and everything that is not old', () => {
    const now = fill((list) => db.transaction(() => writeSentObservations(db, list))());
    const all = rows();
    const before = answer(now);
    const cutoff = now - 35 * DAY;
    expect(prune(cutoff, batchRows)).toBeGreaterThan(50);
    const kept = new Set(rows().map(({ id }) => id));
    expect(answer(now)).toEqual(before);
    for (const row of all) {
      const cycle = all.filter(({ cycle_number: number }) => number !== null && number === row.cycle_number);
      const isEdge = cycle.at(0)?.id === row.id || cycle.at(-1)?.id === row.id;
      expect(kept.has(row.id)).toBe(row.first_observed_at_ms >= cutoff || isEdge);
    }
    expect(prune(cutoff, batchRows)).toBe(0);
  });

  test('of an account without new observations keeps its answers', () => {
    const now = fill((list) => db.transaction(() => writeObservations(db, list, T0 + 1000 * DAY))());
    const before = answer(now + 300 * DAY);
    expect(prune(now + 300 * DAY, batchRows)).toBeGreaterThan(50);
    expect(before).toHaveLength(2);
    expect(answer(now + 300 * DAY)).toEqual(before);
  });
});

test('deletes observations with their last row', () => {
  const now = fill((list) => db.transaction(() => writeSentObservations(db, list))());
  prune(now + DAY, 1_000);
  expect(observationCount()).toBe(new Set(rows().map((row) => row.first_observed_at_ms)).size);
});

test('deletes history completely', () => {
  const late = (hours: number) =>
    observationAt(T0 - hours * HOUR, [weekly(50, T0 + DAY)], { observationId: `${hours}` });
  db.transaction(() => writeSentObservations(db, [late(0), late(1), late(2)]))();
  expect(rows()).toHaveLength(3);
  expect(prune(T0 + DAY, 1_000)).toBe(4);
  expect(rows()).toHaveLength(1);
});

test('uses statements that find their rows by keys', () => {
  const planOf = (sql: string) =>
    db
      .query<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${sql}`)
      .all()
      .map(({ detail }) => detail);
  for (const sql of [NEWEST_ROWS_SQL, PRUNE_SNAPSHOTS_SQL, PRUNE_OBSERVATIONS_SQL]) {
    expect(planOf(sql).filter((line) => line.includes('SCAN') || line.includes('TEMP B-TREE'))).toEqual([]);
  }
});

describe('the pruner', () => {
  function start(prune: Parameters<typeof createQuotaSnapshotPruner>[0]['prune']) {
    const waits: number[] = [];
    const warnings: string[] = [];
    const gate = { next: Promise.withResolvers<void>() };
    const pruner = createQuotaSnapshotPruner({
      prune,
      now: () => T0,
      log: { warn: (message) => warnings.push(message) },
      wait: (ms, signal) =>
        new Promise((resolve, reject) => {
          if (signal.aborted) return reject(new Error('aborted'));
          waits.push(ms);
          signal.addEventListener('abort', () => reject(new Error('aborted')));
          if (waits.length < 8) resolve();
          else gate.next.resolve();
        }),
    });
    pruner.start();
    return { pruner, waits, warnings, quiet: gate.next.promise };
  }

  test('processes everything once a day, in batches with a pause between them', async () => {
    const asked: unknown[] = [];
    const { pruner, waits, quiet } = start(async (args) => {
      asked.push(args.place.afterId);
      expect(args.beforeMs).toBe(T0 - 35 * DAY);
      const afterId = args.place.afterId + args.rows;
      return { deleted: 0, next: afterId > 2 * args.rows ? null : { table: 'snapshots', afterId } };
    });
    await quiet;
    await pruner.stop();
    expect(waits).toEqual([60_000, 50, 50, DAY, 50, 50, DAY, 50]);
    expect(asked.slice(0, 4)).toEqual([0, 1_000, 2_000, 0]);
  });

  test('logs a failure once and retries', async () => {
    const { pruner, waits, warnings, quiet } = start(() => Promise.reject(new Error('database is full')));
    await quiet;
    await pruner.stop();
    expect(waits.every((ms) => ms === 60_000)).toBe(true);
    expect(warnings).toEqual(['old quota observations cannot be deleted: database is full; retrying']);
  });
});
