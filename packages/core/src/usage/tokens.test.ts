import { describe, expect, test } from 'bun:test';
import { exportLine } from './export-line.ts';
import { readImportedRecord } from './import-record.ts';
import { readLegacySnapshot } from './legacy-snapshot.ts';
import { context, eventOf } from './testing/context.ts';

const CLAUDE = { provider: 'claude', executor_type: 'ClaudeExecutor' };
const CLAUDE_TOKENS = { input_tokens: 100, output_tokens: 10, cache_creation_tokens: 900, total_tokens: 1010 };

function written1h(item: object): number {
  return eventOf({ timestamp: '2026-03-01T12:00:00Z', ...CLAUDE, ...item }).cache_write_1h_tokens;
}

describe('cache writes for one hour', () => {
  test.each([
    { tokens: { ...CLAUDE_TOKENS, cache_write_1h_tokens: 600 } },
    { tokens: { ...CLAUDE_TOKENS, cacheCreation1hInputTokens: 600 } },
    {
      tokens: { ...CLAUDE_TOKENS, cache_creation: { ephemeral_5m_input_tokens: 300, ephemeral_1h_input_tokens: 600 } },
    },
    { tokens: CLAUDE_TOKENS, usage: { cache_creation: { ephemeral_1h_input_tokens: 600 } } },
    { usage: { cache_creation_input_tokens: 900, cache_creation: { ephemeral_1h_input_tokens: 600 } } },
    { ...CLAUDE_TOKENS, ephemeral_1h_input_tokens: '600' },
  ])('are read from %j', (item) => {
    expect(written1h(item)).toBe(600);
  });

  test('are read from a complete breakdown', () => {
    const input = { total_tokens: 1000, uncached_tokens: 100, cache_read_tokens: 0, cache_write_tokens: 900 };
    const breakdown = {
      schema_version: 2,
      quality: 'complete',
      total_tokens: 1010,
      input: { ...input, cache_write_1h_tokens: 600 },
      output: { total_tokens: 10, non_reasoning_tokens: 10, reasoning_tokens: 0 },
      unclassified_tokens: 0,
    };
    expect(written1h({ tokens: CLAUDE_TOKENS, token_breakdown: breakdown })).toBe(600);
    expect(written1h({ tokens: CLAUDE_TOKENS, token_breakdown: { ...breakdown, input } })).toBe(0);
    expect(written1h({ tokens: CLAUDE_TOKENS, token_breakdown: { ...breakdown, quality: 'unclassified' } })).toBe(0);
  });

  test('are a part of the cache writes, and change neither identity nor other counts', () => {
    expect(written1h({ tokens: { ...CLAUDE_TOKENS, cache_write_1h_tokens: 901 } })).toBe(900);
    expect(written1h({ tokens: { ...CLAUDE_TOKENS, cache_write_1h_tokens: -5 } })).toBe(0);
    expect(written1h({ tokens: { input_tokens: 5, cache_write_1h_tokens: 5 } })).toBe(0);
    const item = { timestamp: '2026-03-01T12:00:00Z', ...CLAUDE };
    const [told, untold] = [{ ...CLAUDE_TOKENS, cache_write_1h_tokens: 600 }, CLAUDE_TOKENS].map((tokens) => ({
      ...eventOf({ ...item, tokens }),
      raw_json: '',
    }));
    expect(told).toEqual({ ...untold, cache_write_1h_tokens: 600 } as never);
  });
});

const OUTSIDE = { input_tokens: 1000, output_tokens: 50, reasoning_tokens: 300, total_tokens: 1350 };
const BREAKDOWN = {
  schema_version: 2,
  quality: 'complete',
  total_tokens: 1350,
  input: { total_tokens: 1000, uncached_tokens: 1000, cache_read_tokens: 0, cache_write_tokens: 0 },
  output: { total_tokens: 350, non_reasoning_tokens: 50, reasoning_tokens: 300 },
  unclassified_tokens: 0,
};

function billed(item: object): number {
  return eventOf({ timestamp: '2026-03-01T12:00:00Z', ...item }).billable_output_tokens;
}

describe('billed output', () => {
  test.each([
    { provider: 'gemini', executor_type: 'GeminiExecutor' },
    { provider: 'gemini-interactions', executor_type: 'GeminiExecutor' },
    { provider: 'vertex', executor_type: 'GeminiVertexExecutor' },
    { provider: 'aistudio', executor_type: 'AIStudioExecutor' },
    { provider: 'antigravity', executor_type: 'AntigravityExecutor', model: 'claude-sonnet-4' },
    { provider: 'vertex' },
    { executor_type: 'AIStudioExecutor' },
    { auth_provider_snapshot: 'antigravity' },
    { model: 'gemini-3-pro' },
  ])('of %j is the same with and without a breakdown', (who) => {
    expect(billed({ ...who, tokens: OUTSIDE, token_breakdown: BREAKDOWN })).toBe(350);
    expect(billed({ ...who, tokens: OUTSIDE })).toBe(350);
    expect(billed({ ...who, tokens: { ...OUTSIDE, total_tokens: 0 } })).toBe(350);
    expect(billed({ ...who, tokens: { ...OUTSIDE, total_tokens: 1050 } })).toBe(50);
    expect(billed({ ...who, tokens: { ...OUTSIDE, output_tokens: -1, total_tokens: 1300 } })).toBe(300);
  });

  test.each([
    { provider: 'codex', executor_type: 'CodexExecutor' },
    { provider: 'claude', executor_type: 'ClaudeExecutor' },
    { provider: 'kimi', executor_type: 'KimiExecutor' },
    { provider: 'xai', executor_type: 'XAIExecutor' },
    { provider: 'openai-compatible-gemini', executor_type: 'OpenAICompatExecutor', model: 'gemini-3-pro' },
    { provider: 'openai-compatible-gemini', model: 'gemini-3-pro' },
    { provider: 'nobody', model: 'nothing' },
  ])('of %j has the reasoning inside, whatever the total', (who) => {
    expect(billed({ ...who, tokens: OUTSIDE })).toBe(50);
    expect(billed({ ...who, tokens: { ...OUTSIDE, total_tokens: 0 } })).toBe(50);
  });

  test('is inferred by every reader of older forms', () => {
    const who = { provider: 'gemini', executor_type: 'GeminiExecutor', model: 'gemini-3-pro' };
    const line = { ...who, event_hash: 'h', timestamp_ms: 1, timestamp: '1970-01-01T00:00:00.001Z', ...OUTSIDE };
    const record = readImportedRecord(line, context);
    if (record.kind !== 'event') throw new Error(record.error);
    expect(record.event.billable_output_tokens).toBe(350);
    const detail = { timestamp: '2026-03-01T12:00:00Z', executor_type: 'GeminiExecutor', tokens: OUTSIDE };
    const { events } = readLegacySnapshot(
      { 'POST /x': { models: { 'gemini-3-pro': { details: [detail] } } } },
      context,
    );
    expect(events[0]?.billable_output_tokens).toBe(350);
  });
});

describe('cached tokens in an object of details', () => {
  test.each(['prompt_tokens_details', 'promptTokensDetails', 'input_tokens_details', 'inputTokensDetails'])(
    '%s is read wherever tokens are',
    (name) => {
      const usage = { prompt_tokens: 900, completion_tokens: 10, [name]: { cached_tokens: 600 } };
      for (const item of [{ usage }, { tokens: usage }, usage, { tokens: { input_tokens: 900 }, usage }]) {
        expect(eventOf({ model: 'gpt-5', ...item })).toMatchObject({
          cached_tokens: 600,
          normalized_uncached_input_tokens: 300,
          normalized_cache_read_tokens: 600,
          token_quality: '',
        });
      }
    },
  );

  test('counts only where the record has no other cached count', () => {
    const details = { prompt_tokens_details: { cached_tokens: 600 } };
    expect(eventOf({ model: 'm', tokens: { input_tokens: 900, cached_tokens: 500, ...details } }).cached_tokens).toBe(
      500,
    );
    for (const value of [null, 7, [], {}, { cached_tokens: -3 }, { cached_tokens: 'x' }]) {
      expect(eventOf({ model: 'm', usage: { prompt_tokens: 9, prompt_tokens_details: value } }).cached_tokens).toBe(0);
    }
  });

  test('leaves the identity as it was', () => {
    const item = { timestamp: '2026-03-01T12:00:00Z', model: 'm', usage: { prompt_tokens: 900 } };
    const detailed = { ...item, usage: { prompt_tokens: 900, prompt_tokens_details: { cached_tokens: 600 } } };
    expect(eventOf(detailed).event_hash).toBe(eventOf(item).event_hash);
  });

  test('survives an export', () => {
    const usage = { prompt_tokens: 900, prompt_tokens_details: { cached_tokens: 600 } };
    const record = readImportedRecord(JSON.parse(exportLine(eventOf({ model: 'gpt-5', usage }))), context);
    if (record.kind !== 'event') throw new Error(record.error);
    expect(record.event).toMatchObject({ cached_tokens: 600, normalized_uncached_input_tokens: 300 });
  });
});

describe('more cached than input', () => {
  const tokens = { input_tokens: 100, output_tokens: 5, total_tokens: 105 };
  const codex = { model: 'gpt-5', provider: 'codex', executor_type: 'CodexExecutor' };

  test.each([
    { cached_tokens: 150 },
    { cache_tokens: 150 },
    { cache_read_tokens: 150, cached_tokens: 150 },
    { cache_read_tokens: 60, cache_creation_tokens: 60 },
    { input_tokens_details: { cached_tokens: 150 } },
  ])('%j marks the event, with and without a breakdown', (counts) => {
    const item = { ...codex, tokens: { ...tokens, ...counts } };
    expect(eventOf(item)).toMatchObject({ token_quality: 'inconsistent', normalized_uncached_input_tokens: 0 });
    const input = { total_tokens: 100, uncached_tokens: 100, cache_read_tokens: 0, cache_write_tokens: 0 };
    const output = { total_tokens: 5, non_reasoning_tokens: 5, reasoning_tokens: 0 };
    for (const quality of ['complete', 'unclassified', 'inconsistent']) {
      const token_breakdown = { schema_version: 2, quality, total_tokens: 105, input, output, unclassified_tokens: 0 };
      expect(eventOf({ ...item, token_breakdown }).token_quality).toBe('inconsistent');
    }
  });

  test('in the breakdown itself marks the event', () => {
    const token_breakdown = {
      ...BREAKDOWN,
      input: { total_tokens: 100, uncached_tokens: 0, cache_read_tokens: 150, cache_write_tokens: 0 },
    };
    expect(eventOf({ ...codex, tokens, token_breakdown }).token_quality).toBe('inconsistent');
  });

  test('is usual where the cache is outside the input', () => {
    const claude = { model: 'claude-sonnet-4', executor_type: 'ClaudeExecutor' };
    expect(eventOf({ ...claude, tokens: { ...tokens, cache_read_tokens: 8000 } }).token_quality).toBe('');
  });

  test('all of the input may be cached', () => {
    expect(eventOf({ ...codex, tokens: { ...tokens, cached_tokens: 100 } }).token_quality).toBe('');
  });
});
