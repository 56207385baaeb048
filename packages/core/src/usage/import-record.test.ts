import { describe, expect, test } from 'bun:test';
import { detectImportFormat, readImportedRecord } from './import-record.ts';
import { context } from './testing/context.ts';

test('a usage object with the tokens of one request is a raw record', () => {
  for (const usage of [{ input_tokens: 1 }, { completionTokens: 2 }, { cache_read_input_tokens: 0 }]) {
    expect(detectImportFormat({ usage }).kind).toBe('records');
  }
});

test('totals and request counts alone cannot be imported', () => {
  for (const first of [
    { usage: { total_tokens: 5 } },
    { usage: {} },
    { usage: { apis: {} } },
    { success_count: 1 },
    { apis: {}, failure_count: 0 },
  ]) {
    expect(detectImportFormat(first).kind).toBe('aggregates_only');
  }
});

test('anything else is read record by record', () => {
  for (const first of [undefined, null, 'x', [], {}, { usage: null, model: 'm' }, { apis: [] }]) {
    expect(detectImportFormat(first)).toEqual({ kind: 'records', format: 'usage_service_jsonl' });
  }
});

describe('a record without an identity', () => {
  const read = (value: unknown) => readImportedRecord(value, context);

  test('is a request when it has a time, a model, a request id or tokens', () => {
    for (const value of [
      { timestamp: '2026-01-01T00:00:00Z' },
      { request_time: 1_788_000_000 },
      { alias: 'm' },
      { modelName: 'm' },
      { requestId: 'r' },
      { tokens: { input_tokens: 0 } },
      { usage: { completionTokens: 3 } },
      { totalTokens: 9 },
    ]) {
      expect(read(value).kind).toBe('event');
    }
  });

  test('is not a request when it has none of these', () => {
    for (const value of [
      {},
      { hello: 'world' },
      { prices: { m: { prompt: 1 } } },
      { refresh: true },
      { model: '', timestamp: null, id: {}, tokens: {}, usage: { input_tokens: null } },
      { eventHash: ' ', provider: 'codex' },
    ]) {
      expect(read(value)).toEqual({
        kind: 'failed',
        error: 'not a usage event: no event_hash, time, model, request id or tokens',
      });
    }
  });
});

describe('an exported event', () => {
  const read = (members: object) => readImportedRecord({ event_hash: 'h', model: 'm', ...members }, context);

  test('with an unreadable time is not stored as of today', () => {
    for (const time of [
      { timestamp_ms: 0 },
      { timestamp_ms: 253_402_300_800_000 },
      { timestampMs: 1e300 },
      { timestamp: 'yesterday' },
      { timestamp_ms: Number.MAX_SAFE_INTEGER, timestamp: 'later' },
    ]) {
      expect(read(time)).toEqual({ kind: 'failed', error: 'timestamp: cannot be read' });
    }
  });

  test('keeps a time that is readable in one of its members', () => {
    for (const time of [
      { timestamp_ms: 1_767_225_600_000 },
      { timestamp_ms: 0, timestamp: '1970-01-01T00:00:00Z' },
      { timestamp: '2026-01-01T00:00:00Z' },
      {},
    ]) {
      expect(read(time).kind).toBe('event');
    }
  });

  test('has an identity of whole characters', () => {
    expect(readImportedRecord({ event_hash: '\ud800', timestamp_ms: 1_767_225_600_000 }, context).kind).toBe('failed');
  });
});
