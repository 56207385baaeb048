import { expect, test } from 'bun:test';
import { detectImportFormat } from './import-record.ts';

test('a usage object with token counts of one request is a raw record', () => {
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
