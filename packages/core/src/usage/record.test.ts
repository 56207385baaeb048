import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { analyticsModel, billingModel } from './models.ts';
import { readRecord } from './record.ts';
import { context, eventOf, NOW_MS } from './testing/context.ts';

function fixtureLines(name: string): string[] {
  const text = readFileSync(join(import.meta.dir, 'fixtures', name), 'utf8');
  return text.split('\n').filter((line) => line !== '');
}

const lines = fixtureLines('usage-events.jsonl');

function lineEvent(number: number) {
  const outcome = readRecord(lines[number - 1] ?? '', context);
  if (outcome.kind !== 'event') throw new Error(`line ${number}: ${outcome.kind}`);
  return outcome.event;
}

describe('items of the gateway', () => {
  test('every line becomes one event', () => {
    const outcomes = lines.map((line) => readRecord(line, context));
    expect(outcomes.map(({ kind }) => kind)).toEqual(lines.map(() => 'event'));
    const hashes = outcomes.map((outcome) => (outcome.kind === 'event' ? outcome.event.event_hash : ''));
    expect(new Set(hashes).size).toBe(lines.length);
    for (const outcome of outcomes) expect(outcome).toMatchObject({ repaired: false });
  });

  test('no plain key, cookie or address is kept', () => {
    for (const [index] of lines.entries()) {
      const { source, ...event } = lineEvent(index + 1);
      const text = JSON.stringify(event);
      expect(text).not.toContain('sim-client-key');
      expect(text).not.toContain('sim_session');
      expect(source).not.toMatch(/^[a-z]+@example\.test$/);
    }
  });

  test('a streamed request with cache and reasoning (line 2)', () => {
    expect(lineEvent(2)).toMatchObject({
      timestamp: '2026-09-01T08:00:05.987654321Z',
      timestamp_ms: 1788249605987,
      model: 'gpt-5.4(high)',
      resolved_model: 'gpt-5.4',
      source: 'riv***@example.test',
      cache_input_mode: 'included_in_input',
      normalized_uncached_input_tokens: 7250,
      normalized_total_input_tokens: 48210,
      normalized_cache_read_tokens: 40960,
      billable_output_tokens: 2310,
      token_quality: 'complete',
      service_tier: 'auto',
      request_service_tier: 'auto',
      response_service_tier: 'default',
      failed: false,
      fail_status_code: null,
      fail_summary: '',
      fail_body: '',
      header_quota_used_percent: 37,
      header_quota_recover_at_ms: 1788249605987 + 9_120_000,
      header_trace_id: 'req_sim_0001',
    });
  });

  test('claude reports its cache outside the input (line 3)', () => {
    expect(lineEvent(3)).toMatchObject({
      cache_input_mode: 'separate_from_input',
      normalized_uncached_input_tokens: 310,
      normalized_total_input_tokens: 20910,
      normalized_cache_creation_tokens: 2200,
      total_tokens: 23650,
    });
  });

  test('gemini bills reasoning outside the output (line 4)', () => {
    expect(lineEvent(4)).toMatchObject({ output_tokens: 420, billable_output_tokens: 680, total_tokens: 2180 });
  });

  test('failures keep their cause (lines 6, 7, 8, 14)', () => {
    expect(lineEvent(6)).toMatchObject({ failed: true, fail_status_code: 401, header_error_kind: 'auth' });
    const limited = lineEvent(7);
    expect(limited).toMatchObject({
      fail_status_code: 429,
      header_quota_used_percent: 100,
      header_quota_plan_type: 'plus',
    });
    expect(limited.fail_summary).toContain('usage_limit_reached');
    expect(limited.fail_body).toContain('"Retry-After":["7200"]');
    expect(JSON.parse(lineEvent(8).response_metadata_json).provider_usage).toEqual({
      provider: 'xai',
      kind: 'included_free_usage',
      state: 'exhausted',
      code: 'subscription:free-usage-exhausted',
      model: 'grok-sim-build-free',
      unit: 'tokens',
      actual: 1000350,
      limit: 1000000,
      remaining: 0,
      overage: 350,
      window_kind: 'rolling_24h',
      observed_at_ms: lineEvent(8).timestamp_ms,
      recover_at_ms: lineEvent(8).timestamp_ms + 86_400_000,
      recover_at_estimated: true,
      source: 'response_body',
    });
    expect(lineEvent(14)).toMatchObject({ fail_status_code: 499, fail_summary: 'context canceled' });
  });

  test('one request with two models is two events (lines 11, 12)', () => {
    expect(lineEvent(11).request_id).toBe(lineEvent(12).request_id);
    expect(lineEvent(11).event_hash).not.toBe(lineEvent(12).event_hash);
    expect(analyticsModel(lineEvent(11))).toBe(analyticsModel(lineEvent(12)));
    expect(billingModel(lineEvent(11))).not.toBe(billingModel(lineEvent(12)));
  });

  test('breakdowns without trustworthy buckets mark the quality and are not billed (lines 16, 17)', () => {
    expect(lineEvent(16)).toMatchObject({
      token_quality: 'unclassified',
      unclassified_tokens: 130,
      normalized_total_input_tokens: 100,
      billable_output_tokens: 30,
      total_tokens: 130,
    });
    expect(lineEvent(17)).toMatchObject({ token_quality: 'inconsistent', unclassified_tokens: 20, total_tokens: 20 });
  });

  test('old versions without breakdown, executor and failure detail (lines 19, 20, 21)', () => {
    expect(lineEvent(19)).toMatchObject({ normalized_cache_read_tokens: 4096, normalized_uncached_input_tokens: 904 });
    expect(lineEvent(20)).toMatchObject({ executor_type: '', ttft_ms: null, token_quality: '', total_tokens: 5400 });
    expect(lineEvent(21)).toMatchObject({
      failed: true,
      fail_status_code: null,
      requested_model: '',
      model: 'gpt-5.4',
    });
  });

  test('control payloads are no events', () => {
    const outcomes = fixtureLines('usage-control-payloads.jsonl').map((line) => readRecord(line, context));
    expect(outcomes).toEqual([
      { kind: 'control', control: 'support_refresh' },
      { kind: 'control', control: 'refresh' },
    ]);
  });
});

describe('odd items', () => {
  test('blank ones are skipped', () => {
    for (const text of ['', ' \r\n', '\ufeff', '\t']) expect(readRecord(text, context)).toEqual({ kind: 'blank' });
  });

  test('a text that is no JSON object is a dead letter whose error repeats nothing', () => {
    for (const text of ['{', 'sk-secret-value', '{"a":1}}', '{"a":"\u0000"}', '\u0000']) {
      expect(readRecord(text, context)).toEqual({ kind: 'dead_letter', error: 'not valid JSON' });
    }
    for (const text of ['null', '1', '"x"', '[{}]', 'true']) {
      expect(readRecord(text, context)).toEqual({ kind: 'dead_letter', error: 'not a JSON object' });
    }
  });

  test('a byte order mark is skipped', () => {
    expect(readRecord('\ufeff{"model":"m"}', context)).toMatchObject({ kind: 'event', event: { model: 'm' } });
  });

  test('an object without a usable time gets the arrival time', () => {
    for (const item of [{}, { timestamp: null }, { timestamp: 'yesterday', time: 1772366400 }, { timestamp: {} }]) {
      expect(eventOf(item)).toMatchObject({ timestamp_ms: NOW_MS, timestamp: '2026-03-02T00:00:00Z' });
    }
  });

  test('a token count that is out of range is counted as a repair', () => {
    const repaired = (item: object) => {
      const outcome = readRecord(JSON.stringify(item), context);
      return outcome.kind === 'event' && outcome.repaired;
    };
    for (const tokens of [
      { input_tokens: -1 },
      { cacheWriteTokens: 9_007_199_254_740_992 },
      { total: '-3' },
      { reasoning_tokens: '9007199254740993' },
      { output_tokens: '1e3' },
    ]) {
      for (const item of [{ tokens }, { usage: tokens }, tokens]) expect([item, repaired(item)]).toEqual([item, true]);
    }
    const infinite = readRecord('{"tokens":{"input_tokens":1e400}}', context);
    expect(infinite).toMatchObject({ repaired: true, event: { input_tokens: 0 } });
    for (const tokens of [{}, { input_tokens: 0 }, { total: 9_007_199_254_740_991 }, { total: '12' }, { total: 1.5 }]) {
      expect(repaired({ latency_ms: -5, status: 'x', tokens })).toBe(false);
    }
    expect(repaired({ tokens: { input_tokens: -0.5, output_tokens: null, total_tokens: '' } })).toBe(false);
  });

  test('a lone surrogate is replaced and counted, one after an escaped backslash is not', () => {
    const half = readRecord('{"model":"a\\ud800b","alias":"\\udc00"}', context);
    expect(half).toMatchObject({
      kind: 'event',
      repaired: true,
      event: { model: '\ufffd', resolved_model: 'a\ufffdb' },
    });
    const direct = readRecord('{"model":"a\ud800"}', context);
    expect(direct).toMatchObject({ kind: 'event', repaired: true, event: { model: 'a\ufffd' } });
    const pair = readRecord('{"model":"\\ud83d\\ude00"}', context);
    expect(pair).toMatchObject({ kind: 'event', repaired: false, event: { model: '😀' } });
    const text = readRecord('{"model":"\\\\ud800"}', context);
    expect(text).toMatchObject({ kind: 'event', repaired: false, event: { model: '\\ud800' } });
    for (const outcome of [half, direct]) {
      if (outcome.kind === 'event') expect(JSON.stringify(outcome.event)).not.toMatch(/\\ud[89a-f]/i);
    }
  });

  test('a NUL stays in texts and becomes a space in caller data', () => {
    const outcome = readRecord('{"model":"a\\u0000b","user_agent":"a\\u0000b"}', context);
    expect(outcome).toMatchObject({ kind: 'event', repaired: false, event: { model: 'a\0b', user_agent: 'a b' } });
  });

  test('nesting of any depth is stored, very deep nesting is cut', () => {
    for (const [depth, repaired] of [
      [900, false],
      [1500, true],
      [200_000, true],
    ] as const) {
      for (const [open, close] of [
        ['{"x":', '}'],
        ['[', ']'],
        ['{"fail":', '}'],
      ] as const) {
        const text = `{"model":"m","deep":${open.repeat(depth)}1${close.repeat(depth)}}`;
        const outcome = readRecord(text, context);
        expect(outcome).toMatchObject({ kind: 'event', repaired, event: { model: 'm' } });
      }
    }
  });

  test('duplicate members and wrong types make a member unknown, not the record invalid', () => {
    expect(readRecord('{"model":"a","model":"b","tokens":{"input_tokens":1,"input_tokens":2}}', context)).toMatchObject(
      {
        event: { model: 'b', input_tokens: 2 },
      },
    );
    const event = eventOf({
      timestamp: '2026-03-01T12:00:00Z',
      model: ['x'],
      alias: {},
      provider: 7,
      endpoint: true,
      tokens: 'many',
      usage: [1],
      latency_ms: 'fast',
      ttft_ms: null,
      failed: 'yes',
      fail: 3,
      response_headers: 'none',
      token_breakdown: { schema_version: 2, quality: 'complete', input: 5 },
      auth_index: 12,
      request_id: 1.5,
    });
    expect(event).toMatchObject({
      model: '-',
      provider: '7',
      endpoint: 'true',
      input_tokens: 0,
      latency_ms: 0,
      ttft_ms: null,
      failed: false,
      token_quality: '',
      auth_index: '12',
      request_id: '1.5',
    });
  });

  test('unsupported integers read as 0', () => {
    const outcome = readRecord(
      '{"tokens":{"input_tokens":1e400,"output_tokens":9007199254740993},"latency_ms":-0}',
      context,
    );
    expect(outcome).toMatchObject({ event: { input_tokens: 0, output_tokens: 0, latency_ms: 0 } });
  });

  test('a breakdown that claims to be complete but does not add up is not trusted', () => {
    const event = eventOf({
      provider: 'codex',
      tokens: { input_tokens: 100, output_tokens: 10 },
      token_breakdown: {
        schema_version: 2,
        quality: 'complete',
        input: { total_tokens: 100, uncached_tokens: 10, cache_read_tokens: 10, cache_write_tokens: 0 },
        output: { total_tokens: 10 },
        unclassified_tokens: 0,
      },
    });
    expect(event).toMatchObject({ token_quality: 'inconsistent', normalized_uncached_input_tokens: 100 });
  });

  test('an item with an identity keeps it', () => {
    expect(eventOf({ model: 'm', event_hash: ' h-1 ' }).event_hash).toBe('h-1');
    expect(eventOf({ model: 'm', event_hash: 'x'.repeat(257) }).event_hash).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe('failures', () => {
  test('only failed requests have failure members', () => {
    const event = eventOf({
      failed: false,
      fail: { status_code: 200, body: 'ok' },
      response_headers: { Server: ['x'] },
    });
    expect(event).toMatchObject({ fail_status_code: null, fail_summary: '', fail_body: '' });
  });

  test('known headers are added to the body, cookies never are', () => {
    const event = eventOf({
      failed: true,
      fail: { status_code: 500, body: 'boom' },
      response_headers: { 'X-Request-Id': ['r-1'], 'Set-Cookie': ['sid=1'], Date: ['today'] },
    });
    expect(event.fail_body).toBe('boom\n{"X-Request-Id":["r-1"]}');
    expect(event.fail_summary).toBe('boom\n{"X-Request-Id":["r-1"]}');
    expect(event.raw_json).not.toContain('sid=1');
  });

  test('the decision falls back from flags to status to errors', () => {
    expect(eventOf({ is_failed: true }).failed).toBe(true);
    expect(eventOf({ ok: false }).failed).toBe(true);
    expect(eventOf({ failed: 'true', success: true, status: 500 }).failed).toBe(false);
    expect(eventOf({ http_status: '404' }).failed).toBe(true);
    expect(eventOf({ error: null }).failed).toBe(false);
    expect(eventOf({ errorMessage: '' }).failed).toBe(true);
  });
});
