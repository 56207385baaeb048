import type { Database } from 'bun:sqlite';
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { sampleRecords } from '../../../../events/testing/sample-records.ts';
import { createTestIngester, records } from '../../../../events/testing/test-ingester.ts';
import { createTestFolder, type TestFolder } from '../../../../platform/testing/test-folder.ts';
import { BOUND_AT_SAME_TIME_SQL, COUNT_AT_SAME_TIME_SQL, LATER_BOUND_SQL } from './export-bounds.ts';
import { BETWEEN_SQL, SAME_TIME_SQL } from './export-page.ts';
import { EXPORT_RANGE_SQL } from './export-range.ts';
import { USAGE_DETAILS_SQL } from './usage-details.ts';
import { USAGE_EARLIER_SQL, USAGE_SAME_TIME_SQL } from './usage-page.ts';

let folder: TestFolder;
let db: Database;

beforeAll(() => {
  folder = createTestFolder();
  const ingester = createTestIngester(folder.path('usage.sqlite'));
  db = ingester.db;
  const next = sampleRecords({ seed: 8 });
  ingester.ingest({ records: records(...Array.from({ length: 3_000 }, next)) });
  db.run('ANALYZE');
});
afterAll(() => {
  db.close();
  folder.dispose();
});

/** Placeholders stay unbound: for the plan only the text matters. */
function planOf(sql: string): string[] {
  return db
    .query<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${sql.replaceAll('?', '1')}`)
    .all()
    .map((row) => row.detail);
}

test.each([
  [
    'export range',
    EXPORT_RANGE_SQL,
    [
      'SCAN CONSTANT ROW',
      'SCALAR SUBQUERY 1',
      'SEARCH counters USING PRIMARY KEY (name=?)',
      'SCALAR SUBQUERY 2',
      'SEARCH usage_events',
    ],
  ],
  [
    'bound of a page within one time',
    BOUND_AT_SAME_TIME_SQL,
    ['SEARCH usage_events USING COVERING INDEX usage_events_time (timestamp_ms=? AND rowid>? AND rowid<?)'],
  ],
  [
    'count of one time',
    COUNT_AT_SAME_TIME_SQL,
    ['SEARCH usage_events USING COVERING INDEX usage_events_time (timestamp_ms=? AND rowid>? AND rowid<?)'],
  ],
  [
    'bound of a later page',
    LATER_BOUND_SQL,
    ['SEARCH usage_events USING COVERING INDEX usage_events_time (timestamp_ms>?)'],
  ],
  [
    'export page, one time',
    SAME_TIME_SQL,
    ['SEARCH usage_events USING INDEX usage_events_time (timestamp_ms=? AND rowid>? AND rowid<?)'],
  ],
  [
    'export page, between two times',
    BETWEEN_SQL,
    ['SEARCH usage_events USING INDEX usage_events_time (timestamp_ms>? AND timestamp_ms<?)'],
  ],
  [
    'usage page, same time',
    USAGE_SAME_TIME_SQL,
    ['SEARCH usage_events USING INDEX usage_events_time (timestamp_ms=? AND rowid<?)'],
  ],
  ['usage page, earlier', USAGE_EARLIER_SQL, ['SEARCH usage_events USING INDEX usage_events_time (timestamp_ms<?)']],
  [
    'usage details',
    USAGE_DETAILS_SQL,
    [
      'SEARCH usage_events USING INTEGER PRIMARY KEY (rowid=?)',
      'LIST SUBQUERY 1',
      'SCAN json_each VIRTUAL TABLE INDEX 1:',
    ],
  ],
])('the %s reads by an index', (_name, sql, plan) => {
  expect(planOf(sql)).toEqual(plan);
});
