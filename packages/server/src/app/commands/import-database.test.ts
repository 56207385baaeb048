import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { existsSync } from 'node:fs';
import type { UsageEvent } from '@manager/core/usage/event';
import { readRecord } from '@manager/core/usage/record';
import { storedEvents } from '../../events/background/testing/older-database.ts';
import { sampleRecords } from '../../events/testing/sample-records.ts';
import { createTestIngester, records, recordText, TEST_NOW_MS } from '../../events/testing/test-ingester.ts';
import { readPrices, writePrice } from '../../features/prices/store.ts';
import { type ForeignDatabase, makeFormatA } from '../../features/transfer/foreign/testing/foreign-databases.ts';
import { acquireLock } from '../../platform/lock/lock.ts';
import { sha256Hex } from '../../platform/sha256.ts';
import { openMigrated } from '../../schema/open-migrated.ts';
import { createImportBench, type ImportBench, rowOfA, sampleEvents } from './testing/import-bench.ts';

setDefaultTimeout(180_000);

let bench: ImportBench;
let source: ForeignDatabase | null;

beforeEach(() => {
  bench = createImportBench();
  source = null;
});
afterEach(() => {
  source?.close();
  bench.dispose();
});

describe('format A', () => {
  test('events are imported unchanged, with identity, original and failure text; a second import adds nothing', async () => {
    const expected = sampleEvents(1_300);
    source = makeFormatA(bench.from);
    source.insert('usage_events', expected.map(rowOfA));
    const before = bench.sourceState();

    expect(await bench.report()).toEqual({
      source: expect.stringMatching(/other manager\.db$/),
      format: 'A',
      read: 1_300,
      added: 1_300,
      skipped: 0,
      not_mapped: 0,
      not_mapped_reasons: {},
      recomputed_tokens: 0,
      repaired_texts: 0,
      dead_letters: { found: 0 },
      source_checked: true,
      duration_ms: 0,
    });
    const stored = bench.events();
    // What the original lacks is added to it.
    const withoutOriginal = (event: UsageEvent) => ({ ...event, raw_json: '' });
    expect(stored.map(withoutOriginal)).toEqual(expected.map(withoutOriginal));
    const [first] = stored;
    expect(first?.raw_json).toContain('cache_input_mode');
    expect(first?.raw_json).toContain('token_breakdown');
    bench.expectSound();
    expect(await bench.report()).toMatchObject({ read: 1_300, added: 0, skipped: 1_300 });
    expect(bench.sourceState()).toEqual(before);
  });

  test('events that were also collected here are recognized by their identity', async () => {
    const next = sampleRecords({ seed: 3, accounts: 5, models: 2, keys: 2 });
    const texts = Array.from({ length: 300 }, () => next());
    const { db, ingest } = createTestIngester(bench.path);
    ingest({ records: records(...texts.slice(0, 200)) });
    const here = [...storedEvents(db).values()];
    db.close();
    source = makeFormatA(bench.from);
    const others = sampleEvents(50);
    source.insert('usage_events', [...here, ...others].map(rowOfA));
    expect(await bench.report()).toMatchObject({ read: 250, added: 50, skipped: 200 });
    bench.expectSound();
  });

  test('missing columns are null, more columns do not matter, a closed file gets no side files', async () => {
    source = makeFormatA(bench.from, {
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
    const files = bench.files();
    expect(await bench.report()).toMatchObject({ read: 1, added: 1 });
    expect(bench.files().filter((name) => name.startsWith('other'))).toEqual(
      files.filter((name) => name.startsWith('other')),
    );
    const [event] = bench.events();
    expect(event).toMatchObject({
      event_hash: 'opaque-1',
      timestamp: '2026-08-29T10:40:00.123456789Z',
      timestamp_ms: 1_788_000_000_123,
      ttft_ms: null,
      total_tokens: 12,
      created_at_ms: TEST_NOW_MS,
    });
    bench.expectSound();
  });

  test('input buckets are recalculated, from the breakdown of the original where there is one', async () => {
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
    source = makeFormatA(bench.from);
    source.insert('usage_events', [
      { ...rowOfA(right), ...wrong },
      { ...rowOfA({ ...right, event_hash: 'b', raw_json: '' }), ...wrong },
      { ...rowOfA({ ...right, event_hash: 'c', raw_json: '' }), normalized_total_input_tokens: null },
    ]);
    expect(await bench.report()).toMatchObject({ added: 3, recomputed_tokens: 3 });
    expect(bench.events().map((event) => event.normalized_total_input_tokens)).toEqual([950, 900, 900]);
    expect(bench.events().map((event) => event.normalized_uncached_input_tokens)).toEqual([300, 300, 300]);
  });

  test('rows that are no events are counted by their reason; broken texts are repaired', async () => {
    source = makeFormatA(bench.from);
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
    expect(await bench.report()).toMatchObject({
      read: 5,
      added: 2,
      not_mapped: 3,
      not_mapped_reasons: {
        'event_hash: empty, too long or with control characters': 2,
        'timestamp: missing or not readable': 1,
      },
      repaired_texts: 2,
    });
    expect(bench.events().map(({ model, request_id }) => [model, request_id])).toEqual([
      ['m', ''],
      ['a\ufffdb', 'a\ufffdb'],
    ]);
    bench.expectSound();
  });

  test('cells that are too long are never read: their texts are left out and counted, the events are added', async () => {
    source = makeFormatA(bench.from);
    const sql = `INSERT INTO usage_events (event_hash, timestamp_ms, timestamp, model, request_id, input_tokens, raw_json)
      VALUES (?, 1788000000000, '2026-08-29T10:40:00Z', 'm', CAST(zeroblob(?) AS TEXT), 7, CAST(zeroblob(?) AS TEXT))`;
    source.db.run(sql, ['long original', 0, 10 * 1024 * 1024 + 1]);
    source.db.run(sql, ['long name', 64 * 1024 + 1, 0]);
    expect(await bench.report()).toMatchObject({ read: 2, added: 2, not_mapped: 0, repaired_texts: 2 });
    expect(bench.events().map(({ request_id, input_tokens }) => [request_id, input_tokens])).toEqual([
      ['', 7],
      ['', 7],
    ]);
    bench.expectSound();
  });

  test('no secret of the source is stored', async () => {
    source = makeFormatA(bench.from);
    source.insert('usage_events', [
      {
        event_hash: 'h',
        timestamp_ms: 1_788_000_000_000,
        timestamp: '2026-08-29T10:40:00Z',
        model: 'm',
        source: 'person@example.test',
        api_key_hash: 'sk-clear-text-key-000000002',
        failed: 1,
        fail_summary: 'Authorization: Bearer abcdefghijklmnop',
        raw_json: JSON.stringify({ api_key: 'sk-clear-text-key-000000001', source: 'person@example.test' }),
      },
    ]);
    await bench.report();
    const [event] = bench.events();
    expect(event?.source).toBe('per***@example.test');
    expect(JSON.stringify(event)).not.toContain('sk-clear-text-key');
    expect(event?.api_key_hash).toBe(sha256Hex('sk-clear-text-key-000000002'));
    expect(event?.fail_summary).not.toContain('abcdefghijklmnop');
  });

  test('prices and names of keys are added; those of the operator stay', async () => {
    const hash = (digit: string) => digit.repeat(64);
    bench.withDatabase((db) => {
      writePrice(db, 'mine', { prompt: 1, completion: 2, cache: 0, source: 'manual', updatedAtMs: 5 });
      writePrice(db, 'shipped', { prompt: 1, completion: 2, cache: 0, source: 'built-in', updatedAtMs: 5 });
      db.run(`INSERT INTO api_key_aliases VALUES ('${hash('a')}', 'Mine', 5)`);
    });
    source = makeFormatA(bench.from);
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
    expect(await bench.report()).not.toHaveProperty('prices');
    const result = await bench.report('--prices --aliases');
    expect(result.prices).toMatchObject({ read: 4, added: 2, kept: ['mine'] });
    expect(result.prices.refused).toHaveLength(1);
    expect(result.aliases).toEqual({ read: 4, added: 1, kept: ['Theirs'], refused: ['mine', 'no hash'] });
    const prices = bench.withDatabase(readPrices);
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
    expect((await bench.report('--prices --aliases')).prices).toMatchObject({
      added: 0,
      kept: ['mine', 'other', 'shipped'],
    });
  });

  test('dead letters are read again; identities without rows only on demand', async () => {
    source = makeFormatA(bench.from);
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
    expect((await bench.report()).dead_letters).toMatchObject({ found: 2, hint: expect.any(String) });
    expect((await bench.report('--replay-dead-letters')).dead_letters).toEqual({
      read: 2,
      added: 1,
      skipped: 0,
      kept: 1,
    });
    expect((await bench.report('--replay-dead-letters')).dead_letters).toEqual({
      read: 2,
      added: 0,
      skipped: 1,
      kept: 1,
    });
    expect(bench.withDatabase((db) => db.query('SELECT count(*) AS rows FROM dead_letters').get())).toEqual({
      rows: 0,
    });
    expect((await bench.report('--ledger')).ledger).toEqual({ read: 1, added: 1 });
    expect((await bench.report('--ledger')).ledger).toEqual({ read: 1, added: 0 });
    bench.expectSound();
  });

  test('a canceled import resumes where it stopped', async () => {
    source = makeFormatA(bench.from);
    source.insert('usage_events', sampleEvents(1_300).map(rowOfA));
    const cancel = new AbortController();
    let clock = TEST_NOW_MS;
    const cancelled = await bench.run('', {
      signal: cancel.signal,
      now: () => (clock += 1_500),
      onProgress: (line) => line.includes('rows/s') && cancel.abort(),
    });
    expect(cancelled).toMatchObject({ code: 1, out: '' });
    expect(cancelled.err).toContain('Run the same command to continue');
    const stored = bench.events().length;
    expect(stored).toBe(1_000);
    bench.expectSound();
    expect(await bench.report()).toMatchObject({ read: 1_300, added: 1_300, skipped: 0, resumed_after_row_id: stored });
    expect(await bench.report()).not.toHaveProperty('resumed_after_row_id');
    bench.expectSound();
  });
});

describe('the source', () => {
  test('may be in use: rows in its WAL and rows added meanwhile are read', async () => {
    source = makeFormatA(bench.from);
    const all = sampleEvents(1_500).map(rowOfA);
    source.insert('usage_events', all.slice(0, 1_200));
    expect(existsSync(`${bench.from}-wal`)).toBe(true);
    expect(await bench.report()).toMatchObject({ read: 1_200, added: 1_200 });
    source.insert('usage_events', all.slice(1_200));
    expect(await bench.report()).toMatchObject({ read: 1_500, added: 300, skipped: 1_200 });
  });

  test('may use a rollback journal', async () => {
    source = makeFormatA(bench.from, { journal: 'DELETE' });
    source.insert('usage_events', sampleEvents(10).map(rowOfA));
    expect(await bench.report()).toMatchObject({ read: 10, added: 10 });
  });

  test('is refused when it is unknown, is this database, or is missing', async () => {
    const { Database: Sqlite } = await import('bun:sqlite');
    expect((await bench.run()).err).toContain('no file at');
    await Bun.write(bench.from, 'text that is longer than the header of a database '.repeat(10));
    expect((await bench.run()).err).toContain('not a SQLite database');
    await Bun.file(bench.from).delete();
    new Sqlite(bench.from, { create: true }).run('CREATE TABLE usage_events (id INTEGER, model TEXT)');
    expect((await bench.run()).err).toContain('not a database of a known manager');
    await Bun.file(bench.from).delete();
    openMigrated(bench.from, { now: () => TEST_NOW_MS }).close();
    expect((await bench.run()).err).toContain('export and import');
    expect((await bench.run(`--from ${bench.path}`)).err).toContain('the database of this manager');
  });

  test('is not touched while a server runs here', async () => {
    source = makeFormatA(bench.from);
    const lock = acquireLock(bench.path);
    const refused = await bench.run();
    lock.release();
    expect(refused).toMatchObject({ code: 1, out: '' });
    expect(refused.err).toContain('stop it first and try again; nothing was changed');
  });
});
