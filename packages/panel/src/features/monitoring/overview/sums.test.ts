import { describe, expect, test } from 'bun:test';
import type { Summary } from '@manager/core/contract/monitoring/sections';
import { questionKey } from '../../../platform/requests/request-filters.ts';
import { testEvent } from '../../../platform/requests/testing/events.ts';
import { headersOf } from '../drawer/newest-headers.ts';
import { relatedCounts, relatedOf } from '../drawer/related.ts';
import { runningOf } from '../list/running.ts';
import { parseViewPreferences } from '../list/view-preferences.ts';
import { correctedUrl, DEFAULT_MONITORING_SEARCH, readColumns } from '../monitoring-search.ts';
import { explainSum, SUM_NAMES } from './sum-explanation.ts';

const SUMS = {
  total_calls: 10,
  success_calls: 8,
  failure_calls: 2,
  success_rate: 0.8,
  input_tokens: 100,
  output_tokens: 20,
  cached_tokens: 5,
  cache_read_tokens: 30,
  cache_creation_tokens: 10,
  cache_hit_rate: 0.35,
  reasoning_tokens: 4,
  total_tokens: 120,
  total_cost: 1.5,
  average_cost_per_call: 0.15,
  zero_token_calls: 1,
  unpriced_calls: 3,
} as Summary;

describe('explanation of a sum', () => {
  test('its parts and the requests behind it', () => {
    const failed = explainSum('failed', SUMS);
    expect(failed.lines.map(({ value }) => value)).toEqual(['2', '10', '20.0%']);
    const search = { ...DEFAULT_MONITORING_SEARCH, tab: 'models', sort: 'cost' } as const;
    expect(failed.filter(search)).toEqual({ ...DEFAULT_MONITORING_SEARCH, status: 'failed' });
    expect(explainSum('cost', SUMS).lines.map(({ value }) => value)).toEqual(['7', '3', '≥$0.150', '≥$1.500']);
    expect(explainSum('input', SUMS).lines.map(({ value }) => value)).toEqual(['55', '30', '10', '5', '100']);
    expect(explainSum('cached', SUMS).filter(search).cache).toBe('hit');
  });

  test('every sum has an answer, also over nothing', () => {
    for (const name of SUM_NAMES) {
      const explanation = explainSum(name, { ...SUMS, total_calls: 0, success_rate: 0, input_tokens: 0 });
      expect(explanation.lines.every(({ value }) => value !== '' && !value.includes('NaN'))).toBe(true);
    }
  });
});

describe('how requests of one source went', () => {
  test('by row, oldest outcome first, at most five', () => {
    const rows = [
      testEvent(4, { failed: true, account_snapshot: 'a' }),
      testEvent(3, { account_snapshot: 'b' }),
      testEvent(2, { account_snapshot: 'a' }),
      testEvent(1, { failed: true, account_snapshot: 'a' }),
    ];
    const running = runningOf(rows);
    expect(running.get('h4')).toEqual({ recent: [true, false, true], calls: 3, failed: 2 });
    expect(running.get('h1')).toEqual({ recent: [true], calls: 1, failed: 1 });
    expect(running.get('h3')?.calls).toBe(1);
    const many = Array.from({ length: 9 }, (_, index) => testEvent(9 - index, { account_snapshot: 'a' }));
    expect(runningOf(many).get('h9')?.recent.length).toBe(5);
  });
});

describe('what is around a request', () => {
  const event = testEvent(1, {
    account_snapshot: 'Ops',
    api_key_hash: '0f',
    header_trace_id: 'trace-1',
    analytics_model: 'alpha-1',
  });

  test('has a link for each thing that they share', () => {
    expect(relatedOf(event).map(({ kind }) => kind)).toEqual(['account', 'key', 'model', 'trace']);
    expect(relatedOf(testEvent(1)).map(({ kind }) => kind)).toEqual(['model']);
    expect(relatedOf(event)[3]?.search.range.name).toBe('all');
  });

  test('is counted out of one answer', () => {
    const row = { calls: 5, failure_calls: 2 };
    const answer = {
      account_stats: [
        { ...row, account_snapshot: 'ops' },
        { ...row, account_snapshot: 'other', auth_indices: ['OPS'] },
        { ...row, account_snapshot: 'third' },
      ],
      api_key_stats: [{ ...row, api_key_hash: '0f' }],
    };
    expect(relatedCounts(answer as never, event)).toEqual({
      account: { calls: 10, failed: 4 },
      key: { calls: 5, failed: 2 },
      model: { calls: 0, failed: 0 },
    });
  });

  test('headers of another provider are ignored', () => {
    const own = { event_hash: 'x', timestamp_ms: 1, auth_index: 'i1', auth_provider_snapshot: 'codex' };
    const of = (provider: string) => testEvent(1, { auth_index: 'i1', auth_provider_snapshot: provider });
    expect(headersOf([own], of('codex'))).toBe(own);
    expect(headersOf([own], of('xai'))).toBeNull();
    expect(headersOf([], of('codex'))).toBeNull();
  });
});

describe('display of the table', () => {
  test('columns are those that exist, in the order of the table', () => {
    expect(readColumns('trace,time,nonsense,cost')).toEqual(['time', 'cost', 'trace']);
    expect(readColumns('nonsense')).toBeNull();
    expect(readColumns(undefined)).toBeNull();
  });

  test('stored choices are read as far as they are valid', () => {
    expect(parseViewPreferences({ live: { columns: 'cost,time' } })).toEqual({ columns: ['time', 'cost'] });
    expect(parseViewPreferences('broken')).toEqual({ columns: null });
  });

  test('is not part of the question, and an invalid address is corrected', () => {
    const other = { ...DEFAULT_MONITORING_SEARCH, tab: 'keys', columns: ['time'], density: 'comfortable' } as const;
    expect(questionKey(other)).toBe(questionKey(DEFAULT_MONITORING_SEARCH));
    expect(correctedUrl({ tab: ['keys'], other: ['1'] })).toBeNull();
    expect(correctedUrl({ tab: ['nowhere'], status: ['failed'], other: ['1'] })).toEqual({
      status: ['failed'],
      other: ['1'],
    });
  });
});
