import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import type { AccountSnapshotTable } from '@manager/core/usage/event';
import { FactFlag } from '../../facts/columns.ts';
import { createTestFolder, type TestFolder } from '../../platform/testing/test-folder.ts';
import { codeOf } from '../../sqlite/worker/errors.ts';
import { eventDecoder } from '../detail/event-decoder.ts';
import { checkInvariants } from '../invariants/invariants.ts';
import { sampleRecords } from '../testing/sample-records.ts';
import { createTestIngester, records, recordText, TEST_NOW_MS, type TestIngester } from '../testing/test-ingester.ts';
import { readCounter } from './counters.ts';
import { MAX_DEAD_LETTERS } from './dead-letters.ts';
import { catchUpHourlyRollup } from './hourly-catch-up.ts';
import { recordDeadLetters } from './operations.ts';
import { replayDeadLetters } from './replay.ts';

let folder: TestFolder;
let path: string;
let ingester: TestIngester;

beforeEach(() => {
  folder = createTestFolder();
  path = folder.path('usage.sqlite');
  ingester = createTestIngester(path);
});
afterEach(() => {
  expect(checkInvariants(ingester.db)).toEqual([]);
  ingester.db.close();
  folder.dispose();
});

function count(table: string): number {
  return ingester.db.query<{ rows: number }, []>(`SELECT count(*) AS rows FROM ${table}`).get()?.rows ?? -1;
}

function storedEvents() {
  const decode = eventDecoder(ingester.db);
  return ingester.db
    .query<{ detail: Uint8Array }, []>('SELECT detail FROM usage_events ORDER BY id')
    .all()
    .map((row) => decode(row.detail));
}

function fact(column: string): unknown {
  return Object.values(
    ingester.db.query(`SELECT ${column} FROM facts_tail ORDER BY event_id DESC LIMIT 1`).get() ?? {},
  )[0];
}

describe('a batch', () => {
  test('becomes ledger, raw row, fact and hourly rollup in one transaction', () => {
    const result = ingester.ingest({ records: records(recordText()) });
    expect(result).toEqual({
      inserted: 1,
      skipped: 0,
      deadLettered: 0,
      blank: 0,
      repaired: 0,
      cut: 0,
      insertedIds: [1],
      receivedByAuthIndex: new Map([['0011223344556677', { success: 1, failed: 0 }]]),
      droppedDeadLetters: 0,
      namesWithoutRoom: 0,
      tailRows: 1,
    });
    for (const table of ['usage_events', 'usage_event_identity_ledger', 'facts_tail', 'hourly_core']) {
      expect(count(table)).toBe(1);
    }
    expect(ingester.db.query('SELECT * FROM hourly_core').get()).toMatchObject({
      hour_ms: Date.UTC(2026, 8, 1, 11),
      failed: 0,
      calls: 1,
      input_tokens: 900,
      uncached_input_tokens: 300,
      cache_read_tokens: 600,
      output_tokens: 70,
      total_tokens: 970,
      latency_sum_ms: 1200,
      latency_samples: 1,
      zero_token_calls: 0,
    });
    expect(readCounter(ingester.db, 'events')).toBe(1);
  });

  test('skips known events, in another batch or in the same', () => {
    ingester.ingest({ records: records(recordText()) });
    const twice = recordText({ request_id: 'other' });
    const result = ingester.ingest({ records: records(recordText(), twice, twice) });
    expect(result).toMatchObject({ inserted: 1, skipped: 2, insertedIds: [2] });
    expect(readCounter(ingester.db, 'events')).toBe(2);
  });

  test('skips an event whose raw row was deleted, and never reuses its id', () => {
    ingester.ingest({ records: records(recordText()) });
    ingester.db.run('DELETE FROM usage_events');
    ingester.db.run("UPDATE counters SET value = 0 WHERE name = 'events'");
    const result = ingester.ingest({ records: records(recordText(), recordText({ request_id: 'new' })) });
    expect(result).toMatchObject({ inserted: 1, skipped: 1, insertedIds: [2] });
  });

  test('counts blank and control records and keeps neither', () => {
    const result = ingester.ingest({ records: records('', ' \n', '{"refresh":true}', '{"support_refresh":true}') });
    expect(result).toMatchObject({ inserted: 0, blank: 2, deadLettered: 0 });
    expect(count('dead_letters')).toBe(0);
  });

  test('stores a text that is no event as received', () => {
    const result = ingester.ingest({ records: records('not json', '[1,2]', recordText()) });
    expect(result).toMatchObject({ inserted: 1, deadLettered: 2 });
    expect(ingester.db.query('SELECT payload, error, created_at_ms FROM dead_letters ORDER BY id').all()).toEqual([
      { payload: 'not json', error: 'not valid JSON', created_at_ms: TEST_NOW_MS },
      { payload: '[1,2]', error: 'not a JSON object', created_at_ms: TEST_NOW_MS },
    ]);
  });

  test('counts records with token counts out of range', () => {
    const batch = records(recordText({ tokens: { input_tokens: -7 } }), recordText({ request_id: 'other' }));
    expect(ingester.ingest({ records: batch })).toMatchObject({ inserted: 2, repaired: 1 });
    expect(ingester.ingest({ records: batch })).toMatchObject({ skipped: 2, repaired: 0 });
  });

  test('counts repaired records once, wherever they were repaired', () => {
    const [first, second, third] = records(
      recordText({ request_id: 'lone \ud800 surrogate' }),
      recordText({ request_id: 'bytes' }),
      recordText({ request_id: 'both \udc00' }),
    );
    if (first === undefined || second === undefined || third === undefined) throw new Error('three records');
    const batch = [first, { ...second, repaired: true }, { ...third, repaired: true }];
    expect(ingester.ingest({ records: batch })).toMatchObject({ inserted: 3, repaired: 3 });
    expect(storedEvents()[0]?.request_id).toBe('lone \ufffd surrogate');
  });

  test('keeps a NUL inside a text', () => {
    ingester.ingest({ records: records(recordText({ request_id: 'a\0b', alias: 'model\0name' })) });
    expect(storedEvents()[0]).toMatchObject({ request_id: 'a\0b', requested_model: 'model\0name' });
    expect(fact('request_id')).toBe('a\0b');
  });

  test('counts and flags implausible times and stores them as sent', () => {
    const texts = ['1999-12-31T23:59:59Z', '2000-01-01T00:00:00Z', '2026-09-02T12:00:00Z', '2026-09-02T12:00:00.001Z'];
    ingester.ingest({ records: records(...texts.map((timestamp) => recordText({ timestamp }))) });
    expect(readCounter(ingester.db, 'implausible_timestamps')).toBe(2);
    const flags = ingester.db.query<{ flags: number }, []>('SELECT flags FROM facts_tail ORDER BY event_id').all();
    expect(flags.map((row) => (row.flags & FactFlag.implausibleTime) !== 0)).toEqual([true, false, false, true]);
    expect(storedEvents().map((event) => event.timestamp)).toEqual(texts);
  });
});

describe('account snapshots', () => {
  const table: AccountSnapshotTable = {
    fetchedAtMs: TEST_NOW_MS - 1000,
    byAuthIndex: {
      '0011223344556677': {
        account: 'river@example.test',
        label: 'River',
        file: 'codex-river.json',
        provider: 'codex',
        projectId: '',
      },
    },
  };

  test('stay in effect for later batches until they are replaced', () => {
    ingester.ingest({ records: records(recordText({ request_id: '1' })), snapshots: table });
    ingester.ingest({ records: records(recordText({ request_id: '2' })) });
    ingester.ingest({ records: records(recordText({ request_id: '3' })), snapshots: null });
    expect(storedEvents().map((event) => event.auth_file_snapshot)).toEqual([
      'codex-river.json',
      'codex-river.json',
      '',
    ]);
  });
});

describe('a record that cannot be stored', () => {
  beforeEach(() => {
    ingester.db.run(`
      CREATE TRIGGER refuse BEFORE INSERT ON usage_events WHEN NEW.timestamp_ms = ${Date.UTC(2026, 0, 1)}
      BEGIN SELECT RAISE(ABORT, 'refused'); END`);
  });

  test('becomes a dead letter, and its neighbours are stored', () => {
    const bad = recordText({ timestamp: '2026-01-01T00:00:00Z', alias: 'a-model-of-the-bad-one' });
    const texts = [recordText({ request_id: '1' }), bad, recordText({ request_id: '2' }), 'not json'];
    const result = ingester.ingest({ records: records(...texts) });
    expect(result).toMatchObject({ inserted: 2, skipped: 0, deadLettered: 2, insertedIds: [1, 2] });
    expect(ingester.db.query('SELECT payload, error FROM dead_letters ORDER BY id').all()).toEqual([
      { payload: bad, error: 'the record cannot be stored' },
      { payload: 'not json', error: 'not valid JSON' },
    ]);
    ingester.db.run('DROP TRIGGER refuse');
    expect(ingester.ingest({ records: records(bad) })).toMatchObject({ inserted: 1 });
  });

  test('is not the cause when every record fails', () => {
    ingester.db.run('DROP TRIGGER refuse');
    ingester.db.run("CREATE TRIGGER refuse_all BEFORE INSERT ON usage_events BEGIN SELECT RAISE(ABORT, 'all'); END");
    expect(() => ingester.ingest({ records: records(recordText({ request_id: '1' }), recordText()) })).toThrow('all');
    expect(count('dead_letters')).toBe(0);
    expect(count('usage_event_identity_ledger')).toBe(0);
  });
});

test('a full disk leaves nothing behind, and the same batch is stored once there is room', () => {
  const next = sampleRecords({ seed: 11 });
  const texts = Array.from({ length: 400 }, next);
  ingester.ingest({ records: records(recordText()) });
  const pages = ingester.db.query<{ page_count: number }, []>('PRAGMA page_count').get()?.page_count ?? 0;
  ingester.db.run(`PRAGMA max_page_count = ${pages + 20}`);
  let code = '';
  try {
    ingester.ingest({ records: records(...texts) });
  } catch (error) {
    code = codeOf(error);
  }
  expect(code).toBe('SQLITE_FULL');
  expect(count('usage_events')).toBe(1);
  expect(checkInvariants(ingester.db)).toEqual([]);
  ingester.db.run('PRAGMA max_page_count = 1000000');
  expect(ingester.ingest({ records: records(...texts) })).toMatchObject({ inserted: 400, skipped: 0 });
});

describe('dead letters', () => {
  test('beyond the limit replace the oldest, which is reported', () => {
    const letters = Array.from({ length: MAX_DEAD_LETTERS }, (_, index) => ({ payload: `${index}`, error: 'old' }));
    const context = { db: ingester.db, now: () => TEST_NOW_MS };
    const written = ingester.db.transaction(() => recordDeadLetters(context, letters)).immediate();
    expect(written).toEqual({ droppedDeadLetters: 0 });
    expect(ingester.ingest({ records: records('x', 'y') })).toMatchObject({ deadLettered: 2, droppedDeadLetters: 2 });
    expect(count('dead_letters')).toBe(MAX_DEAD_LETTERS);
    expect(ingester.db.query('SELECT payload FROM dead_letters ORDER BY id LIMIT 1').get()).toEqual({ payload: '2' });
  });

  test('are read again: events are added or known, all others stay', () => {
    const context = { db: ingester.db, now: () => TEST_NOW_MS };
    ingester.ingest({ records: records(recordText({ request_id: 'known' })) });
    const letters = ['broken {', recordText({ request_id: 'known' }), recordText({ request_id: 'fresh' })];
    recordDeadLetters(
      context,
      letters.map((payload) => ({ payload, error: 'an older version could not read it' })),
    );
    expect(replayDeadLetters(ingester.db)).toEqual({ added: 1, skipped: 1, kept: 1 });
    expect(ingester.db.query('SELECT payload FROM dead_letters').all()).toEqual([{ payload: 'broken {' }]);
    expect(replayDeadLetters(ingester.db)).toEqual({ added: 0, skipped: 0, kept: 1 });
    expect(storedEvents().map((event) => event.request_id)).toEqual(['known', 'fresh']);
  });
});

test('an hourly rollup that was disabled catches up and is then updated again', () => {
  ingester.ingest({ records: records(recordText({ request_id: '1' })) });
  ingester.db.close();
  ingester = createTestIngester(path, { hourlyRollup: false });
  ingester.ingest({ records: records(recordText({ request_id: '2' }), recordText({ request_id: '3' })) });
  ingester.db.close();
  ingester = createTestIngester(path);
  ingester.ingest({ records: records(recordText({ request_id: '4' })) });
  const calls = () => ingester.db.query('SELECT sum(calls) AS calls FROM hourly_core').get();
  expect(calls()).toEqual({ calls: 1 });
  const context = { db: ingester.db, now: () => TEST_NOW_MS };
  expect(catchUpHourlyRollup(context, null)).toEqual({ behind: false });
  expect(calls()).toEqual({ calls: 4 });
  ingester.ingest({ records: records(recordText({ request_id: '5' })) });
  expect(calls()).toEqual({ calls: 5 });
});
