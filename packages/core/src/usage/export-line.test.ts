import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { UsageEvent } from './event.ts';
import { exportLine } from './export-line.ts';
import vectors from './fixtures/token-vectors.json';
import { readImportedRecord } from './import-record.ts';
import { prepareForInsert } from './insert.ts';
import { readLegacySnapshot } from './legacy-snapshot.ts';
import { readRecord } from './record.ts';
import { context, eventOf, NOW_MS } from './testing/context.ts';
import { usageDetail } from './usage-payload.ts';

function imported(value: unknown): UsageEvent {
  const outcome = readImportedRecord(value, { ...context, nowMs: NOW_MS + 1 });
  if (outcome.kind !== 'event') throw new Error(outcome.error);
  return outcome.event;
}

const gatewayLines = readFileSync(join(import.meta.dir, 'fixtures/usage-events.jsonl'), 'utf8')
  .trim()
  .split('\n');
const gatewayEvents = gatewayLines.map((line) => {
  const outcome = readRecord(line, context);
  if (outcome.kind !== 'event') throw new Error(outcome.kind);
  return prepareForInsert(outcome.event).event;
});
const WRITTEN_1H = eventOf({
  timestamp: '2026-03-01T12:00:00Z',
  provider: 'claude',
  tokens: { input_tokens: 100, output_tokens: 10, cache_creation_tokens: 900, cache_write_1h_tokens: 600 },
});
const allEvents = [...gatewayEvents, ...vectors.raw_events.map(({ payload }) => eventOf(payload)), WRITTEN_1H];

/** An event without the members that an export never has. */
function exported(event: UsageEvent) {
  const { client_ip, x_forwarded_for, user_agent, fail_body, raw_json, token_quality, ...kept } = event;
  return { ...kept, token_quality: token_quality === 'complete' ? '' : token_quality };
}

describe('export lines', () => {
  test('are read back as the same events', () => {
    for (const event of allEvents) {
      const line = exportLine(event);
      expect(line).not.toContain('\n');
      const again = prepareForInsert(imported(JSON.parse(line))).event;
      expect(exported(again)).toEqual(exported(event));
      expect(exportLine(again)).toBe(line);
    }
  });

  test('contain neither caller data nor raw failure nor the original item', () => {
    for (const event of allEvents) {
      for (const name of ['client_ip', 'x_forwarded_for', 'user_agent', 'fail_body', 'raw_json']) {
        expect(exportLine(event)).not.toContain(`"${name}"`);
      }
    }
  });

  test('leave out empty members, write zeros, keep what cannot be inferred', () => {
    const line = JSON.parse(exportLine(eventOf({ timestamp: 1772366400, latency_ms: 0, tokens: { input_tokens: 5 } })));
    expect(line).toEqual({
      event_hash: line.event_hash,
      timestamp_ms: 1772366400000,
      timestamp: '2026-03-01T12:00:00Z',
      model: '-',
      analytics_model: '-',
      endpoint: '-',
      cache_input_mode: 'included_in_input',
      input_tokens: 5,
      output_tokens: 0,
      reasoning_tokens: 0,
      cached_tokens: 0,
      cache_tokens: 0,
      cache_read_tokens: 0,
      cache_creation_tokens: 0,
      total_tokens: 5,
      latency_ms: 0,
      failed: false,
      created_at_ms: NOW_MS,
    });
    const gemini = JSON.parse(exportLine(gatewayEvents[3] ?? eventOf({})));
    expect(gemini).toMatchObject({ output_tokens: 420, reasoning_tokens: 260 });
    expect(gemini).not.toHaveProperty('billable_output_tokens');
    expect(gemini).not.toHaveProperty('normalized_total_input_tokens');
    expect(JSON.parse(exportLine(gatewayEvents[15] ?? eventOf({})))).toMatchObject({
      unclassified_tokens: 130,
      token_quality: 'unclassified',
    });
  });

  test('billed output is kept where an import would infer another number', () => {
    const tokens = { input_tokens: 10, output_tokens: 5, reasoning_tokens: 20, total_tokens: 35 };
    const token_breakdown = {
      schema_version: 2,
      quality: 'complete',
      input: { total_tokens: 10, uncached_tokens: 10, cache_read_tokens: 0, cache_write_tokens: 0 },
      output: { total_tokens: 25, non_reasoning_tokens: 5, reasoning_tokens: 20 },
    };
    for (const provider of ['gemini', 'another']) {
      const event = eventOf({ model: 'm', provider, tokens, token_breakdown });
      const line = JSON.parse(exportLine(event));
      expect(line.billable_output_tokens).toBe(provider === 'gemini' ? undefined : 25);
      expect(imported(line).billable_output_tokens).toBe(25);
    }
  });

  test('buckets that only the gateway knew are kept', () => {
    const event = eventOf({
      model: 'm',
      tokens: { input_tokens: 10, output_tokens: 5, total_tokens: 115 },
      token_breakdown: {
        schema_version: 2,
        quality: 'complete',
        input: { total_tokens: 110, uncached_tokens: 10, cache_read_tokens: 100, cache_write_tokens: 0 },
        output: { total_tokens: 5, non_reasoning_tokens: 5, reasoning_tokens: 0 },
        unclassified_tokens: 0,
      },
    });
    const again = imported(JSON.parse(exportLine(event)));
    expect(again).toMatchObject({ normalized_total_input_tokens: 110, normalized_cache_read_tokens: 100 });
  });

  test('stored metadata that is no object is left out', () => {
    for (const response_metadata_json of ['[1]', 'x', '{}', '{"a":']) {
      expect(exportLine({ ...eventOf({}), response_metadata_json })).not.toContain('response_metadata');
    }
    const line = exportLine({ ...eventOf({}), response_metadata_json: '{\n"routing":{"via":"x"}}' });
    expect(line).not.toContain('\n');
    expect(JSON.parse(line).response_metadata).toEqual({ routing: { via: 'x' } });
  });
});

describe('imported records', () => {
  const base = { event_hash: 'h', timestamp_ms: 1772366400000, timestamp: '2026-03-01T12:00:00Z' };

  test('identity, masks and hashes are kept as they are', () => {
    const event = imported({
      ...base,
      event_hash: ' H-Opaque ',
      source: 'm:sk-d...0001',
      source_hash: 'abc',
      api_key_hash: 'def',
      model: ' spaced ',
      alias: 'ignored',
      type: 'ignored',
    });
    expect(event).toMatchObject({
      event_hash: 'H-Opaque',
      source: 'm:sk-d...0001',
      source_hash: 'abc',
      api_key_hash: 'def',
      model: ' spaced ',
      requested_model: '',
      provider: '',
    });
  });

  test('identities that cannot be stored are refused', () => {
    for (const event_hash of ['a\u0000b', 'x'.repeat(257)]) {
      expect(readImportedRecord({ ...base, event_hash }, context).kind).toBe('failed');
    }
    for (const value of [null, [], 'x', 1]) expect(readImportedRecord(value, context).kind).toBe('failed');
  });

  test('times are kept, and derived when one of the two is missing or a number', () => {
    const cases = [
      [
        { timestamp_ms: 1772366400123, timestamp: '2026-03-01T12:00:00.123456Z' },
        1772366400123,
        '2026-03-01T12:00:00.123456Z',
      ],
      [{ timestamp_ms: 1772366400123 }, 1772366400123, '2026-03-01T12:00:00.123Z'],
      [{ timestamp: '2026-03-01T13:00:00+01:00' }, 1772366400000, '2026-03-01T13:00:00+01:00'],
      [{ timestamp: 1772366400 }, 1772366400000, '2026-03-01T12:00:00Z'],
      [{ timestamp: '1772366400123' }, 1772366400123, '2026-03-01T12:00:00.123Z'],
      [{}, NOW_MS + 1, '2026-03-02T00:00:00.001Z'],
    ] as const;
    for (const [members, timestamp_ms, timestamp] of cases) {
      expect(imported({ event_hash: 'h', ...members })).toMatchObject({ timestamp_ms, timestamp });
    }
  });

  test('failed is read from flags, numbers and words', () => {
    for (const failed of [true, 1, '1', 'Yes', 'on', 'TRUE']) expect(imported({ ...base, failed }).failed).toBe(true);
    for (const failed of [false, 0, 'no', null, {}]) expect(imported({ ...base, failed }).failed).toBe(false);
    const record = imported({ ...base, failed: true, fail_summary: 'me@example.org', fail_status_code: 500 });
    expect(record).toMatchObject({ fail_summary: 'm***@example.org', fail_status_code: 500 });
  });

  test('mode and total are added to an original without them', () => {
    const raw_json = '{"api_key":"sk-abcdefgh","tokens":{"total_tokens":7}}';
    const shown = imported({ ...base, total_tokens: 7, raw_json });
    expect(shown.raw_json).toBe('{"api_key":"[redacted]","tokens":{"total_tokens":7}}');
    const wrapped = imported({ ...base, total_tokens: 9, cache_input_mode: 'separate_from_input', raw_json });
    expect(JSON.parse(wrapped.raw_json)).toEqual({
      cache_input_mode: 'separate_from_input',
      total_tokens: 9,
      raw_json: '{"api_key":"[redacted]","tokens":{"total_tokens":7}}',
    });
    const again = imported({ ...base, raw_json: wrapped.raw_json });
    expect(again).toMatchObject({ cache_input_mode: 'separate_from_input', total_tokens: 9 });
    expect(again.raw_json).toBe(wrapped.raw_json);
  });

  test('headers of the original item and of the record become metadata', () => {
    const event = imported({
      ...base,
      raw_json: '{"response_headers":{"Server":["old"],"Via":["kept"]}}',
      headers: { server: 'new' },
      response_metadata: { trace: { request_id: 'r-1' } },
      header_trace_id: 'ignored',
    });
    expect(JSON.parse(event.response_metadata_json)).toEqual({
      trace: { primary_trace_id: 'r-1', request_id: 'r-1' },
      routing: { server: 'new', via: 'kept' },
    });
    expect(event.header_trace_id).toBe('r-1');
  });

  test('a raw item is normalized as in the collector', () => {
    for (const { payload, expected } of vectors.raw_events) {
      expect(imported(payload).event_hash).toBe(expected.event_hash);
    }
  });
});

describe('the compatible payload', () => {
  test('has reported tokens, the residual of the cached count, and no empty member', () => {
    const event = eventOf({
      timestamp: '2026-03-01T12:00:00Z',
      source: 'person@example.org',
      auth_index: '7',
      alias: 'gpt-5.5(high)',
      model: 'gpt-5.5',
      endpoint: 'POST /v1/responses',
      tokens: {
        input_tokens: 900,
        output_tokens: 70,
        reasoning_tokens: 40,
        cached_tokens: 700,
        cache_read_tokens: 600,
      },
      ttft_ms: 0,
    });
    const { endpoint, model, detail } = usageDetail(event);
    expect({ endpoint, model }).toEqual({ endpoint: 'POST /v1/responses', model: 'gpt-5.5' });
    expect(JSON.parse(JSON.stringify(detail))).toEqual({
      event_hash: event.event_hash,
      timestamp: '2026-03-01T12:00:00Z',
      source: 'per***@example.org',
      auth_index: '7',
      requested_model: 'gpt-5.5(high)',
      resolved_model: 'gpt-5.5',
      cache_input_mode: 'included_in_input',
      ttft_ms: 0,
      tokens: {
        input_tokens: 900,
        output_tokens: 70,
        reasoning_tokens: 40,
        cached_tokens: 100,
        cache_tokens: 100,
        cache_read_tokens: 600,
        cache_creation_tokens: 0,
        total_tokens: 1010,
      },
      failed: false,
    });
  });

  test('is read back with the requested model and its suffix', () => {
    const event = eventOf({
      timestamp: 1772366400,
      alias: 'gpt-5.5(high)',
      model: 'gpt-5.5',
      api_key: 'k',
      failed: true,
    });
    const { endpoint, model, detail } = usageDetail(event);
    const apis = { [endpoint]: { models: { [model]: { details: [JSON.parse(JSON.stringify(detail))] } } } };
    const { events } = readLegacySnapshot(apis, context);
    expect(events[0]).toMatchObject({
      requested_model: 'gpt-5.5(high)',
      model: 'gpt-5.5(high)',
      resolved_model: 'gpt-5.5',
      api_key_hash: event.api_key_hash,
      failed: true,
    });
  });

  test('a detail with a valid identity is that event wherever it is listed', () => {
    const detail = { timestamp: '2026-01-01T00:00:00Z', input_tokens: 5 };
    const hashes = (...details: readonly object[]) =>
      readLegacySnapshot({ 'POST /x': { models: { m: { details } } } }, context).events.map(
        (event) => event.event_hash,
      );
    const named = { ...detail, event_hash: 'a1' };
    expect(hashes(named)).toEqual(['a1']);
    expect(hashes(detail, named)[1]).toBe('a1');
    const [computed = ''] = hashes(detail);
    expect(computed).toMatch(/^[0-9a-f]{64}$/);
    for (const event_hash of ['', ' ', null, 'a\u0001', 'x'.repeat(257)]) {
      expect(hashes({ ...detail, event_hash })[0]).toMatch(/^[0-9a-f]{64}$/);
    }
  });

  test('the identity of a detail does not depend on the order of its members', () => {
    const details = [{ timestamp: '2026-01-01T00:00:00Z', input_tokens: 5 }];
    const reordered = [{ input_tokens: 5, timestamp: '2026-01-01T00:00:00Z' }];
    const read = (list: readonly object[]) =>
      readLegacySnapshot({ 'POST /v1/chat/completions': { models: { 'gpt-x': { details: list } } } }, context);
    expect(read(details).events[0]?.request_id).toBe('legacy:4daf93315d484152');
    expect(read(reordered).events[0]?.event_hash).toBe(read(details).events[0]?.event_hash ?? '');
  });

  test('broken parts of a snapshot are counted', () => {
    const apis = {
      a: 1,
      b: {},
      c: {
        models: { m: 5, n: {}, o: { details: [] }, p: { details: [null, {}, { time: '' }, { time: 1772366400 }] } },
      },
    };
    expect(readLegacySnapshot(apis, context)).toMatchObject({ failed: 6, unsupported: 2, events: [{ model: 'p' }] });
  });
});
