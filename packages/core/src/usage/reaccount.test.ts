import { describe, expect, test } from 'bun:test';
import { enrich } from './enrich.ts';
import type { AccountSnapshotTable, UsageEvent } from './event.ts';
import { exportLine } from './export-line.ts';
import vectors from './fixtures/token-vectors.json';
import { readImportedRecord } from './import-record.ts';
import { isAccountingCandidate, reaccount } from './reaccount.ts';
import { context, eventOf } from './testing/context.ts';

const CLAUDE = {
  timestamp: '2026-03-01T12:00:00Z',
  provider: 'claude',
  executor_type: 'ClaudeExecutor',
  model: 'claude-sonnet-4',
  tokens: { input_tokens: 120, output_tokens: 40, cache_read_tokens: 8000, cache_creation_tokens: 500 },
};
const CODEX = {
  timestamp: '2026-03-01T12:00:00Z',
  provider: 'codex',
  executor_type: 'CodexExecutor',
  model: 'gpt-5',
  tokens: {
    input_tokens: 9000,
    output_tokens: 700,
    reasoning_tokens: 400,
    cached_tokens: 6000,
    cache_read_tokens: 6000,
  },
};
const BREAKDOWN = {
  schema_version: 2,
  quality: 'complete',
  input: { total_tokens: 9100, uncached_tokens: 3000, cache_read_tokens: 6000, cache_write_tokens: 100 },
  output: { total_tokens: 1100 },
  unclassified_tokens: 7,
};

/** Members as an older format wrote them. */
const DAMAGES: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ['no mode', { cache_input_mode: '' }],
  ['an unknown mode', { cache_input_mode: 'legacy' }],
  ['no buckets', bucketsOf(null)],
  ['empty buckets', bucketsOf(0)],
  ['nothing derived', { ...bucketsOf(null), cache_input_mode: '', billable_output_tokens: null, token_quality: null }],
];

function bucketsOf(value: number | null) {
  return {
    normalized_uncached_input_tokens: value,
    normalized_total_input_tokens: value,
    normalized_cache_read_tokens: value,
    normalized_cache_creation_tokens: value,
  };
}

function damaged(event: UsageEvent, members: Readonly<Record<string, unknown>>): UsageEvent {
  return { ...event, ...members } as UsageEvent;
}

describe('events as they are read today', () => {
  const items = [...vectors.raw_events.map(({ id, payload }) => [id, payload] as const), ['claude', CLAUDE] as const];

  test.each(items)('%s stays as it is', (_, item) => {
    const event = eventOf(item);
    expect(reaccount(event)).toBe(event);
  });

  test.each(items)('%s is restored, whatever is missing', (_, item) => {
    const event = eventOf(item);
    // A reported total is in the original; a derived one was the sum of the stored buckets.
    for (const [, members] of DAMAGES) {
      const found = reaccount(damaged(event, members));
      expect(found).toEqual({ ...event, total_tokens: found.total_tokens });
    }
  });
});

describe('the original decides', () => {
  test('an explicit mode, also inside a wrapper, wins over the stored one', () => {
    const event = eventOf({ ...CODEX, tokens: { ...CODEX.tokens, cache_input_mode: 'Separate_From_Input' } });
    expect(event.cache_input_mode).toBe('separate_from_input');
    const wrong = damaged(event, { cache_input_mode: 'included_in_input', normalized_uncached_input_tokens: 3000 });
    expect(reaccount(wrong)).toEqual(event);
    const wrapped = { ...wrong, raw_json: JSON.stringify({ raw_json: event.raw_json }) };
    expect(reaccount(wrapped).cache_input_mode).toBe('separate_from_input');
    expect(reaccount({ ...event, raw_json: '{}' }).cache_input_mode).toBe('included_in_input');
  });

  test('a breakdown: buckets, billable output and what is unclassified', () => {
    const event = eventOf({ ...CODEX, token_breakdown: BREAKDOWN });
    expect(event).toMatchObject({ normalized_total_input_tokens: 9100, billable_output_tokens: 1100 });
    const before = damaged(event, {
      normalized_total_input_tokens: 9000,
      normalized_cache_creation_tokens: 0,
      billable_output_tokens: 700,
      unclassified_tokens: 0,
      token_quality: '',
      total_tokens: 9000 + 700 + 400,
    });
    expect(reaccount(before)).toEqual(event);
  });

  test('the provider of the item, not an enriched one', () => {
    const event = eventOf({ ...CODEX, provider: '', executor_type: '', model: 'nobody-knows', auth_index: '7' });
    const snapshot = { account: 'a', label: '', file: '', provider: 'codex', projectId: '' };
    const table: AccountSnapshotTable = { fetchedAtMs: 1, byAuthIndex: { '7': snapshot } };
    const enriched = enrich(event, table);
    expect(enriched).toMatchObject({ auth_provider_snapshot: 'codex', cache_input_mode: 'separate_from_input' });
    expect(reaccount(enriched)).toBe(enriched);
  });

  test('that was cut proves nothing: the stored values stay', () => {
    const event = { ...eventOf({ ...CODEX, token_breakdown: BREAKDOWN }), raw_json: '{"alias":"...(truncated)' };
    expect(reaccount(event)).toBe(event);
    const unusable = damaged(event, { cache_input_mode: '', token_quality: '', ...bucketsOf(null) });
    expect(reaccount(unusable)).toMatchObject({
      cache_input_mode: 'included_in_input',
      normalized_total_input_tokens: 9000,
    });
  });
});

describe('the total', () => {
  const claude = eventOf(CLAUDE);
  const included = {
    cache_input_mode: 'included_in_input',
    normalized_uncached_input_tokens: 0,
    normalized_total_input_tokens: 120,
  };

  test.each([
    ['is corrected where it was the sum of the old buckets', { ...included, total_tokens: 160 }, 8660],
    ['is corrected where there were no buckets', { ...bucketsOf(null), total_tokens: 160 }, 8660],
    ['stays where it is another number', { ...included, total_tokens: 161 }, 161],
    ['stays where the original reports one', { ...included, total_tokens: 160, raw_json: '{"total_tokens":160}' }, 160],
    ['stays where there is no original', { ...included, total_tokens: 160, raw_json: '' }, 160],
  ])('%s', (_, members, total) => {
    const found = reaccount(damaged(claude, members));
    expect(found).toMatchObject({ normalized_total_input_tokens: 8620, cache_input_mode: 'separate_from_input' });
    expect(found.total_tokens).toBe(total);
    expect(reaccount(found)).toBe(found);
  });
});

test('an imported event keeps the values of its line', () => {
  const event = eventOf({ ...CODEX, token_breakdown: BREAKDOWN });
  const imported = readImportedRecord(JSON.parse(exportLine(event)), context);
  if (imported.kind !== 'event') throw new Error('an event expected');
  expect(imported.event.billable_output_tokens).toBe(1100);
  expect(reaccount(imported.event).billable_output_tokens).toBe(1100);
});

test.each([
  ['any of the four cache counts', { cached_tokens: 1 }, true],
  ['any of the four cache counts', { cache_tokens: 1 }, true],
  ['any of the four cache counts', { cache_read_tokens: 1 }, true],
  ['any of the four cache counts', { cache_creation_tokens: -1 }, true],
  ['a mode that is none', { cache_input_mode: 'Included_In_Input' }, true],
  ['a missing bucket', { normalized_cache_read_tokens: null }, true],
  ['nothing of it', {}, false],
])('an event with %s is looked at: %j', (_, members, expected) => {
  const event = eventOf({ ...CODEX, tokens: { input_tokens: 5 } });
  expect(isAccountingCandidate(damaged(event, members))).toBe(expected);
});
