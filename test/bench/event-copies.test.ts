import { afterEach, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { copyEvents } from '../../bench/dataset/event-copies.ts';
import {
  accountSnapshots,
  benchAccounts,
  HISTORY_DAYS,
  HISTORY_END_MS,
  historyEvents,
} from '../../bench/dataset/events.ts';
import { readCounter } from '../../packages/server/src/events/ingest/counters.ts';
import { checkInvariants } from '../../packages/server/src/events/invariants/invariants.ts';
import { openDatabase } from '../../packages/server/src/sqlite/open.ts';
import { openStore, prepareStore } from '../../packages/server/src/workers/store.ts';
import { temporaryFolder } from '../support/manager-process.ts';

const DAY_MS = 86_400_000;
const SEGMENT_ROWS = 500;
const BATCH = 250;

const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** 1,700 events by the writer of the product: three segments and a tail. */
async function writeBase(): Promise<{ base: string; folder: string }> {
  const folder = temporaryFolder();
  folders.push(folder);
  const base = join(folder, 'base.sqlite');
  prepareStore(base, { now: Date.now, tempDirectory: folder });
  const store = openStore({
    path: base,
    hourlyCore: true,
    now: Date.now,
    log: { info: () => {}, error: (text) => console.error(text) },
    segmentRows: SEGMENT_ROWS,
  });
  const history = historyEvents(1_700, 1);
  let snapshots: { snapshots?: ReturnType<typeof accountSnapshots> } = {
    snapshots: accountSnapshots(benchAccounts(), Date.now()),
  };
  for (let made = 0; made < 1_700; made += BATCH) {
    const records = Array.from({ length: Math.min(BATCH, 1_700 - made) }, () => ({
      text: history.events.next().value.text,
      receivedAtMs: history.nowMs(),
    }));
    await store.writer.run('ingest', { records, ...snapshots });
    snapshots = {};
  }
  await store.close();
  return { base, folder };
}

test.each([1_700, 4_100, 700])('%d copied events are a database of the product', async (events) => {
  const { base, folder } = await writeBase();
  const copied = join(folder, 'copied.sqlite');
  copyEvents(base, copied, events, () => {});
  const db = openDatabase(copied, { readonly: true });
  expect(checkInvariants(db)).toEqual([]);
  expect(readCounter(db, 'events')).toBe(events);
  expect(readCounter(db, 'hourly_core_event_id')).toBe(events);
  const segments = db.query<{ rows: number }, []>('SELECT row_count AS rows FROM fact_segments').all();
  expect(segments.every(({ rows }) => rows === SEGMENT_ROWS)).toBe(true);
  const { first, last } = db
    .query<{ first: number; last: number }, []>(
      'SELECT min(timestamp_ms) AS first, max(timestamp_ms) AS last FROM usage_events',
    )
    .get() ?? { first: 0, last: 0 };
  expect(first).toBeGreaterThan(HISTORY_END_MS - (HISTORY_DAYS + 1) * DAY_MS);
  expect(last).toBeLessThanOrEqual(HISTORY_END_MS);
  db.close();
});
