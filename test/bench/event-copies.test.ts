import { afterAll, beforeAll, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { readCounter } from '@manager/server/events/ingest/counters';
import { checkInvariants } from '@manager/server/events/invariants/invariants';
import { openDatabase } from '@manager/server/sqlite/open';
import { copyEvents } from '../../bench/dataset/event-copies.ts';
import { storedForm } from '../../bench/dataset/form.ts';
import { writeHistory } from '../support/history-database.ts';
import { temporaryFolder } from '../support/manager-process.ts';
import { HISTORY_DAYS, HISTORY_END_MS } from '../support/traffic.ts';

const DAY_MS = 86_400_000;
const SEGMENT_ROWS = 500;

const folder = temporaryFolder();
const base = join(folder, 'base.sqlite');

// Three segments and a tail.
beforeAll(() => writeHistory(base, { events: 1_700, segmentRows: SEGMENT_ROWS }));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each([1_700, 4_100, 700])('%d copied events are a database of the product', (events) => {
  const copied = join(folder, `copied-${events}.sqlite`);
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

test('a database that was kept is known by the sources of its form, all of which exist', () => {
  expect(storedForm()).toMatch(/^[0-9a-f]{12}$/);
});
