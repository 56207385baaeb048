import { describe, expect, test } from 'bun:test';
import type { JsonObject } from '../json/json.ts';
import { buildResponseMetadata, headerColumns } from './response-metadata.ts';
import { eventOf } from './testing/context.ts';

const BASE_MS = 1_780_000_000_000;

function fromHeaders(headers: JsonObject) {
  return buildResponseMetadata({ headers: [headers], baseMs: BASE_MS });
}

describe('headers', () => {
  test('names in any case, the first value that is not empty, scalars only', () => {
    const metadata = fromHeaders({ ' SERVER ': ['', { no: 1 }, 'edge'], via: {}, EAGLEID: 7 });
    expect(metadata).toEqual({ trace: { primary_trace_id: '7', eagle_id: '7' }, routing: { server: 'edge' } });
  });

  test('values are sanitised and cut to 1024 bytes', () => {
    const metadata = fromHeaders({ via: `Bearer abcdefghij ${'é'.repeat(2000)}`, server: 'me@example.org' });
    expect(metadata?.routing?.server).toBe('m***@example.org');
    expect(metadata?.routing?.via).toStartWith('Bearer [redacted] é');
    expect(Buffer.byteLength(metadata?.routing?.via ?? '')).toBeLessThanOrEqual(1027);
  });

  test('numbers and flags that are none are dropped', () => {
    const metadata = fromHeaders({
      'x-codex-primary-used-percent': 'much',
      'x-codex-primary-window-minutes': '300.5',
      'x-codex-credits-has-credits': 'maybe',
      'x-codex-credits-unlimited': 'YES',
      'content-length': '0x10',
      'x-ratelimit-limit-tokens': '-1',
      'x-should-retry': 0,
    });
    expect(metadata).toEqual({ quota: { credits_unlimited: true }, errors: { should_retry: false } });
  });

  test('an absolute reset wins over a relative one, whatever comes first', () => {
    const absolute = { 'x-codex-primary-reset-at': '2026-06-01 00:00:00' };
    const relative = { 'x-codex-primary-reset-after-seconds': '60' };
    for (const headers of [
      { ...absolute, ...relative },
      { ...relative, ...absolute },
    ]) {
      expect(fromHeaders(headers)?.quota?.recover_at_ms).toBe(Date.UTC(2026, 5, 1));
    }
    const unreadable = { ...relative, 'x-codex-primary-reset-at': 'soon' };
    expect(fromHeaders(unreadable)?.quota?.recover_at_ms).toBe(BASE_MS + 60_000);
    expect(fromHeaders({ 'x-codex-primary-reset-after-seconds': '0' })?.quota?.recover_at_ms).toBeUndefined();
  });

  test('retry-after is seconds or a date', () => {
    expect(fromHeaders({ 'retry-after': '0' })?.errors).toMatchObject({
      retry_after_seconds: 0,
      retry_after_recover_at_ms: BASE_MS,
    });
    expect(fromHeaders({ 'retry-after': 'Tue, 01 Sep 2026 08:00:01 GMT' })?.errors).toEqual({
      kind: 'rate_limit',
      code: 'retry_after',
      retry_after_recover_at_ms: Date.UTC(2026, 8, 1, 8, 0, 1),
    });
    for (const value of ['-1', '1.5', '99999999999999', 'soon'])
      expect(fromHeaders({ 'retry-after': value })).toBeNull();
  });

  test('of two equally full windows the one with the later reset is the summary and the reached one', () => {
    const metadata = fromHeaders({
      'x-codex-primary-used-percent': '100',
      'x-codex-primary-reset-after-seconds': '60',
      'x-codex-secondary-used-percent': '100',
      'x-codex-secondary-reset-after-seconds': '120',
      'x-codex-secondary-window-minutes': '43200',
    });
    expect(metadata?.quota).toMatchObject({
      summary_window_source: 'secondary',
      summary_window_kind: 'monthly',
      reached_window_source: 'secondary',
      recover_at_ms: BASE_MS + 120_000,
    });
  });

  test('a reached type that names no window is unknown', () => {
    expect(fromHeaders({ 'x-codex-rate-limit-reached-type': 'workspace' })?.quota).toEqual({
      rate_limit_reached_type: 'workspace',
      reached_window_kind: 'unknown',
      reached_window_source: 'unknown',
    });
  });

  test('error codes: root before IDE before authorization, then bypass, then retry', () => {
    const all = {
      'x-openai-ide-root-error-code': 'something',
      'x-openai-ide-error-code': 'identity_edge_internal_error',
      'x-openai-authorization-error': '401',
      'x-ratelimit-bypass': 'internal',
      'retry-after': '1',
    };
    expect(fromHeaders(all)?.errors).toMatchObject({ kind: 'identity', code: 'identity_edge_internal_error' });
    const { 'x-openai-ide-error-code': _, ...authorization } = all;
    expect(fromHeaders(authorization)?.errors).toMatchObject({ kind: 'auth', code: '401' });
    const bypass = { 'x-ratelimit-bypass': 'internal', 'retry-after': '1' };
    expect(fromHeaders(bypass)?.errors).toMatchObject({ kind: 'rate_limit', code: 'internal' });
  });

  test('invalid trace contexts are dropped', () => {
    const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
    const span = '00f067aa0ba902b7';
    const invalid = [
      `ff-${trace}-${span}-01`,
      `00-${'0'.repeat(32)}-${span}-01`,
      `00-${trace}-${'0'.repeat(16)}-01`,
      'secret',
    ];
    for (const traceparent of invalid) expect(fromHeaders({ traceparent })).toBeNull();
    expect(fromHeaders({ traceparent: `00-${trace.toUpperCase()}-${span}-01` })?.trace?.primary_trace_id).toBe(trace);
  });

  test('second copies, data policy and its fallback', () => {
    expect(fromHeaders({ 'x-cloudaicompanion-trace-id': 't-1', 'server-timing': 's' })).toMatchObject({
      trace: { primary_trace_id: 't-1', cloud_ai_companion_trace_id: 't-1' },
      response: { server_timing: 's' },
      providers: { antigravity_trace_id: 't-1', antigravity_server_timing: 's' },
    });
    const policy = { 'x-zero-retention': 'true', 'x-zero-data-retention': 'false', 'x-data-retention': 'NONE' };
    expect(fromHeaders(policy)?.data_policy).toEqual({ retention_mode: 'none', zero_retention: false });
    expect(fromHeaders({ 'x-zero-retention': 'true' })?.data_policy).toEqual({ zero_retention: true });
  });
});

describe('metadata that came with a record', () => {
  test('is read as strictly as headers', () => {
    const supplied = {
      quota: { plan_type: 'me@example.org', primary: { used_percent: '12%', junk: 1 }, junk: 'x' },
      trace: { traceparent: 'secret', request_id: ['r'] },
      junk: { a: 1 },
      errors: 'none',
    };
    expect(buildResponseMetadata({ supplied: [supplied], headers: [], baseMs: BASE_MS })).toEqual({
      quota: {
        plan_type: 'm***@example.org',
        summary_window_kind: 'unknown',
        summary_window_source: 'primary',
        primary: { used_percent: 12 },
        used_percent: 12,
      },
    });
  });

  test('headers win member by member', () => {
    const metadata = buildResponseMetadata({
      supplied: [{ routing: { server: 'old', via: 'kept' } }],
      headers: [{ server: 'new' }],
      baseMs: BASE_MS,
    });
    expect(metadata?.routing).toEqual({ server: 'new', via: 'kept' });
  });

  test('sums without windows are an aggregate', () => {
    const supplied = [{ quota: { used_percent: 0, recover_at_ms: BASE_MS } }];
    const metadata = buildResponseMetadata({ supplied, headers: [], baseMs: BASE_MS });
    expect(metadata?.quota).toMatchObject({ summary_window_kind: 'unknown', summary_window_source: 'aggregate' });
    expect(headerColumns(metadata)).toMatchObject({
      header_quota_used_percent: 0,
      header_quota_recover_at_ms: BASE_MS,
    });
  });

  test('a reported recovery is never replaced by an estimate', () => {
    const usage = (recover_at_ms: number, recover_at_estimated: boolean) => ({ recover_at_ms, recover_at_estimated });
    const merged = (first: boolean, second: boolean) =>
      buildResponseMetadata({
        supplied: [{ provider_usage: usage(1, first) }],
        headers: [],
        providerUsage: usage(2, second),
        baseMs: BASE_MS,
      })?.provider_usage;
    expect(merged(false, true)).toEqual(usage(1, false));
    expect(merged(true, false)).toEqual(usage(2, false));
    expect(merged(true, true)).toEqual(usage(2, true));
  });

  test('is idempotent', () => {
    const metadata = fromHeaders({
      'x-codex-rate-limit-reached-type': 'primary',
      'x-codex-primary-used-percent': '100',
      'x-codex-primary-reset-after-seconds': '60',
      'retry-after': '5',
      'x-request-id': 'r',
    });
    expect(buildResponseMetadata({ supplied: [metadata], headers: [], baseMs: 0 })).toEqual(metadata);
  });
});

describe('free usage of xAI', () => {
  const body = (extra: object) => JSON.stringify({ error: { code: 'Subscription:Free-Usage-Exhausted', ...extra } });
  const failed = (identity: object, status: number, text: string) => {
    const event = eventOf({
      timestamp: BASE_MS,
      failed: true,
      ...identity,
      fail: { status_code: status, body: text },
      response_headers: { 'Retry-After': ['60'] },
    });
    return JSON.parse(event.response_metadata_json || '{}').provider_usage;
  };

  test('needs a native identity, the status and the code', () => {
    const natives = [{ provider: 'xai' }, { provider: 'X_AI' }, { provider: 'grok', executor_type: 'XAI-Executor' }];
    for (const identity of natives) expect(failed(identity, 402, body({}))).toMatchObject({ state: 'exhausted' });
    const others = [{ provider: 'grok' }, { provider: 'openai', executor_type: 'XAIExecutor' }, { model: 'grok-4' }];
    for (const identity of others) expect(failed(identity, 429, body({}))).toBeUndefined();
    expect(failed({ provider: 'xai' }, 403, body({}))).toBeUndefined();
    const mention = JSON.stringify({ message: 'subscription:free-usage-exhausted' });
    expect(failed({ provider: 'xai' }, 429, mention)).toBeUndefined();
  });

  test('the recovery is explicit, absolute before relative, else a day later', () => {
    const identity = { provider: 'xai' };
    expect(failed(identity, 429, body({}))).toMatchObject({
      recover_at_ms: BASE_MS + 86_400_000,
      recover_at_estimated: true,
    });
    expect(
      failed(identity, 429, body({ resetAfterSeconds: 90, details: { periodEnd: '2026-06-01T00:00:00Z' } })),
    ).toMatchObject({
      recover_at_ms: Date.UTC(2026, 5, 1),
      recover_at_estimated: false,
    });
    expect(failed(identity, 429, body({ reset_at: null, reset_after_seconds: 90 }))).toMatchObject({
      recover_at_ms: BASE_MS + 90_000,
      recover_at_estimated: false,
    });
    expect(failed(identity, 429, body({ headers: { reset_at: 1_790_000_000 } }))).toMatchObject({
      recover_at_estimated: true,
    });
  });

  test('amounts with thousands separators, words around the JSON', () => {
    const text = `upstream said: ${body({ message: 'free usage for model "grok-4": tokens (actual/limit): 1,500/2,000' })}!`;
    expect(failed({ provider: 'xai' }, 429, text)).toMatchObject({
      model: 'grok-4',
      actual: 1500,
      limit: 2000,
      remaining: 500,
      overage: 0,
    });
  });
});
