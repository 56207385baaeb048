import { describe, expect, test } from 'bun:test';
import type { UsageEvent } from './event.ts';
import vectors from './fixtures/token-vectors.json';
import { correctStoredEvent } from './stored-event.ts';
import { context, eventOf } from './testing/context.ts';

const GEMINI = {
  timestamp: '2026-03-01T12:00:00Z',
  provider: 'gemini',
  executor_type: 'GeminiExecutor',
  model: 'gemini-3-pro',
  tokens: { input_tokens: 1000, output_tokens: 50, reasoning_tokens: 300, total_tokens: 1350 },
};
const DETAILS = {
  timestamp: '2026-03-01T12:00:00Z',
  provider: 'codex',
  model: 'gpt-5',
  usage: {
    prompt_tokens: 900,
    completion_tokens: 10,
    prompt_tokens_details: { cached_tokens: 600 },
    total_tokens: 910,
  },
};

/** As earlier versions stored it. */
function before(event: UsageEvent, clear: string, rawJson = event.raw_json): UsageEvent {
  return { ...event, source: clear, raw_json: rawJson };
}

test.each(vectors.raw_events.map(({ id, payload }) => [id, payload] as const))(
  '%s as it is read today stays as it is',
  (_, payload) => {
    const event = eventOf(payload);
    expect(correctStoredEvent(event)).toBe(event);
  },
);

describe('counts', () => {
  test('billed output gets the reasoning that is outside of it', () => {
    const event = eventOf(GEMINI);
    expect(event.billable_output_tokens).toBe(350);
    expect(correctStoredEvent({ ...event, billable_output_tokens: 50 })).toEqual(event);
    const imported = { ...event, billable_output_tokens: 50, raw_json: '' };
    expect(correctStoredEvent(imported)).toEqual({ ...event, raw_json: '' });
  });

  test('billed output that a breakdown gave stays', () => {
    const event = eventOf(GEMINI);
    for (const known of [{ billable_output_tokens: 70 }, { billable_output_tokens: 50, token_quality: 'complete' }]) {
      const stored = { ...event, ...known } as UsageEvent;
      expect(correctStoredEvent(stored)).toBe(stored);
    }
  });

  test('cached tokens from an object of details are read from the original', () => {
    const event = eventOf(DETAILS);
    expect(event).toMatchObject({ cached_tokens: 600, normalized_uncached_input_tokens: 300 });
    const stored = {
      ...event,
      cached_tokens: 0,
      normalized_uncached_input_tokens: 900,
      normalized_cache_read_tokens: 0,
    };
    expect(correctStoredEvent(stored)).toEqual(event);
  });

  test('more cached than input marks the event', () => {
    const event = eventOf({ ...GEMINI, tokens: { input_tokens: 10, cached_tokens: 20, total_tokens: 10 } });
    expect(event.token_quality).toBe('inconsistent');
    expect(correctStoredEvent({ ...event, token_quality: '' })).toEqual(event);
  });

  test('buckets that an import knew stay', () => {
    const event = { ...eventOf(GEMINI), normalized_total_input_tokens: 1100, normalized_cache_read_tokens: 100 };
    const stored = { ...event, raw_json: '' };
    expect(correctStoredEvent(stored)).toBe(stored);
  });
});

describe('a source that is a key in clear', () => {
  for (const { expected, ...item } of vectors.source_masking_by_event) {
    test(`${item.provider}, ${item.auth_type}: ${expected.source}`, () => {
      const event = eventOf({ ...item, timestamp: '2026-03-01T12:00:00Z', model: 'm' });
      const raw = event.raw_json.replace(JSON.stringify(expected.source), JSON.stringify(item.source));
      expect(correctStoredEvent(before(event, item.source, raw))).toEqual(event);
      expect(correctStoredEvent(event)).toBe(event);
    });
  }

  test('is masked without an original, and in one that was cut or wrapped', () => {
    const event = eventOf({ auth_type: 'apikey', provider: 'claude', source: 'team/key-7781', model: 'm' });
    expect(correctStoredEvent(before(event, 'team/key-7781', ''))).toEqual({ ...event, raw_json: '' });
    const cut = '{"model":"m","source":"team/key-7781","user...(truncated)';
    expect(correctStoredEvent(before(event, 'team/key-7781', cut)).raw_json).toBe(
      '{"model":"m","source":"m:team...7781","user...(truncated)',
    );
    const wrapped = JSON.stringify({ raw_json: '{"source":"team/key-7781"}', total_tokens: 1 });
    expect(correctStoredEvent(before(event, 'team/key-7781', wrapped)).raw_json).not.toContain('team/key-7781');
  });

  test('is not quoted by a failure', () => {
    const item = { auth_type: 'apikey', provider: 'claude', source: 'team/key-7781', model: 'm', failed: true };
    const event = eventOf({ ...item, fail: { status_code: 401, body: 'invalid: team/key-7781' } });
    const clear = { fail_summary: 'invalid: team/key-7781', fail_body: 'invalid: team/key-7781' };
    const raw = event.raw_json.replaceAll('m:team...7781', 'team/key-7781');
    expect(correctStoredEvent({ ...before(event, 'team/key-7781', raw), ...clear })).toEqual(event);
  });

  test('is known by the hash of the client key alone', () => {
    const source_hash = context.sha256Hex('my-own-client-key');
    const stored = { ...eventOf({ model: 'm' }), source: 'my-own-client-key', source_hash, api_key_hash: source_hash };
    expect(correctStoredEvent(stored).source).toBe('m:my-o...-key');
  });
});
