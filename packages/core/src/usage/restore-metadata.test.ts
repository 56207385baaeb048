import { describe, expect, test } from 'bun:test';
import type { UsageEvent } from './event.ts';
import vectors from './fixtures/token-vectors.json';
import { headerColumns } from './response-metadata.ts';
import { restoreMetadata } from './restore-metadata.ts';
import { eventOf } from './testing/context.ts';

const ITEM = {
  timestamp: '2026-03-01T12:00:00Z',
  provider: 'codex',
  model: 'gpt-5',
  response_headers: {
    'X-Codex-Plan-Type': ['plus'],
    'X-Request-Id': ['r-1'],
    'X-RateLimit-Limit-Requests': ['100'],
    'X-RateLimit-Remaining-Requests': ['99'],
    'X-Data-Retention': ['none'],
  },
};
const EXHAUSTED = {
  timestamp: '2026-03-01T12:00:00Z',
  provider: 'xai',
  model: 'grok-4',
  failed: true,
  fail: {
    status_code: 429,
    body: '{"code":"subscription:free-usage-exhausted","error":"tokens (actual/limit): 1,500/1,000"}',
  },
};

function without(event: UsageEvent, text = ''): UsageEvent {
  return { ...event, response_metadata_json: text, ...headerColumns(null) };
}

function metadataOf(event: UsageEvent) {
  return JSON.parse(event.response_metadata_json);
}

describe('response metadata', () => {
  test.each(vectors.raw_events.map(({ id, payload }) => [id, payload] as const))(
    'of %s, as it is read today, is only marked as looked at',
    (_, payload) => {
      const event = eventOf(payload);
      const found = restoreMetadata(event);
      if (found !== event) expect(found).toEqual({ ...event, response_metadata_json: '{}' });
    },
  );

  test.each([
    ['headers', ITEM],
    ['a failure of xAI', EXHAUSTED],
  ])('is read from %s again', (_, item) => {
    const event = eventOf(item);
    expect(event.response_metadata_json).not.toBe('');
    expect(restoreMetadata(event)).toBe(event);
    expect(restoreMetadata(without(event))).toEqual(event);
  });

  test('gets new groups, and keeps all others', () => {
    const event = eventOf(ITEM);
    const { rate_limit: _, data_policy: __, ...older } = metadataOf(event);
    older.routing = { server: 'edge' };
    const found = restoreMetadata({ ...event, response_metadata_json: JSON.stringify(older) });
    expect(metadataOf(found)).toEqual({ ...metadataOf(event), routing: { server: 'edge' } });
    expect(restoreMetadata(found)).toBe(found);
  });

  test('gets a single member that is missing in such a group', () => {
    const event = eventOf(ITEM);
    const older = metadataOf(event);
    delete older.rate_limit.requests.remaining;
    expect(restoreMetadata({ ...event, response_metadata_json: JSON.stringify(older) })).toEqual(event);
  });

  test('is not examined again for other groups', () => {
    const event = eventOf(ITEM);
    const { trace: _, ...older } = metadataOf(event);
    const stored = { ...event, response_metadata_json: JSON.stringify(older) };
    expect(restoreMetadata(stored)).toBe(stored);
  });

  test('gets members of the evidence of xAI, and keeps a reported recovery', () => {
    const event = eventOf(EXHAUSTED);
    const { provider_usage: usage } = metadataOf(event);
    const older = { provider_usage: { provider: 'xai', recover_at_ms: 5, recover_at_estimated: false } };
    const found = restoreMetadata({ ...event, response_metadata_json: JSON.stringify(older) });
    expect(metadataOf(found).provider_usage).toEqual({ ...usage, recover_at_ms: 5, recover_at_estimated: false });
    expect(restoreMetadata(found)).toBe(found);
  });

  test('is {} when none of the headers is kept', () => {
    const event = eventOf({ ...ITEM, response_headers: { 'X-Unknown': ['1'], 'Set-Cookie': ['a=b'] } });
    expect(event.response_metadata_json).toBe('');
    const found = restoreMetadata(event);
    expect(found).toEqual({ ...event, response_metadata_json: '{}' });
    expect(restoreMetadata(found)).toBe(found);
  });

  test.each([
    ['without headers', { ...ITEM, response_headers: undefined }],
    ['that did not fail', { ...EXHAUSTED, failed: false }],
    ['of another provider', { ...EXHAUSTED, provider: 'grok' }],
  ])('of an event %s stays empty', (_, item) => {
    const event = eventOf(item);
    expect(restoreMetadata(event)).toBe(event);
    expect(event.response_metadata_json).toBe('');
  });

  test('is found inside a wrapped original', () => {
    const event = eventOf(ITEM);
    const wrapped = { ...event, raw_json: JSON.stringify({ total_tokens: 1, raw_json: event.raw_json }) };
    expect(restoreMetadata(without(wrapped))).toEqual(wrapped);
  });

  test('of an event without an original cannot be restored', () => {
    const event = without({ ...eventOf(ITEM), raw_json: '' });
    expect(restoreMetadata(event)).toBe(event);
  });
});
