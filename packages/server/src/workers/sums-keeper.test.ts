import { afterEach, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkInvariants } from '../events/invariants/invariants.ts';
import { sampleRecords } from '../events/testing/sample-records.ts';
import { GROUPING_NAMES } from '../facts/sums/groupings.ts';
import { openDatabase } from '../sqlite/open.ts';
import { openStore, prepareStore, type Store } from './store.ts';

const SEGMENT_ROWS = 200;
const SEGMENTS = 3;

const folder = mkdtempSync(join(tmpdir(), 'sums-keeper-test-'));
const path = join(folder, 'usage.sqlite');
const stores: Store[] = [];
afterEach(async () => {
  for (const store of stores.splice(0)) await store.close();
  rmSync(folder, { recursive: true, force: true });
});

function open(): Store {
  prepareStore(path, { now: Date.now, tempDirectory: folder });
  const log = { info: () => {}, error: (text: string) => console.error(text) };
  const store = openStore({ path, hourlyRollup: true, now: Date.now, log, segmentRows: SEGMENT_ROWS });
  stores.push(store);
  return store;
}

function onFile<Result>(read: (db: ReturnType<typeof openDatabase>) => Result): Result {
  const db = openDatabase(path);
  try {
    return read(db);
  } finally {
    db.close();
  }
}

const stored = () =>
  onFile((db) => db.query<{ rows: number }, []>('SELECT count(*) AS rows FROM fact_segment_sums').get()?.rows);

test('segments of a database without sums get theirs, those of another version are replaced', async () => {
  const first = open();
  const next = sampleRecords({ seed: 5 });
  const records = Array.from({ length: SEGMENT_ROWS * SEGMENTS }, () => ({ text: next(), receivedAtMs: Date.now() }));
  await first.writer.run('ingest', { records });
  await first.close();
  stores.length = 0;
  const all = SEGMENTS * GROUPING_NAMES.length;
  expect(stored()).toBe(all);
  onFile((db) => {
    db.run('DELETE FROM fact_segment_sums WHERE segment_id < 3');
    db.run('UPDATE fact_segment_sums SET version = 0, data = zeroblob(9)');
  });

  const second = open();
  await second.storeMissingSums();
  expect(stored()).toBe(all);
  expect(onFile((db) => db.query('SELECT DISTINCT version FROM fact_segment_sums WHERE version = 0').all())).toEqual(
    [],
  );
  expect(onFile(checkInvariants)).toEqual([]);
}, 60_000);
