import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { archiveLine } from '@manager/core/usage/archive-record';
import type { UsageEvent } from '@manager/core/usage/event';
import { exportLine } from '@manager/core/usage/export-line';
import { prepareForInsert } from '@manager/core/usage/insert';
import { readRecord } from '@manager/core/usage/record';
import fc from 'fast-check';
import { TEST_NOW_MS } from '../../../../events/testing/test-ingester.ts';
import { sha256Hex } from '../../../../platform/sha256.ts';
import { createTestFolder, type TestFolder } from '../../../../platform/testing/test-folder.ts';
import { readWhole } from './testing.ts';

let folder: TestFolder;
beforeAll(() => {
  folder = createTestFolder();
});
afterAll(() => folder.dispose());

const count = fc.oneof(fc.constant(0), fc.nat(400_000));
const text = fc.oneof(
  fc.constantFrom('', 'acme', 'claude-x', 'gpt-5.5', 'a{"b', 'é\u2028\n'),
  fc.string({ unit: 'binary' }),
);

/** Queue records of kinds that differ in what must be kept. */
const record = fc
  .record({
    timestamp: fc.date({ min: new Date('2024-01-01'), max: new Date('2027-01-01'), noInvalidDate: true }),
    provider: fc.constantFrom('codex', 'claude', 'gemini', 'openai-compatible-acme'),
    executor_type: fc.constantFrom('', 'CodexExecutor', 'ClaudeExecutor', 'OpenAICompatExecutor'),
    model: text,
    alias: text,
    source: fc.constantFrom('', 'river@example.test', 'sk-abcdefghijklmnopqrstuv'),
    request_id: fc.uuid(),
    auth_index: text,
    service_tier: fc.constantFrom('', 'auto', 'priority', 'flex'),
    response_service_tier: fc.constantFrom('', 'default', 'priority'),
    cache_input_mode: fc.constantFrom('', 'included_in_input', 'separate_from_input'),
    latency_ms: fc.option(count),
    ttft_ms: fc.option(count),
    failed: fc.boolean(),
    fail: fc.record({ status_code: fc.constantFrom(0, 429, 500), body: text }),
    tokens: fc.record({
      input_tokens: count,
      output_tokens: count,
      reasoning_tokens: count,
      cached_tokens: count,
      cache_read_tokens: count,
      cache_creation_tokens: count,
      total_tokens: count,
    }),
    response_headers: fc.constantFrom({}, { 'X-Codex-Plan-Type': ['plus'], 'Retry-After': ['30'] }),
  })
  .map((item) => ({ ...item, timestamp: item.timestamp.toISOString() }));

const events = fc.array(record.map(eventOf), { minLength: 1, maxLength: 8 });

function eventOf(item: object): UsageEvent {
  const outcome = readRecord(JSON.stringify(item), { nowMs: TEST_NOW_MS, sha256Hex });
  if (outcome.kind !== 'event') throw new Error(outcome.kind);
  return prepareForInsert(outcome.event).event;
}

function read(payload: string): readonly UsageEvent[] {
  const result = readWhole(folder, payload, 'one chunk');
  expect(result).toMatchObject({ refused: '', failed: 0 });
  return result.events;
}

describe('the records of one file', () => {
  test('are the same events in every arrangement', () => {
    fc.assert(
      fc.property(events, (stored) => {
        const lines = stored.map(exportLine);
        const expected = read(lines.join('\n'));
        const [first = '', ...rest] = lines;
        const spread = JSON.stringify(JSON.parse(first), null, 1);
        for (const payload of [
          `\ufeff${lines.join('\r\n')}\r\n`,
          `[${lines.join(' ,\n')}]`,
          JSON.stringify(
            lines.map((line) => JSON.parse(line)),
            null,
            2,
          ),
          [spread, ...rest].join('\n\n'),
        ]) {
          expect(read(payload)).toEqual(expected);
        }
      }),
    );
  });

  test('exported: exporting the read event gives the same line', () => {
    fc.assert(
      fc.property(events, (stored) => {
        const lines = stored.map(exportLine);
        expect(read(lines.join('\n')).map(exportLine)).toEqual(lines);
      }),
    );
  });

  test('archived: the events are the same in every member', () => {
    fc.assert(
      fc.property(events, (stored) => {
        expect(read(stored.map((event, index) => archiveLine(event, index + 1)).join('\n'))).toEqual([...stored]);
      }),
    );
  });

  test('of older programs: names in camel case, or missing members, give the same identity and counts', () => {
    const counted = (event: UsageEvent) => {
      // A total that was not reported depends on the mode, which they did not write.
      const { event_hash, timestamp_ms, input_tokens, output_tokens, reasoning_tokens, cache_read_tokens } = event;
      return { event_hash, timestamp_ms, input_tokens, output_tokens, reasoning_tokens, cache_read_tokens };
    };
    fc.assert(
      fc.property(events, (stored) => {
        const newer = stored.map(exportLine);
        const expected = read(newer.join('\n'));
        const older = newer.map((line) => JSON.stringify(withoutAdditions(JSON.parse(line))));
        expect(read(older.join('\n')).map(counted)).toEqual(expected.map(counted));
        const camel = newer.map((line) => JSON.stringify(inCamelCase(JSON.parse(line))));
        expect(read(camel.join('\n')).map(exportLine)).toEqual(newer);
      }),
    );
  });
});

const ADDITIONS = new Set([
  'cache_input_mode',
  'request_service_tier',
  'response_service_tier',
  'billable_output_tokens',
  'unclassified_tokens',
  'token_quality',
  'normalized_uncached_input_tokens',
  'normalized_total_input_tokens',
  'normalized_cache_read_tokens',
  'normalized_cache_creation_tokens',
]);

function withoutAdditions(line: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(line).filter(([name]) => !ADDITIONS.has(name)));
}

/** Our additions have one spelling. */
const ONE_SPELLING = new Set(
  [...ADDITIONS].filter((name) => /^(?:normalized|billable|unclassified|token_)/.test(name)),
);

function inCamelCase(line: Record<string, unknown>): Record<string, unknown> {
  const camel = (name: string) =>
    ONE_SPELLING.has(name) ? name : name.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());
  return Object.fromEntries(Object.entries(line).map(([name, value]) => [camel(name), value]));
}
