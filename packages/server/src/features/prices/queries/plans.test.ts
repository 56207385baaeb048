import type { Database } from 'bun:sqlite';
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { sampleRecords } from '../../../events/testing/sample-records.ts';
import { createTestIngester, records } from '../../../events/testing/test-ingester.ts';
import { createTestFolder, type TestFolder } from '../../../platform/testing/test-folder.ts';
import { seedBuiltInPrices } from '../built-in/seed.ts';
import { ENTRIES_SQL, LIST_PRICES_SQL } from '../store.ts';
import { SOURCES_SQL } from '../sync/store.ts';
import { CUTOFF_SQL } from './usage-summary.ts';

let folder: TestFolder;
let db: Database;

beforeAll(() => {
  folder = createTestFolder();
  const ingester = createTestIngester(folder.path('usage.sqlite'));
  db = ingester.db;
  seedBuiltInPrices({ db, now: Date.now });
  const next = sampleRecords({ seed: 8 });
  ingester.ingest({ records: records(...Array.from({ length: 3_000 }, next)) });
  db.run('ANALYZE');
});
afterAll(() => {
  db.close();
  folder.dispose();
});

function planOf(sql: string): string[] {
  return db
    .query<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${sql.replaceAll('?', '1')}`)
    .all()
    .map((row) => row.detail);
}

test.each([
  // All of a small table, in key order: nothing is sorted.
  ['price list', LIST_PRICES_SQL, ['SCAN model_prices']],
  ['entry of every price', ENTRIES_SQL, ['SCAN model_prices']],
  ['source of every price', SOURCES_SQL, ['SCAN model_prices']],
  // From the end of the index, up to the sample size; no row is read.
  ['oldest event of a sample', CUTOFF_SQL, ['SCAN usage_events USING COVERING INDEX usage_events_time']],
])('the %s reads by an index', (_name, sql, plan) => {
  expect(planOf(sql)).toEqual(plan);
});
