import { expect, test } from 'bun:test';
import { createMasker, PLAIN } from '@manager/core/masking/mask';
import { createPriceBook } from '@manager/core/pricing/price-book';
import { rowCost } from '@manager/core/pricing/row-cost';
import { createZone } from '@manager/core/time/zones';
import type { UsageEvent } from '@manager/core/usage/event';
import { readImportedRecord } from '@manager/core/usage/import-record';
import { context, eventOf } from '@manager/core/usage/testing/context';
import { sampleRecords } from '../../../events/testing/sample-records.ts';
import { eventRow } from '../../../facts/answers/event-row.ts';
import { requestLine } from './request-line.ts';

const zone = createZone('UTC');
const price = { prompt: 3, completion: 15, cache: 0.3, cacheRead: 0.3, cacheCreation: 3.75 };

const item = (executor_type: string, provider: string, model: string, tokens: object) =>
  eventOf({ timestamp: '2026-03-01T12:00:00Z', executor_type, provider, model, endpoint: 'POST /v1/x', tokens });
const events: UsageEvent[] = [
  item('ClaudeExecutor', 'claude', 'claude-opus-4-6', {
    input_tokens: 659,
    output_tokens: 80,
    cache_read_tokens: 11_648,
    cache_creation_tokens: 500,
    total_tokens: 12_887,
  }),
  // Cached beyond what is read.
  item('ClaudeExecutor', 'claude', 'claude-opus-4-6', {
    input_tokens: 10,
    output_tokens: 1,
    cached_tokens: 900,
    cache_read_tokens: 600,
  }),
  item('CodexExecutor', 'codex', 'gpt-5', {
    input_tokens: 9_000,
    output_tokens: 50,
    cached_tokens: 6_000,
    total_tokens: 9_050,
  }),
  // Reasoning beside the output, and more cached than there was.
  item('GeminiExecutor', 'gemini', 'gemini-3-pro', {
    input_tokens: 1_000,
    output_tokens: 50,
    reasoning_tokens: 300,
    total_tokens: 1_350,
  }),
  item('CodexExecutor', 'codex', 'gpt-5', { input_tokens: 100, output_tokens: 5, cached_tokens: 700 }),
  item('UnknownExecutor', '', 'mystery', { input_tokens: 7, output_tokens: 5, cache_creation_tokens: 3 }),
];
const next = sampleRecords({ seed: 4 });
for (let index = 0; index < 200; index++) events.push(eventOf(JSON.parse(next()) as object));

/** What is billed and shown of the tokens. */
const countsOf = (event: UsageEvent) => {
  const { input_tokens, output_tokens, cached_tokens, cache_read_tokens, cache_creation_tokens, ...rest } =
    eventRow(event);
  return {
    ...{ input_tokens, output_tokens, cached_tokens, cache_read_tokens, cache_creation_tokens },
    ...{ reasoning: rest.reasoning_tokens, total: rest.total_tokens, hour: rest.cache_write_1h_tokens },
    uncached: event.normalized_uncached_input_tokens,
    totalInput: event.normalized_total_input_tokens,
    read: event.normalized_cache_read_tokens,
    creation: event.normalized_cache_creation_tokens,
    output: event.billable_output_tokens,
  };
};

test.each([PLAIN, createMasker()])('an import of the lines has the counts and costs of the requests', (masker) => {
  const book = createPriceBook(Object.fromEntries(events.map(({ model }) => [model, price])));
  for (const event of events) {
    const line = requestLine(eventRow(event), { format: 'jsonl', zone, book, masker });
    const imported = readImportedRecord(JSON.parse(line), context);
    if (imported.kind !== 'event') throw new Error(imported.error);
    expect(countsOf(imported.event)).toEqual(countsOf(event));
    expect(rowCost(book, eventRow(imported.event))).toBe(rowCost(book, eventRow(event)));
  }
});
