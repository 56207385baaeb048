import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { readRecord } from '@manager/core/usage/record';
import { sha256Hex } from '../../platform/sha256.ts';
import { createTestFolder, type TestFolder } from '../../platform/testing/test-folder.ts';
import { eventDecoder } from '../detail/event-decoder.ts';
import { checkInvariants } from '../invariants/invariants.ts';
import { sampleRecords } from '../testing/sample-records.ts';
import { createTestIngester, records, recordText, TEST_NOW_MS, type TestIngester } from '../testing/test-ingester.ts';
import { readCounter, setCounter } from './counters.ts';
import { fillHeaderSnapshots } from './header-snapshots-fill.ts';
import { createOfflineImportInserter } from './import-events.ts';

let folder: TestFolder;
let ingester: TestIngester;

beforeEach(() => {
  folder = createTestFolder();
  ingester = createTestIngester(folder.path('usage.sqlite'));
});
afterEach(() => {
  expect(checkInvariants(ingester.db)).toEqual([]);
  ingester.db.close();
  folder.dispose();
});

interface Row {
  readonly snapshot_key: string;
  readonly timestamp_ms: number;
  readonly event_id: number;
  readonly detail: Uint8Array | null;
}

function stored(): Row[] {
  return ingester.db.query<Row, []>('SELECT * FROM latest_header_snapshots ORDER BY snapshot_key').all();
}

function withPlan(plan: string, members: Readonly<Record<string, unknown>> = {}): string {
  return recordText({ request_id: plan, response_headers: { 'x-codex-plan-type': [plan] }, ...members });
}

const at = (second: number) => `2026-09-01T11:59:${String(second).padStart(2, '0')}Z`;

describe('the newest headers of an account', () => {
  test('are those of the newest event, in any order and batches of events', () => {
    ingester.ingest({ records: records(withPlan('b', { timestamp: at(20) }), withPlan('a', { timestamp: at(10) })) });
    ingester.ingest({ records: records(withPlan('late', { timestamp: at(15) })) });
    expect(stored().map(({ event_id }) => event_id)).toEqual([1]);
    ingester.ingest({ records: records(withPlan('same time', { timestamp: at(20) })) });
    expect(stored().map(({ event_id }) => event_id)).toEqual([4]);
    ingester.ingest({ records: records(recordText({ request_id: 'no headers', timestamp: at(30) })) });
    expect(stored()).toEqual([
      {
        snapshot_key: 'auth::0011223344556677',
        timestamp_ms: Date.UTC(2026, 8, 1, 11, 59, 20),
        event_id: 4,
        detail: null,
      },
    ]);
  });

  test('are not those of an implausible time, which would hide all later ones', () => {
    ingester.ingest({ records: records(withPlan('now'), withPlan('far', { timestamp: '2030-01-01T00:00:00Z' })) });
    expect(stored().map(({ event_id }) => event_id)).toEqual([1]);
  });

  test('are not those of an import whose arrival time is in the future', () => {
    ingester.ingest({ records: records(withPlan('now')) });
    const imports = createOfflineImportInserter(ingester.db, { hourlyRollup: true, now: () => TEST_NOW_MS });
    const far = Date.UTC(2030, 0, 1);
    const outcome = readRecord(withPlan('far', { timestamp: far }), { nowMs: far, sha256Hex });
    if (outcome.kind !== 'event') throw new Error(outcome.kind);
    expect(outcome.event.created_at_ms).toBe(far);
    expect(imports.insert([outcome.event])).toMatchObject({ added: 1 });
    expect(stored().map(({ event_id }) => event_id)).toEqual([1]);
    expect(readCounter(ingester.db, 'implausible_timestamps')).toBe(1);
    // Nor when the snapshots are filled from stored events.
    ingester.db.run('DELETE FROM latest_header_snapshots');
    setCounter(ingester.db, 'header_snapshots_pending_id', 2);
    fillHeaderSnapshots({ db: ingester.db, now: () => TEST_NOW_MS }, null);
    expect(stored().map(({ event_id }) => event_id)).toEqual([1]);
  });

  test('are left as they were when the batch fails', () => {
    ingester.ingest({ records: records(withPlan('kept', { timestamp: at(1) })) });
    ingester.db.run("CREATE TRIGGER refuse BEFORE INSERT ON usage_events BEGIN SELECT RAISE(ABORT, 'all'); END");
    expect(() => ingester.ingest({ records: records(withPlan('x'), withPlan('y')) })).toThrow('all');
    expect(stored().map(({ event_id }) => event_id)).toEqual([1]);
    ingester.db.run('DROP TRIGGER refuse');
  });

  test('outlive the raw rows, and a late older event does not replace them', () => {
    ingester.ingest({ records: records(withPlan('gone', { timestamp: at(20) })) });
    ingester.db.run('DELETE FROM usage_events');
    setCounter(ingester.db, 'events', 0);
    ingester.ingest({ records: records(withPlan('late', { timestamp: at(10) })) });
    expect(stored().map(({ event_id }) => event_id)).toEqual([1]);
    const decode = eventDecoder(ingester.db);
    expect(decode(stored()[0]?.detail ?? new Uint8Array()).header_quota_plan_type).toBe('gone');
    ingester.ingest({ records: records(withPlan('new', { timestamp: at(30) })) });
    expect(stored()).toMatchObject([{ event_id: 3, detail: null }]);
  });
});

test('a deleted raw row finds its snapshot by an index', () => {
  const plan = ingester.db
    .query<{ detail: string }, []>('EXPLAIN QUERY PLAN SELECT detail FROM latest_header_snapshots WHERE event_id = 1')
    .all();
  expect(plan.map(({ detail }) => detail)).toEqual([
    'SEARCH latest_header_snapshots USING INDEX latest_header_snapshots_event (event_id=?)',
  ]);
});

test('events of an older database are added step by step, while new ones arrive', () => {
  const next = sampleRecords({ seed: 5, startMs: TEST_NOW_MS - 3_600_000 });
  const texts = Array.from({ length: 2_500 }, next);
  for (let from = 0; from < texts.length; from += 500) {
    ingester.ingest({ records: records(...texts.slice(from, from + 500)) });
  }
  const whole = stored();
  expect(whole.length).toBeGreaterThan(10);

  // As the schema migration leaves it.
  ingester.db.run('DELETE FROM latest_header_snapshots');
  setCounter(ingester.db, 'header_snapshots_pending_id', 2_500);
  const context = { db: ingester.db, now: () => TEST_NOW_MS };
  const step = () => ingester.db.transaction(() => fillHeaderSnapshots(context, null)).immediate();
  expect(step()).toEqual({ behind: true });
  expect(readCounter(ingester.db, 'header_snapshots_pending_id')).toBe(1_500);
  expect(checkInvariants(ingester.db)).toEqual([]);
  ingester.ingest({ records: records(withPlan('newcomer')) });
  expect(step()).toEqual({ behind: true });
  expect(step()).toEqual({ behind: false });
  expect(step()).toEqual({ behind: false });
  expect(readCounter(ingester.db, 'header_snapshots_pending_id')).toBe(0);
  expect(stored().filter(({ event_id }) => event_id <= 2_500)).toEqual(whole);
});
