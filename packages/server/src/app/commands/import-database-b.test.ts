import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { storedEvents } from '../../events/background/testing/older-database.ts';
import { createTestIngester, records, recordText, TEST_NOW_MS } from '../../events/testing/test-ingester.ts';
import { readPrices } from '../../features/prices/store.ts';
import { type ForeignDatabase, makeFormatB } from '../../features/transfer/foreign/testing/foreign-databases.ts';
import { sha256Hex } from '../../platform/sha256.ts';
import { createImportBench, type ImportBench } from './testing/import-bench.ts';

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
    source = makeFormatB(bench.from);
    source.insert('usage_events', [{ ...row, model_alias: 'sonnet(high)' }]);
    const before = bench.sourceState();
    expect(await bench.report()).toMatchObject({
      format: 'B',
      read: 1,
      added: 1,
      skipped: 0,
      skipped_overlap: 0,
      not_mapped: 0,
    });
    expect(bench.events()).toMatchObject([
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
    bench.expectSound();
    expect(await bench.report()).toMatchObject({ read: 1, added: 0, skipped: 1, skipped_overlap: 0 });
    expect(bench.sourceState()).toEqual(before);
  });

  test('a placeholder is no key, and a key in the account column is hidden', async () => {
    source = makeFormatB(bench.from);
    source.insert('usage_events', [
      { ...row, api_group_key: 'claude' },
      { ...row, api_group_key: 'POST /v1/messages' },
      { ...row, api_group_key: 'unknown' },
      { ...row, source: KEY, request_id: '', event_key: 'from the key' },
    ]);
    await bench.report();
    const stored = bench.events();
    expect(stored.map((event) => event.api_key_hash)).toEqual(['', '', '', sha256Hex(KEY)]);
    expect(stored[3]).toMatchObject({ source: 'm:team...ey-1', request_id: 'from the key' });
    expect(readFileSync(bench.path).includes(KEY)).toBe(false);
  });

  test('both tables are one history in the order of their ids', async () => {
    source = makeFormatB(bench.from, { without: ['ttft_ms', 'response_service_tier'] });
    const numbered = (ids: readonly number[]) => ids.map((id) => ({ ...row, id, request_id: `r${id}` }));
    source.insert('usage_events_archive', numbered([1, 2, 5]));
    source.insert('usage_events', numbered([3, 4, 6]));
    expect(await bench.report()).toMatchObject({ read: 6, added: 6 });
    expect(bench.events().map((event) => event.request_id)).toEqual(['r1', 'r2', 'r3', 'r4', 'r5', 'r6']);
    // A row that moves to the other table stays the same.
    source.db.run('INSERT INTO usage_events_archive SELECT * FROM usage_events WHERE id = 3');
    source.db.run('DELETE FROM usage_events WHERE id = 3');
    expect(await bench.report()).toMatchObject({ read: 6, added: 0, skipped: 6 });
  });

  test('times without an offset need a time zone; without one nothing is written', async () => {
    source = makeFormatB(bench.from);
    source.insert('usage_events', [
      { ...row, request_id: 'a' },
      { ...row, request_id: 'b', timestamp: '2026-08-29 12:40:00.25' },
      { ...row, request_id: 'c', timestamp: 'soon' },
    ]);
    const refused = await bench.run();
    expect(refused).toMatchObject({ code: 1, out: '' });
    expect(refused.err).toContain('--time-zone');
    expect(bench.events()).toEqual([]);
    expect((await bench.run('--time-zone Nowhere/Land')).err).toContain('not a time zone');
    expect(await bench.report('--time-zone Europe/Berlin')).toMatchObject({
      added: 2,
      not_mapped: 1,
      not_mapped_reasons: { 'timestamp: missing or not readable': 1 },
    });
    expect(bench.events().map((event) => event.timestamp)).toEqual([
      '2026-08-29T10:40:00.5Z',
      '2026-08-29T10:40:00.25Z',
    ]);
  });

  test('requests that both tools recorded are left out by default; two equal rows of the source are two events', async () => {
    const { db, ingest } = createTestIngester(bench.path);
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
    source = makeFormatB(bench.from);
    source.insert('usage_events', [
      same,
      { ...same, timestamp: new Date(both.timestamp_ms + 5_000).toISOString() },
      { ...same, total_tokens: same.total_tokens + 1 },
      { ...row, request_id: 'retry' },
      { ...row, request_id: 'retry' },
    ]);
    expect(await bench.report()).toMatchObject({ read: 5, added: 4, skipped: 0, skipped_overlap: 1 });
    bench.expectSound();
    expect(await bench.report('--skip-overlap=false')).toMatchObject({
      read: 5,
      added: 1,
      skipped: 4,
      skipped_overlap: 0,
    });
    bench.expectSound();
  });

  test('rows from times in which this manager was collecting are reported before anything is written', async () => {
    const { db, ingest } = createTestIngester(bench.path);
    ingest({ records: records(recordText()) });
    db.run('INSERT INTO settings VALUES (?, ?, ?)', ['collector_heartbeat', '{}', TEST_NOW_MS + 600_000]);
    db.run('INSERT INTO collection_gaps (from_ms, to_ms, kind) VALUES (?, ?, ?)', [
      TEST_NOW_MS + 100_000,
      TEST_NOW_MS + 200_000,
      'away',
    ]);
    db.close();
    source = makeFormatB(bench.from);
    source.insert(
      'usage_events',
      [-1_000, 50_000, 150_000, 250_000, 700_000].map((offset) => ({
        ...row,
        request_id: `r${offset}`,
        timestamp: new Date(TEST_NOW_MS + offset).toISOString(),
      })),
    );
    const { out, err } = await bench.run();
    expect(JSON.parse(out).rows_in_collected_time).toBe(2);
    expect(err.split('\n')[0]).toBe('2 of 5 rows are from times in which this manager collected without a gap');
  });

  test('prices are multiplied', async () => {
    source = makeFormatB(bench.from);
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
    expect((await bench.report('--prices')).prices).toEqual({ read: 2, added: 2, kept: [], refused: [] });
    const prices = bench.withDatabase(readPrices);
    expect(prices.x).toMatchObject({ prompt: 0.9, completion: 0.03, cacheRead: 0.3, source: 'manual' });
    expect(prices.y).toMatchObject({ prompt: 3, completion: 15 });
  });
});
