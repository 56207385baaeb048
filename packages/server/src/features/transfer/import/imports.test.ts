import { describe, expect, test } from 'bun:test';
import { connect } from 'node:net';
import { createMasker } from '@manager/core/masking/mask';
import { maskEvent } from '@manager/core/masking/mask-event';
import { archiveLine } from '@manager/core/usage/archive-record';
import { ARCHIVE_RECORD_BYTES } from '@manager/core/usage/archive-size';
import type { UsageEvent } from '@manager/core/usage/event';
import { readRecord } from '@manager/core/usage/record';
import { sampleRecords } from '../../../events/testing/sample-records.ts';
import { records, recordText, TEST_NOW_MS } from '../../../events/testing/test-ingester.ts';
import { ADMIN, ADMIN_KEY } from '../../../http/testing.ts';
import { sha256Hex } from '../../../platform/sha256.ts';
import { openDatabase } from '../../../sqlite/open.ts';
import { IMPORT_LIMIT_BYTES } from './routes.ts';
import { answerOf, IMPORT_PATH, importRigs, lineOf, linesOf, RESULT } from './testing.ts';

const start = importRigs();

const TOO_LARGE = `{"event_hash":"x","fill":"${'x'.repeat(10_485_760)}"}\n`;

const notJson = (...lines: number[]) =>
  lines.map((line) => ({ line, where: `line ${line}`, reason: 'not valid JSON' }));

describe('an import', () => {
  test('counts new, known and unusable records', async () => {
    const rig = start();
    await rig.import(lineOf('a'));
    const body = `${lineOf('a')}\n${lineOf('b')}\nnot a record\n${lineOf('c')}\n${lineOf('b', { model: 'other' })}\n`;
    expect(await rig.import(body)).toEqual({
      ...RESULT,
      added: 2,
      skipped: 2,
      total: 4,
      failed: 1,
      failures: notJson(3),
    });
    expect(rig.stored().map((event) => [event.event_hash, event.model])).toEqual([
      ['a', 'acme'],
      ['b', 'acme'],
      ['c', 'acme'],
    ]);
    expect(rig.faults()).toEqual([]);
  });

  test('stores a file once, however often it is imported', async () => {
    const rig = start();
    const next = sampleRecords({ seed: 4 });
    const file = Array.from({ length: 1_000 }, () => `${next()}\n`).join('');
    const answers = [await rig.import(file), await rig.import(file), await rig.import(file)];
    expect(answers).toEqual([
      { ...RESULT, added: 1_000, total: 1_000 },
      { ...RESULT, skipped: 1_000, total: 1_000 },
      { ...RESULT, skipped: 1_000, total: 1_000 },
    ]);
    expect(rig.count('usage_events')).toBe(1_000);
  });

  test('of an export gives a database with exactly the same export', async () => {
    const first = start();
    const next = sampleRecords({ seed: 9, stepMs: 40_000_000 });
    const texts = Array.from({ length: 1_500 }, next);
    // The arrival of the event decides about implausible times, not that of the file.
    texts.push(
      recordText({ timestamp: '2027-01-01T00:00:00Z', ttft_ms: 0, latency_ms: null }),
      recordText({ timestamp: '1999-01-01T00:00:00Z' }),
    );
    await first.store.writer.run('ingest', { records: records(...texts) });
    const exported = await first.export();
    const second = start({ segmentRows: 600 });
    expect(await second.import(exported)).toEqual({ ...RESULT, added: 1_502, total: 1_502 });
    expect(await second.export()).toBe(exported);
    expect(second.faults()).toEqual([]);
    const facts = (rig: ReturnType<typeof start>) => {
      const db = openDatabase(rig.folder.path('usage.sqlite'), { readonly: true });
      const sums = db
        .query(
          'SELECT sum(calls), sum(total_tokens), sum(billable_output_tokens), sum(latency_sum_ms) FROM hourly_core',
        )
        .values();
      const counters = db
        .query("SELECT name, value FROM counters WHERE name IN ('events', 'implausible_timestamps')")
        .values();
      db.close();
      return { sums, counters };
    };
    expect(facts(second)).toEqual(facts(first));
    expect(await first.import(exported)).toEqual({ ...RESULT, skipped: 1_502, total: 1_502 });
  });

  test('of a masked export says how many names are masked', async () => {
    const rig = start();
    const line = (hash: string, members: object) =>
      lineOf(hash, { account_snapshot: 'ada@example.com', api_key_hash: sha256Hex('key'), ...members });
    const masked = (text: string) => JSON.stringify(maskEvent(JSON.parse(text), createMasker()));
    const file = [line('a', {}), masked(line('b', {})), masked(line('c', { account_snapshot: '' }))].join('\n');
    expect(await rig.import(`${file}\n`)).toMatchObject({ added: 3, warnings: ['names_masked:2'] });
    expect(rig.stored().map((event) => event.account_snapshot)).toEqual(['ada@example.com', 'ada***@example.com', '']);
  });

  test('seals a long enough tail, as the collector does', async () => {
    const rig = start({ segmentRows: 500 });
    await rig.import(linesOf(1_300));
    while (rig.count('fact_segments') < 2) await Bun.sleep(20);
    expect(rig.faults()).toEqual([]);
  });

  test('stores no request for an object that describes none', async () => {
    const rig = start();
    for (const body of ['{"hello":"world"}', '{}', '{"prices":{"m":{"prompt":1}}}', '[{"refresh":true}]']) {
      const failures = [
        { line: 1, where: 'line 1', reason: 'not a usage event: no event_hash, time, model, request id or tokens' },
      ];
      expect(await rig.import(body)).toEqual({ ...RESULT, failed: 1, failures });
    }
    expect(await rig.import('{"id":"r1","timestamp":1788000000}\n{"hello":"world"}\n')).toMatchObject({
      added: 1,
      failed: 1,
    });
    expect(rig.stored().map((event) => event.request_id)).toEqual(['r1']);
    expect(rig.log.lines.at(-1)?.first).toEqual([
      'line 2: not a usage event: no event_hash, time, model, request id or tokens',
    ]);
  });

  test('logs where records failed, without their content', async () => {
    const rig = start();
    const answer = await rig.import(`${lineOf('a')}\nsecret-1\n\n${'[]\n'.repeat(30)}`);
    expect(answer.failures).toHaveLength(20);
    expect(answer).toMatchObject({
      failures: [
        { line: 2, where: 'line 2', reason: 'not valid JSON' },
        ...Array.from({ length: 19 }, (_, index) => ({ line: index + 4, reason: 'not a JSON object' })),
      ],
    });
    const [entry] = rig.log.lines;
    expect(entry).toMatchObject({ level: 'warn', failed: 31 });
    const first = entry?.first;
    if (!Array.isArray(first)) throw new Error('no list');
    expect(first).toHaveLength(20);
    expect(first.slice(0, 2)).toEqual(['line 2: not valid JSON', 'line 4: not a JSON object']);
    expect(JSON.stringify(rig.log.lines)).not.toContain('secret');
  });

  test('of a snapshot adds its details once and warns', async () => {
    const rig = start();
    const details = [
      { timestamp: 1_788_000_000_123, input_tokens: 5 },
      { timestamp: '1788000001', input_tokens: 6 },
      {},
    ];
    const body = JSON.stringify({ usage: { apis: { 'POST /v1/x': { models: { m: { details }, n: {} } } } } });
    const about = {
      format: 'legacy_usage_export',
      failed: 1,
      failures: [{ where: 'detail 3 of model 1 of endpoint 1', reason: 'no time' }],
      unsupported: 1,
      warnings: ['legacy_usage_metadata_is_partial', 'legacy_usage_source_matching_may_be_approximate'],
    };
    expect(await rig.import(body)).toEqual({ ...RESULT, ...about, added: 2, total: 2 });
    expect(await rig.import(body)).toEqual({ ...RESULT, ...about, skipped: 2, total: 2 });
    expect(rig.stored().map((event) => event.timestamp_ms)).toEqual([1_788_000_000_123, 1_788_000_001_000]);
  });

  test('of the compatible payload of another manager keeps requested models and masks', async () => {
    const first = start();
    await first.store.writer.run('ingest', { records: records(recordText()) });
    const payload = await (
      await fetch(`${first.server.url}/v0/management/usage`, { headers: { authorization: `Bearer ${ADMIN_KEY}` } })
    ).text();
    const second = start();
    expect(await second.import(payload)).toMatchObject({ format: 'legacy_usage_payload', added: 1 });
    const [[before], [after]] = [first.stored(), second.stored()];
    expect(after).toMatchObject({ model: 'gpt-5.4(high)', resolved_model: 'gpt-5.4', source: before?.source });
  });

  test('of a later payload of the same manager adds only new events', async () => {
    const first = start();
    const payload = async () => (await fetch(`${first.server.url}/v0/management/usage`, { headers: ADMIN })).text();
    const next = sampleRecords({ seed: 21 });
    const collect = (count: number) =>
      first.store.writer.run('ingest', { records: records(...Array.from({ length: count }, next)) });
    await collect(30);
    const earlier = await payload();
    const second = start();
    expect(await second.import(earlier)).toMatchObject({ format: 'legacy_usage_payload', added: 30, skipped: 0 });
    // New events are before the known ones, so every known one has another position now.
    await collect(20);
    const later = await payload();
    expect(await second.import(later)).toMatchObject({ added: 20, skipped: 30, total: 50, failed: 0 });
    expect(await second.import(earlier)).toMatchObject({ added: 0, skipped: 30 });
    expect(await first.import(later)).toMatchObject({ added: 0, skipped: 50 });
    const hashes = (rig: ReturnType<typeof start>) =>
      rig
        .stored()
        .map((event) => event.event_hash)
        .sort();
    expect(hashes(second)).toEqual(hashes(first));
    expect(second.faults()).toEqual([]);
  });

  test('a record that fails alone is counted, the others are stored', async () => {
    const rig = start();
    const db = openDatabase(rig.folder.path('usage.sqlite'));
    db.run(
      "CREATE TRIGGER refuse BEFORE INSERT ON usage_events WHEN new.timestamp_ms = 7 BEGIN SELECT RAISE(ABORT, 'no'); END",
    );
    db.close();
    const body = `${linesOf(10)}${lineOf('odd', { timestamp_ms: 7 })}\n${linesOf(10, 'later')}`;
    expect(await rig.import(body)).toEqual({ ...RESULT, added: 20, total: 20, failed: 1 });
    expect(rig.count('usage_event_identity_ledger')).toBe(20);
  });
});

describe('archive records', () => {
  const event = (): UsageEvent => {
    const text = recordText({
      failed: true,
      fail: { status_code: 429, body: '{"error":"limit"}' },
      client_ip: '203.0.113.9',
    });
    const outcome = readRecord(text, { nowMs: TEST_NOW_MS, sha256Hex });
    if (outcome.kind !== 'event') throw new Error('no event');
    // Values that a reader would not write itself.
    return {
      ...outcome.event,
      event_hash: 'Kept As It Is',
      fail_summary: 'sk-abcdefghijklmnopqrstuvwx',
      normalized_uncached_input_tokens: 1,
    };
  };

  test('are stored unchanged', async () => {
    const rig = start();
    const foreign = archiveLine(event(), 8)
      .replaceAll('"_archive_', '"_acme7_archive_')
      .replace('Kept As It Is', 'foreign');
    expect(await rig.import(`${archiveLine(event(), 7)}\n${foreign}\n`)).toMatchObject({ added: 2, failed: 0 });
    expect(rig.stored()).toEqual([event(), { ...event(), event_hash: 'foreign' }]);
  });

  test('that would be too large in our archive are cut, or refused if still too large', async () => {
    const rig = start();
    const large = { ...event(), event_hash: 'large', fail_body: '' };
    const room = ARCHIVE_RECORD_BYTES - Buffer.byteLength(archiveLine(large, 1));
    // Within the limit only because of its short id.
    const line = archiveLine({ ...large, fail_body: 'x'.repeat(room) }, 1);
    expect(line).toHaveLength(ARCHIVE_RECORD_BYTES);
    const warnings = ['records_shortened:1'];
    expect(await rig.import(`${archiveLine(event(), 7)}\n${line}\n`)).toMatchObject({ added: 2, warnings });
    const [, stored] = rig.stored();
    if (stored === undefined) throw new Error('nothing was stored');
    expect(archiveLine(stored, Number.MAX_SAFE_INTEGER).length).toBeLessThanOrEqual(ARCHIVE_RECORD_BYTES);
    expect(stored.fail_body).toEndWith('...(truncated)');

    // It is in the record twice: as the object and as the exact text.
    const metadata = { trace: { via: 'x'.repeat(6 * 1024 * 1024) } };
    const { response_metadata_json, ...rest } = JSON.parse(archiveLine(event(), 9));
    const answer = await rig.send(JSON.stringify({ ...rest, event_hash: 'metadata', response_metadata: metadata }));
    expect(await answerOf(answer)).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('line 1: the stored event would be larger than 10485760 bytes') },
    });
  });

  test.each([
    [
      'another schema version',
      (line: string) => line.replace('"_archive_schema_version":1', '"_archive_schema_version":2'),
    ],
    ['a missing field', (line: string) => line.replace('"timestamp_ms"', '"other"')],
    ['a field of a wrong type', (line: string) => line.replace('"failed":1', '"failed":true')],
    ['an unusable hash', (line: string) => line.replace('Kept As It Is', ' ')],
  ])('with %s refuse the whole file', async (_name, change) => {
    const rig = start();
    const broken = change(archiveLine(event(), 7));
    const { status, body } = await answerOf(await rig.send(`${lineOf('a')}\n${broken}\n`));
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { code: 'request_failed', format: 'usage_service_jsonl' },
    });
    expect((body as { error: string }).error).toStartWith('line 2: ');
    expect(rig.count('usage_events')).toBe(0);
  });
});

describe('a payload that cannot be imported', () => {
  const about = { code: 'request_failed', failed: 0, unsupported: 0, warnings: [], error: expect.any(String) };
  const ABOUT_JSONL = { ...about, format: 'usage_service_jsonl' };

  test.each([
    ['nothing', null, { error: 'the payload is empty', code: 'request_failed' }],
    ['blank lines', '\n \r\n', { error: 'the payload is empty', code: 'request_failed' }],
    [
      'gzip',
      Bun.gzipSync(Buffer.from(lineOf('a'))),
      { error: expect.stringContaining('decompress'), code: 'request_failed' },
    ],
    [
      'sums alone',
      '{"total_requests":5}',
      { ...about, format: 'legacy_usage_payload', unsupported: 1, error: expect.stringContaining('aggregates only') },
    ],
    ['a list that is cut off', `[${lineOf('a')}`, ABOUT_JSONL],
    ['a record that is too large', `oops\n${TOO_LARGE}`, { ...ABOUT_JSONL, failed: 1, failures: notJson(1) }],
  ] as const)('%s: 400 and nothing is stored', async (_name, payload, body) => {
    const rig = start();
    expect(await answerOf(await rig.send(payload))).toEqual({ status: 400, body });
    expect(rig.count('usage_events')).toBe(0);
  });

  test('that is stored partly: 500 with the stored counts, whole batches only, and the same file again adds the rest', async () => {
    const rig = start();
    const { status, body } = await answerOf(await rig.send(`${linesOf(300)}${TOO_LARGE}`));
    expect(status).toBe(500);
    expect(body).toMatchObject({
      code: 'request_failed',
      format: 'usage_service_jsonl',
      added: 256,
      skipped: 0,
      total: 256,
      failed: 0,
    });
    expect(rig.count('usage_events')).toBe(256);
    expect(await answerOf(await rig.send(`${linesOf(300)}${TOO_LARGE}`))).toMatchObject({
      status: 500,
      body: { added: 0, skipped: 256 },
    });
    expect(await rig.import(linesOf(300))).toMatchObject({ added: 44, skipped: 256 });
  });

  test('whose every line is malformed is no error', async () => {
    expect(await start().import('a\nb\nc')).toEqual({ ...RESULT, failed: 3, failures: notJson(1, 2, 3) });
  });
});

describe('the size of a body', () => {
  /** Blank lines are the cheapest content. */
  function blanks(bytes: number): ReadableStream<Uint8Array> {
    const part = new Uint8Array(1024 * 1024).fill(0x0a);
    let left = bytes;
    return new ReadableStream({
      pull(controller) {
        if (left === 0) return controller.close();
        const size = Math.min(left, part.length);
        left -= size;
        controller.enqueue(part.slice(0, size));
      },
    });
  }
  const TOO_LARGE_BODY = { status: 413, body: { code: 'request_failed', error: expect.stringContaining('67108864') } };

  test('is refused by its declared length', async () => {
    const rig = start();
    const head = `POST ${IMPORT_PATH} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${ADMIN_KEY}\r\nContent-Length: ${IMPORT_LIMIT_BYTES + 1}\r\n\r\n`;
    const answer = await new Promise<string>((resolve) => {
      const socket = connect(rig.server.address.port, '127.0.0.1', () => socket.write(head));
      socket.on('data', (data) => {
        socket.destroy();
        resolve(data.toString());
      });
    });
    expect(answer).toStartWith('HTTP/1.1 413 ');
  });

  test('is counted while it is read', async () => {
    const rig = start();
    expect(await answerOf(await rig.send(blanks(IMPORT_LIMIT_BYTES + 1)))).toMatchObject(TOO_LARGE_BODY);
    expect(await answerOf(await rig.send(blanks(IMPORT_LIMIT_BYTES)))).toMatchObject({ status: 400 });
  });
});

test('only POST with the admin key is known', async () => {
  const rig = start();
  const status = async (path: string, init: RequestInit) => (await fetch(rig.server.url + path, init)).status;
  const headers = { authorization: `Bearer ${ADMIN_KEY}` };
  expect(await status(IMPORT_PATH, { method: 'POST', body: 'x' })).toBe(401);
  expect(await status(IMPORT_PATH, { headers })).toBe(405);
  expect(await status(`${IMPORT_PATH}/`, { method: 'POST', headers, body: 'x' })).toBe(200);
  expect(await status(`${IMPORT_PATH}/more`, { headers })).toBe(404);
});
