import type { Database } from 'bun:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { UsageEvent } from '@manager/core/usage/event';
import { prepareForInsert } from '@manager/core/usage/insert';
import { readRecord } from '@manager/core/usage/record';
import { storedEvents } from '../db/background/testing/older-database.ts';
import { type Cells, type ForeignDatabase, makeFormatA, makeFormatB } from '../db/foreign/testing/foreign-databases.ts';
import { checkInvariants } from '../db/invariants.ts';
import { openMigrated } from '../db/migrate.ts';
import { openDatabase } from '../db/open.ts';
import { sha256Hex } from '../db/sha256.ts';
import { sampleRecords } from '../db/testing/sample-records.ts';
import { createTestFolder, type TestFolder } from '../db/testing/test-folder.ts';
import { createTestIngester, records, recordText, TEST_NOW_MS } from '../db/testing/test-ingester.ts';
import { readPrices, writePrice } from '../features/prices/store.ts';
import { acquireLock } from '../lock/lock.ts';
import { type RunOptions, runInProcess } from './testing/command-runner.ts';

let folder: TestFolder;
let path: string;
let from: string;
let source: ForeignDatabase | null;

beforeEach(() => {
  folder = createTestFolder();
  path = folder.path('usage.sqlite');
  from = folder.path('other manager.db');
  source = null;
  openMigrated(path, { now: () => TEST_NOW_MS }).close();
});
afterEach(() => {
  source?.close();
  folder.dispose();
});

const run = (flags = '', options: Partial<RunOptions> = {}) =>
  runInProcess(
    ['import-database', '--from', from, '--db-path', path, ...flags.split(' ').filter((flag) => flag !== '')],
    {
      directory: folder.path('.'),
      now: () => TEST_NOW_MS,
      ...options,
    },
  );

async function report(flags = '') {
  const { code, out, err } = await run(flags);
  expect({ code, err }).toMatchObject({ code: 0 });
  return JSON.parse(out);
}

function withDatabase<Result>(work: (db: Database) => Result): Result {
  const db = openDatabase(path);
  try {
    return work(db);
  } finally {
    db.close();
  }
}

const events = () => withDatabase((db) => [...storedEvents(db).values()]);

function expectSound(): void {
  expect(withDatabase((db) => checkInvariants(db))).toEqual([]);
}

/** Content of the source, so that nothing can have been written to it. */
const sourceState = () =>
  readdirSync(folder.path('.'))
    .filter((name) => name.startsWith('other manager'))
    .filter((name) => !name.endsWith('-shm'))
    .map(
      (name) =>
        `${name} ${createHash('sha256')
          .update(readFileSync(folder.path(name)))
          .digest('hex')}`,
    );

function sampleEvents(count: number): UsageEvent[] {
  const next = sampleRecords({ seed: 9, accounts: 20, models: 4, keys: 5, startMs: TEST_NOW_MS - 3_600_000 });
  return Array.from({ length: count }, () => {
    const outcome = readRecord(next(), { nowMs: TEST_NOW_MS, sha256Hex });
    if (outcome.kind !== 'event') throw new Error('a sample is an event');
    return prepareForInsert(outcome.event).event;
  });
}

function rowOfA(event: UsageEvent): Cells {
  const { billable_output_tokens, unclassified_tokens, token_quality, failed, ...columns } = event;
  return { ...columns, failed: failed ? 1 : 0 };
}

describe('format A', () => {
  test('events arrive as they were, with identity, original and failure text; a second import adds nothing', async () => {
    const expected = sampleEvents(2_500);
    source = makeFormatA(from);
    source.insert('usage_events', expected.map(rowOfA));
    const before = sourceState();

    expect(await report()).toEqual({
      source: expect.stringMatching(/other manager\.db$/),
      format: 'A',
      read: 2_500,
      added: 2_500,
      skipped: 0,
      not_mapped: 0,
      not_mapped_reasons: {},
      recomputed_tokens: 0,
      repaired_texts: 0,
      dead_letters: { found: 0 },
      duration_ms: 0,
    });
    const stored = events();
    // What the original does not show itself is kept beside it.
    const withoutOriginal = (event: UsageEvent) => ({ ...event, raw_json: '' });
    expect(stored.map(withoutOriginal)).toEqual(expected.map(withoutOriginal));
    const [first] = stored;
    expect(first?.raw_json).toContain('cache_input_mode');
    expect(first?.raw_json).toContain('token_breakdown');
    expectSound();
    expect(await report()).toMatchObject({ read: 2_500, added: 0, skipped: 2_500 });
    expect(sourceState()).toEqual(before);
  });

  test('the same events, collected here, are known by their identity', async () => {
    const next = sampleRecords({ seed: 3, accounts: 5, models: 2, keys: 2 });
    const texts = Array.from({ length: 300 }, () => next());
    const { db, ingest } = createTestIngester(path);
    ingest({ records: records(...texts.slice(0, 200)) });
    const here = [...storedEvents(db).values()];
    db.close();
    source = makeFormatA(from);
    const others = sampleEvents(50);
    source.insert('usage_events', [...here, ...others].map(rowOfA));
    expect(await report()).toMatchObject({ read: 250, added: 50, skipped: 200 });
    expectSound();
  });

  test('missing columns are null, more columns do not matter, a closed file gets no side files', async () => {
    source = makeFormatA(from, {
      without: ['ttft_ms', 'service_tier', 'header_trace_id', 'created_at_ms', 'normalized_total_input_tokens'],
      more: ['later_column', 'another'],
    });
    source.insert('usage_events', [
      {
        event_hash: 'opaque-1',
        timestamp_ms: 1_788_000_000_123,
        timestamp: '2026-08-29T10:40:00.123456789Z',
        model: 'm',
        later_column: 'x',
        input_tokens: 10,
        output_tokens: 2,
      },
    ]);
    source.close();
    source = null;
    const files = readdirSync(folder.path('.'));
    expect(await report()).toMatchObject({ read: 1, added: 1 });
    expect(readdirSync(folder.path('.')).filter((name) => name.startsWith('other'))).toEqual(
      files.filter((name) => name.startsWith('other')),
    );
    const [event] = events();
    expect(event).toMatchObject({
      event_hash: 'opaque-1',
      timestamp: '2026-08-29T10:40:00.123456789Z',
      timestamp_ms: 1_788_000_000_123,
      ttft_ms: null,
      total_tokens: 12,
      created_at_ms: TEST_NOW_MS,
    });
    expectSound();
  });

  test('input buckets are counted anew, from the breakdown of the original where there is one', async () => {
    const outcome = readRecord(
      recordText({
        token_breakdown: {
          schema_version: 2,
          quality: 'complete',
          input: { total_tokens: 950, uncached_tokens: 300, cache_read_tokens: 650, cache_write_tokens: 0 },
          output: { total_tokens: 70 },
        },
      }),
      { nowMs: TEST_NOW_MS, sha256Hex },
    );
    if (outcome.kind !== 'event') throw new Error('a sample is an event');
    const right = outcome.event;
    expect(right.normalized_total_input_tokens).toBe(950);
    const wrong = { normalized_total_input_tokens: 1, normalized_uncached_input_tokens: 2 };
    source = makeFormatA(from);
    source.insert('usage_events', [
      { ...rowOfA(right), ...wrong },
      { ...rowOfA({ ...right, event_hash: 'b', raw_json: '' }), ...wrong },
      { ...rowOfA({ ...right, event_hash: 'c', raw_json: '' }), normalized_total_input_tokens: null },
    ]);
    expect(await report()).toMatchObject({ added: 3, recomputed_tokens: 3 });
    expect(events().map((event) => event.normalized_total_input_tokens)).toEqual([950, 900, 900]);
    expect(events().map((event) => event.normalized_uncached_input_tokens)).toEqual([300, 300, 300]);
  });

  test('rows that are no events are counted by their reason; broken texts are repaired', async () => {
    source = makeFormatA(from);
    const row = { timestamp_ms: 1_788_000_000_000, timestamp: '2026-08-29T10:40:00Z', model: 'm' };
    source.insert('usage_events', [
      { ...row, event_hash: 'good' },
      { ...row, event_hash: '' },
      { ...row, event_hash: 'x'.repeat(257) },
      { ...row, event_hash: 'no time', timestamp_ms: 0, timestamp: 'yesterday' },
    ]);
    source.db.run(
      `INSERT INTO usage_events (event_hash, timestamp_ms, timestamp, model, request_id, endpoint)
       VALUES ('broken', 1788000000000, '2026-08-29T10:40:00Z', CAST(x'61ff62' AS TEXT), CAST(x'610062' AS TEXT), 'GET /x')`,
    );
    expect(await report()).toMatchObject({
      read: 5,
      added: 2,
      not_mapped: 3,
      not_mapped_reasons: {
        'event_hash: empty, too long or with control characters': 2,
        'timestamp: missing or not readable': 1,
      },
      repaired_texts: 2,
    });
    expect(events().map(({ model, request_id }) => [model, request_id])).toEqual([
      ['m', ''],
      ['a\ufffdb', 'a\ufffdb'],
    ]);
    expectSound();
  });

  test('no secret of the source is stored', async () => {
    source = makeFormatA(from);
    source.insert('usage_events', [
      {
        event_hash: 'h',
        timestamp_ms: 1_788_000_000_000,
        timestamp: '2026-08-29T10:40:00Z',
        model: 'm',
        source: 'person@example.test',
        failed: 1,
        fail_summary: 'Authorization: Bearer abcdefghijklmnop',
        raw_json: JSON.stringify({ api_key: 'sk-clear-text-key-000000001', source: 'person@example.test' }),
      },
    ]);
    await report();
    const [event] = events();
    expect(event?.source).toBe('per***@example.test');
    expect(JSON.stringify(event)).not.toContain('sk-clear-text-key');
    expect(event?.fail_summary).not.toContain('abcdefghijklmnop');
  });

  test('prices and names of keys are added; those of the operator stay', async () => {
    const hash = (digit: string) => digit.repeat(64);
    withDatabase((db) => {
      writePrice(db, 'mine', { prompt: 1, completion: 2, cache: 0, source: 'manual', updatedAtMs: 5 });
      writePrice(db, 'shipped', { prompt: 1, completion: 2, cache: 0, source: 'built-in', updatedAtMs: 5 });
      db.run(`INSERT INTO api_key_aliases VALUES ('${hash('a')}', 'Mine', 5)`);
    });
    source = makeFormatA(from);
    const price = {
      prompt_per_1m: 3,
      completion_per_1m: 9,
      cache_read_per_1m: 0.5,
      prompt_configured: 1,
      updated_at_ms: 7,
    };
    source.insert('model_prices', [
      { ...price, model: 'mine' },
      { ...price, model: 'shipped' },
      { ...price, model: 'other', source: 'manual' },
      { ...price, model: 'broken', prompt_per_1m: -1 },
    ]);
    source.insert('model_price_context_tiers', [
      { model: 'other', threshold_tokens: 200_000, prompt_per_1m: 6, completion_per_1m: 18 },
    ]);
    source.insert('api_key_aliases', [
      { api_key_hash: hash('a'), alias: 'Theirs', updated_at_ms: 1 },
      { api_key_hash: hash('b'), alias: 'Build server', updated_at_ms: 1 },
      { api_key_hash: hash('c'), alias: 'mine', updated_at_ms: 1 },
      { api_key_hash: 'sk-clear', alias: 'no hash', updated_at_ms: 1 },
    ]);
    expect(await report()).not.toHaveProperty('prices');
    const result = await report('--prices --aliases');
    expect(result.prices).toMatchObject({ read: 4, added: 2, kept: ['mine'] });
    expect(result.prices.refused).toHaveLength(1);
    expect(result.aliases).toEqual({ read: 4, added: 1, kept: ['Theirs'], refused: ['mine', 'no hash'] });
    const prices = withDatabase(readPrices);
    expect(prices.mine).toMatchObject({ prompt: 1 });
    expect(prices.shipped).toMatchObject({ prompt: 3, completion: 9, cacheRead: 0.5, promptConfigured: true });
    expect(prices.other?.contextTiers).toEqual([
      {
        thresholdTokens: 200_000,
        prompt: 6,
        completion: 18,
        cache: 0,
        promptConfigured: true,
        completionConfigured: true,
      },
    ]);
    expect((await report('--prices --aliases')).prices).toMatchObject({ added: 0, kept: ['mine', 'other', 'shipped'] });
  });

  test('dead letters are offered and read again; identities without rows only on demand', async () => {
    source = makeFormatA(from);
    const [event] = sampleEvents(1);
    if (event === undefined) throw new Error('no sample');
    source.insert('usage_events', [rowOfA(event)]);
    source.insert('dead_letter_events', [
      { payload: recordText({ request_id: 'late' }), error: 'x', created_at_ms: TEST_NOW_MS },
      { payload: 'still broken, key sk-clear-text-key-000000001', error: 'x', created_at_ms: TEST_NOW_MS },
    ]);
    source.insert('usage_event_identity_ledger', [
      { event_hash: event.event_hash, raw_event_id: 1, timestamp_ms: event.timestamp_ms },
      { event_hash: 'd'.repeat(64), raw_event_id: null, timestamp_ms: 5 },
    ]);
    expect((await report()).dead_letters).toMatchObject({ found: 2, hint: expect.any(String) });
    expect((await report('--replay-dead-letters')).dead_letters).toEqual({ read: 2, added: 1, skipped: 0, kept: 1 });
    expect((await report('--replay-dead-letters')).dead_letters).toEqual({ read: 2, added: 0, skipped: 1, kept: 1 });
    expect(withDatabase((db) => db.query('SELECT count(*) AS rows FROM dead_letters').get())).toEqual({ rows: 0 });
    expect((await report('--ledger')).ledger).toEqual({ read: 1, added: 1 });
    expect((await report('--ledger')).ledger).toEqual({ read: 1, added: 0 });
    expectSound();
  });

  test('a cancelled import goes on where it was', async () => {
    source = makeFormatA(from);
    source.insert('usage_events', sampleEvents(2_500).map(rowOfA));
    const cancel = new AbortController();
    let clock = TEST_NOW_MS;
    const cancelled = await run('', {
      signal: cancel.signal,
      now: () => (clock += 1_500),
      onProgress: (line) => line.includes('rows/s') && cancel.abort(),
    });
    expect(cancelled).toMatchObject({ code: 1, out: '' });
    expect(cancelled.err).toContain('goes on from there');
    const stored = events().length;
    expect([1_000, 2_000]).toContain(stored);
    expectSound();
    expect(await report()).toMatchObject({ read: 2_500, added: 2_500, skipped: 0, resumed_after_row_id: stored });
    expect(await report()).not.toHaveProperty('resumed_after_row_id');
    expectSound();
  });
});

describe('format B', () => {
  const KEY = 'team-key-1';
  const row = {
    event_key: '',
    api_group_key: KEY,
    request_id: 'r1',
    provider: 'claude',
    executor_type: 'ClaudeExecutor',
    endpoint: 'POST /v1/messages',
    source: 'person@example.test',
    model: 'claude-sonnet-4',
    timestamp: '2026-08-29T12:40:00.5+02:00',
    input_tokens: 1_000,
    output_tokens: 300,
    reasoning_tokens: 100,
    cached_tokens: 600,
    cache_read_tokens: 600,
    cache_creation_tokens: 150,
    total_tokens: 1_300,
    latency_ms: 1_200,
    failed: 0,
  } as const;

  test('tokens are inclusive whatever the provider; the key is only kept as a hash', async () => {
    source = makeFormatB(from);
    source.insert('usage_events', [{ ...row, model_alias: 'sonnet(high)' }]);
    const before = sourceState();
    expect(await report()).toMatchObject({
      format: 'B',
      read: 1,
      added: 1,
      skipped: 0,
      skipped_overlap: 0,
      not_mapped: 0,
    });
    expect(events()).toMatchObject([
      {
        request_id: 'r1',
        timestamp: '2026-08-29T10:40:00.5Z',
        model: 'sonnet(high)',
        requested_model: 'sonnet(high)',
        resolved_model: 'claude-sonnet-4',
        method: 'POST',
        path: '/v1/messages',
        source: 'per***@example.test',
        source_hash: sha256Hex('person@example.test'),
        api_key_hash: sha256Hex(KEY),
        cache_input_mode: 'included_in_input',
        normalized_uncached_input_tokens: 250,
        normalized_total_input_tokens: 1_000,
        normalized_cache_read_tokens: 600,
        normalized_cache_creation_tokens: 150,
        output_tokens: 300,
        billable_output_tokens: 300,
        reasoning_tokens: 100,
        total_tokens: 1_300,
        latency_ms: 1_200,
        ttft_ms: null,
        failed: false,
      },
    ]);
    expectSound();
    expect(await report()).toMatchObject({ read: 1, added: 0, skipped: 1, skipped_overlap: 0 });
    expect(sourceState()).toEqual(before);
  });

  test('what stands in for a key is none, and a key in the account column is hidden', async () => {
    source = makeFormatB(from);
    source.insert('usage_events', [
      { ...row, api_group_key: 'claude' },
      { ...row, api_group_key: 'POST /v1/messages' },
      { ...row, api_group_key: 'unknown' },
      { ...row, source: KEY, request_id: '', event_key: 'from the key' },
    ]);
    await report();
    const stored = events();
    expect(stored.map((event) => event.api_key_hash)).toEqual(['', '', '', sha256Hex(KEY)]);
    expect(stored[3]).toMatchObject({ source: 'm:****', request_id: 'from the key' });
    expect(readFileSync(path).includes(KEY)).toBe(false);
  });

  test('both tables are one history in the order of their ids', async () => {
    source = makeFormatB(from, { without: ['ttft_ms', 'response_service_tier'] });
    const numbered = (ids: readonly number[]) => ids.map((id) => ({ ...row, id, request_id: `r${id}` }));
    source.insert('usage_events_archive', numbered([1, 2, 5]));
    source.insert('usage_events', numbered([3, 4, 6]));
    expect(await report()).toMatchObject({ read: 6, added: 6 });
    expect(events().map((event) => event.request_id)).toEqual(['r1', 'r2', 'r3', 'r4', 'r5', 'r6']);
    // A row that moves to the other table stays the same.
    source.db.run('INSERT INTO usage_events_archive SELECT * FROM usage_events WHERE id = 3');
    source.db.run('DELETE FROM usage_events WHERE id = 3');
    expect(await report()).toMatchObject({ read: 6, added: 0, skipped: 6 });
  });

  test('times without an offset need a time zone, and nothing is written without', async () => {
    source = makeFormatB(from);
    source.insert('usage_events', [
      { ...row, request_id: 'a' },
      { ...row, request_id: 'b', timestamp: '2026-08-29 12:40:00.25' },
      { ...row, request_id: 'c', timestamp: 'soon' },
    ]);
    const refused = await run();
    expect(refused).toMatchObject({ code: 1, out: '' });
    expect(refused.err).toContain('--time-zone');
    expect(events()).toEqual([]);
    expect((await run('--time-zone Nowhere/Land')).err).toContain('no time zone');
    expect(await report('--time-zone Europe/Berlin')).toMatchObject({
      added: 2,
      not_mapped: 1,
      not_mapped_reasons: { 'timestamp: missing or not readable': 1 },
    });
    expect(events().map((event) => event.timestamp)).toEqual(['2026-08-29T10:40:00.5Z', '2026-08-29T10:40:00.25Z']);
  });

  test('requests that both tools recorded are left out, unless asked for; two alike rows of the source are two', async () => {
    const { db, ingest } = createTestIngester(path);
    ingest({ records: records(recordText({ request_id: 'both' }), recordText({ request_id: 'here' })) });
    const [both] = [...storedEvents(db).values()];
    db.close();
    if (both === undefined) throw new Error('no event');
    const same = {
      ...row,
      request_id: 'both',
      model: both.resolved_model,
      timestamp: both.timestamp,
      total_tokens: both.total_tokens,
    };
    source = makeFormatB(from);
    source.insert('usage_events', [
      same,
      { ...same, timestamp: new Date(both.timestamp_ms + 5_000).toISOString() },
      { ...same, total_tokens: same.total_tokens + 1 },
      { ...row, request_id: 'retry' },
      { ...row, request_id: 'retry' },
    ]);
    expect(await report()).toMatchObject({ read: 5, added: 4, skipped: 0, skipped_overlap: 1 });
    expectSound();
    expect(await report('--skip-overlap=false')).toMatchObject({ read: 5, added: 1, skipped: 4, skipped_overlap: 0 });
    expectSound();
  });

  test('rows of times in which this manager was collecting are named before anything is written', async () => {
    const { db, ingest } = createTestIngester(path);
    ingest({ records: records(recordText()) });
    db.run('INSERT INTO settings VALUES (?, ?, ?)', ['collector_heartbeat', '{}', TEST_NOW_MS + 600_000]);
    db.run('INSERT INTO collection_gaps (from_ms, to_ms, kind) VALUES (?, ?, ?)', [
      TEST_NOW_MS + 100_000,
      TEST_NOW_MS + 200_000,
      'away',
    ]);
    db.close();
    source = makeFormatB(from);
    source.insert(
      'usage_events',
      [-1_000, 50_000, 150_000, 250_000, 700_000].map((offset) => ({
        ...row,
        request_id: `r${offset}`,
        timestamp: new Date(TEST_NOW_MS + offset).toISOString(),
      })),
    );
    const { out, err } = await run();
    expect(JSON.parse(out).rows_in_collected_time).toBe(2);
    expect(err.split('\n')[0]).toBe('2 of 5 rows are of times in which this manager was collecting without a gap');
  });

  test('prices are multiplied', async () => {
    source = makeFormatB(from);
    source.insert('model_price_settings', [
      {
        model: 'x',
        prompt_price_per1_m: 3,
        completion_price_per1_m: 0.1,
        cache_read_price_per1_m: 1,
        price_multiplier: 0.3,
      },
      { model: 'y', prompt_price_per1_m: 3, completion_price_per1_m: 15, price_multiplier: null },
    ]);
    expect((await report('--prices')).prices).toEqual({ read: 2, added: 2, kept: [], refused: [] });
    const prices = withDatabase(readPrices);
    expect(prices.x).toMatchObject({ prompt: 0.9, completion: 0.03, cacheRead: 0.3, source: 'manual' });
    expect(prices.y).toMatchObject({ prompt: 3, completion: 15 });
  });
});

describe('the source', () => {
  test('may be in use: what is only in its log is read, and rows that come meanwhile too', async () => {
    source = makeFormatA(from);
    const all = sampleEvents(1_500).map(rowOfA);
    source.insert('usage_events', all.slice(0, 1_200));
    expect(existsSync(`${from}-wal`)).toBe(true);
    expect(await report()).toMatchObject({ read: 1_200, added: 1_200 });
    source.insert('usage_events', all.slice(1_200));
    expect(await report()).toMatchObject({ read: 1_500, added: 300, skipped: 1_200 });
  });

  test('may use a rollback journal', async () => {
    source = makeFormatA(from, { journal: 'DELETE' });
    source.insert('usage_events', sampleEvents(10).map(rowOfA));
    expect(await report()).toMatchObject({ read: 10, added: 10 });
  });

  test('is refused when it is nothing that is known, is this database, or is missing', async () => {
    const { Database: Sqlite } = await import('bun:sqlite');
    expect((await run()).err).toContain('there is no file');
    await Bun.write(from, 'text that is longer than the header of a database '.repeat(10));
    expect((await run()).err).toContain('not a SQLite database');
    await Bun.file(from).delete();
    new Sqlite(from, { create: true }).run('CREATE TABLE usage_events (id INTEGER, model TEXT)');
    expect((await run()).err).toContain('no database of a manager that is known here');
    await Bun.file(from).delete();
    openMigrated(from, { now: () => TEST_NOW_MS }).close();
    expect((await run()).err).toContain('export and import');
    from = path;
    expect((await run()).err).toContain('this manager itself');
  });

  test('is not touched while a server runs here', async () => {
    source = makeFormatA(from);
    const lock = acquireLock(path);
    const refused = await run();
    lock.release();
    expect(refused).toMatchObject({ code: 1, out: '' });
    expect(refused.err).toContain('Stop the server');
  });
});
