import { describe, expect, test } from 'bun:test';
import type { AnalyticsResponse, FailureRow } from '@manager/core/contract/monitoring/analytics';
import type { AccountStats, ApiKeyStats, Summary } from '@manager/core/contract/monitoring/sections';
import { createMasker, PLAIN } from '../../../platform/format/mask.ts';
import { accountName } from '../../../platform/requests/account-names.ts';
import { DEFAULT_MONITORING_SEARCH } from '../monitoring-search.ts';
import { failureGroups } from './failure-groups.ts';
import { detailText, failureColumns } from './failure-table.tsx';
import { accountLines, keyLines } from './line.ts';
import { lineName } from './names.ts';

const sums = {
  calls: 3,
  success_calls: 2,
  failure_calls: 1,
  success_rate: 2 / 3,
  input_tokens: 10,
  output_tokens: 5,
  cached_tokens: 1,
  cache_read_tokens: 2,
  cache_creation_tokens: 0,
  total_tokens: 15,
  cost: 0.5,
  average_latency_ms: 900,
  last_seen_ms: 1_770_000_000_000,
};
const model = { model: 'alpha-1', ...sums, cache_hit_tokens: 3, cache_hit_input_tokens: 10, cache_hit_rate: 0.3 };
const account: AccountStats = {
  id: 'a1',
  account_snapshot: 'ops@example.com',
  auth_provider_snapshot: 'codex',
  auth_indices: ['i1', 'i2'],
  ...sums,
  models: [model, { ...model, model: '-' }],
};

function answer(change: Partial<AnalyticsResponse>): AnalyticsResponse {
  return { generated_at_ms: 0, granularity: 'hour', summary: { failure_calls: 4 } as Summary, ...change };
}

describe('rows of accounts and keys', () => {
  test('lead to their own requests, and no address holds the name of an account', () => {
    const [line] = accountLines(answer({ account_stats: [account] }));
    const search = line?.filter?.(DEFAULT_MONITORING_SEARCH);
    expect(search?.lists.provider).toEqual(['codex']);
    const [token = ''] = search?.lists.account ?? [];
    expect(token).not.toContain('ops');
    expect(accountName(token)).toBe('ops@example.com');
    const below = line?.below.map((child) => child.filter?.(DEFAULT_MONITORING_SEARCH).lists.model ?? null);
    expect(below).toEqual([['alpha-1'], null]);
  });

  test('without a name are found by their indices', () => {
    const nameless: AccountStats = { id: 'a2', auth_indices: ['i1', 'i2'], ...sums };
    const [line] = accountLines(answer({ account_stats: [nameless] }));
    expect(line?.filter?.(DEFAULT_MONITORING_SEARCH).lists.auth_index).toEqual(['i1', 'i2']);
    const unknown: AccountStats = { id: '-', ...sums };
    expect(accountLines(answer({ account_stats: [unknown] }))[0]?.filter).toBeNull();
  });

  test('a key keeps its alias after it was cleared, and what used it stands below', () => {
    const key: ApiKeyStats = {
      id: 'k1',
      api_key_hash: '0f'.repeat(32),
      ...sums,
      models: [model],
      contexts: [{ ...sums, failure_rate: 1 / 3, id: 'c1', account_snapshot: 'ops@example.com', auth_index: 'i1' }],
    };
    const lines = keyLines(answer({ api_key_stats: [key, { ...key, id: 'k2', api_key_hash: '' }] }));
    const aliases = new Map([[key.api_key_hash, 'ci-runner']]);
    const names = { t: (key: string) => key, masker: createMasker(), aliases, keys: new Map<string, string>() };
    expect(lines[0]?.below.map((line) => line.source.kind)).toEqual(['model', 'context']);
    expect(lines.slice(0, 1).map((line) => lineName(line, names))).toEqual([{ main: 'ci-runner', aside: '#0f0f0f0f' }]);
    const present = { ...names, keys: new Map([[key.api_key_hash, 'sk-0123456789abcdef']]) };
    expect(lines.slice(0, 1).map((line) => lineName(line, present).aside)).toEqual(['sk…ef']);
    expect(lines[1]?.filter).toBeNull();
    const [, context] = lines[0]?.below ?? [];
    expect(context === undefined ? '' : lineName(context, names).main).toBe('ops***@example.com');
    expect(context === undefined ? '' : lineName(context, { ...names, masker: PLAIN }).main).toBe('ops@example.com');
    expect(context?.filter?.(DEFAULT_MONITORING_SEARCH).lists.api_key_hash).toEqual([key.api_key_hash]);
  });
});

test('requests without a client key are one row, by account below', () => {
  const keyed: ApiKeyStats = { id: 'k1', api_key_hash: '0f'.repeat(32), ...sums };
  const one: ApiKeyStats = {
    id: 'u1',
    api_key_hash: '',
    account_snapshot: 'ops@example.com',
    ...sums,
    unpriced_calls: 2,
  };
  const other: ApiKeyStats = { id: 'u2', api_key_hash: '', auth_indices: ['i7'], ...sums, last_seen_ms: 9 };
  const lines = keyLines(answer({ api_key_stats: [one, keyed, other] }));
  expect(lines.map(({ source }) => source.kind)).toEqual(['key', 'no key']);
  const [, line] = lines;
  expect(line).toMatchObject({
    ...{ calls: 6, failed: 2, tokens: 30, cost: 1, unpriced: 2, input: 20, output: 10, cached: 6, hitRate: 0.3 },
    ...{ latencyMs: null, lastSeenMs: sums.last_seen_ms, filter: null },
  });
  const names = { t: (key: string) => key, masker: PLAIN, aliases: new Map(), keys: new Map<string, string>() };
  expect([line, ...(line?.below ?? [])].map((row) => (row === undefined ? '' : lineName(row, names).main))).toEqual([
    ...['analytics.noKey', 'ops@example.com', 'i7'],
  ]);
  expect(keyLines(answer({ api_key_stats: [other] }))[0]).toMatchObject({ latencyMs: 900, calls: 3 });
});

test('what an answer leaves out is summed up below its row', () => {
  const half = { ...sums, calls: 1, success_calls: 1, failure_calls: 0, total_tokens: 4, cost: 0.25 };
  const key: ApiKeyStats = {
    id: 'k1',
    api_key_hash: '0f'.repeat(32),
    ...sums,
    models: [{ ...model, ...half }],
    models_total: 31,
    contexts: [],
    contexts_total: 2,
  };
  const [line] = keyLines(answer({ api_key_stats: [key] }));
  const rest = line?.below.filter(({ source }) => source.kind === 'rest') ?? [];
  expect(rest.map(({ source }) => source)).toEqual([
    { kind: 'rest', of: 'models', count: 30 },
    { kind: 'rest', of: 'accounts', count: 2 },
  ]);
  expect(rest.map(({ calls, tokens, cost, filter }) => ({ calls, tokens, cost, filter }))).toEqual([
    { calls: sums.calls - 1, tokens: sums.total_tokens - 4, cost: sums.cost - 0.25, filter: null },
    { calls: sums.calls, tokens: sums.total_tokens, cost: sums.cost, filter: null },
  ]);
  expect(accountLines(answer({ account_stats: [{ id: 'a', ...sums, models: [model] }] }))[0]?.below.length).toBe(1);
});

const failure = (change: Partial<FailureRow>): FailureRow => ({
  timestamp_ms: 1_770_000_000_000,
  model: 'alpha-1',
  api_key_hash: '',
  source_hash: 's1',
  auth_index: 'i1',
  endpoint: '',
  duration_ms: 100,
  ...change,
});

describe('failures in groups', () => {
  const rows = [
    failure({ fail_status_code: 429, header_error_kind: 'rate' }),
    failure({ fail_status_code: 401, header_error_kind: 'auth', source_hash: 's2', account_snapshot: 'b' }),
    failure({ fail_status_code: 429, header_error_code: 'too_many' }),
  ];
  const one = answer({
    recent_failures: rows,
    failure_sources: [
      { source_hash: 's1', auth_index: 'i1', calls: 9, failure: 3, last_seen_ms: 5, average_latency_ms: null },
    ],
    model_stats: [
      { ...model, calls: 9, failure_calls: 4 },
      { ...model, model: 'beta', failure_calls: 0 },
    ],
  });

  test('name an account without a name by its source, like every other list, before its index', () => {
    const named = answer({ recent_failures: [failure({ source: 'm:key-...9000' })] });
    expect(failureGroups(named, 'cause').lines[0]?.below[0]?.name).toMatchObject({
      account: '',
      source: 'm:key-...9000',
    });
    const unnamed = answer({ recent_failures: [failure({})] });
    expect(failureGroups(unnamed, 'cause').lines[0]?.below[0]?.name).toMatchObject({ account: '', source: 'i1' });
  });

  test('by cause say what to do, and that they are the newest only', () => {
    const groups = failureGroups(one, 'cause');
    expect(
      groups.lines.map(({ name, failed, models }) => [name.kind === 'cause' && name.cause, failed, models]),
    ).toEqual([
      ['cause.rate', 2, 1],
      ['cause.signIn', 1, 1],
    ]);
    expect(groups).toMatchObject({ counted: 3, total: 4 });
    expect(groups.lines[0]?.below.length).toBe(2);
    const [newest] = groups.lines[0]?.below ?? [];
    expect(newest?.filter?.(DEFAULT_MONITORING_SEARCH)).toMatchObject({
      status: 'failed',
      range: { name: 'custom', fromMs: 1_770_000_000_000, toMs: 1_770_000_000_001 },
    });
  });

  test('by account and model are those that the server counted', () => {
    expect(failureGroups(one, 'account')).toMatchObject({ counted: 4, total: 4, lines: [{ failed: 3 }] });
    const told = failureGroups(one, 'account').lines.map((line) =>
      detailText(line, { t: (key) => key, masker: PLAIN }),
    );
    expect(told).toEqual(['alpha-1 · cause.rate']);
    const [failure] = failureGroups(one, 'account').lines[0]?.below ?? [];
    if (failure === undefined) throw new Error('no failure stands below the account');
    expect(detailText(failure, { t: (key) => key, masker: PLAIN })).toBe('alpha-1 · 100 ms · cause.rate');
    const context = { t: (key: string) => key, masker: PLAIN, zone: 'UTC', locale: 'en', counted: 4, onShow: () => {} };
    const failed = failureColumns('account', context).find(({ id }) => id === 'failed');
    expect(failed?.cell(failure)).toBe('');
    const models = failureGroups(one, 'model').lines;
    expect(models.map(({ id, failed }) => [id, failed])).toEqual([['alpha-1', 4]]);
    expect(models[0]?.filter?.(DEFAULT_MONITORING_SEARCH)).toMatchObject({
      status: 'failed',
      lists: { model: ['alpha-1'] },
    });
  });

  test('by kind and code lead to their filter; without one there is none', () => {
    const kinds = failureGroups(one, 'kind').lines;
    expect(kinds.map(({ id, filter }) => [id, filter?.(DEFAULT_MONITORING_SEARCH).lists.error_kind ?? null])).toEqual([
      ['rate', ['rate']],
      ['auth', ['auth']],
      ['', null],
    ]);
    const codes = failureGroups(one, 'code').lines;
    expect(codes.map(({ id, filter }) => [id, filter === null])).toEqual([
      ['429', true],
      ['401', true],
      ['too_many', false],
    ]);
  });

  test('an answer that was broken off is named so, not by its status', () => {
    const broken = answer({ recent_failures: [failure({ fail_status_code: 200 })] });
    for (const by of ['cause', 'code'] as const) {
      expect(failureGroups(broken, by).lines[0]?.name).toMatchObject({ kind: 'cause', cause: 'cause.brokenOff' });
    }
  });
});
