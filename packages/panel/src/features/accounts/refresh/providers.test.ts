import { describe, expect, test } from 'bun:test';
import type { ApiCallRequest, ProbeAnswer } from '@manager/core/accounts/api-call';
import { parseJson } from '@manager/core/json/json';
import { account, NOW } from '../../../platform/accounts/testing/accounts.ts';
import type { Ask } from './ask.ts';
import { askQuota, canAskQuota } from './ask-provider.ts';
import { consumeCredit } from './codex.ts';

/** Answers by part of the address; other requests fail at the gateway. */
function provider(answers: Readonly<Record<string, object | number>>): {
  readonly ask: Ask;
  readonly asked: ApiCallRequest[];
} {
  const asked: ApiCallRequest[] = [];
  const ask: Ask = async (request): Promise<ProbeAnswer> => {
    asked.push(request);
    const found = Object.entries(answers).find(([part]) => request.url.includes(part))?.[1];
    if (found === undefined) return { kind: 'transport_error', error: 'not reached' };
    if (typeof found === 'number') return { kind: 'answered', statusCode: found, body: '{"error":"no"}', json: null };
    const body = JSON.stringify(found);
    return { kind: 'answered', statusCode: 200, body, json: parseJson(body) as never };
  };
  return { ask, asked };
}

const of = (name: string, change: object = {}) => account({ provider: name, ...change });
const observe = (ask: Ask, name: string, change: object = {}) => askQuota(ask, of(name, change), () => NOW, 'o-1');
const END = '2026-09-01T14:00:00Z';
const END_MS = Date.parse(END);

describe('the quota of a Codex account', () => {
  const usage = {
    plan_type: 'plus',
    rate_limit: {
      allowed: true,
      primary_window: { used_percent: 37, limit_window_seconds: 18_000, reset_at: END_MS / 1000 },
      secondary_window: { used_percent: 12, limit_window_seconds: 604_800, reset_after_seconds: 60 },
    },
    additional_rate_limits: [
      {
        limit_name: 'GPT-5.3-Codex-Spark',
        metered_feature: 'codex_spark',
        rate_limit: { primary_window: { used_percent: 5, limit_window_seconds: 604_800 } },
      },
    ],
  };

  test('is all its windows, with plan and reset credits', async () => {
    const credits = {
      available_count: 1,
      credits: [
        { id: 'c1', status: 'available', expires_at: END },
        { id: 'c2', status: 'used' },
      ],
    };
    const { ask } = provider({ '/usage': usage, 'reset-credits': credits });
    const entry = await observe(ask, 'codex');
    expect(entry).toMatchObject({
      provider: 'codex',
      account: { auth_file_snapshot: 'codex-0.json', auth_index: 'index-0' },
      observation: {
        source: 'api_query',
        inventory_scope_key: 'codex:rate-limits',
        inventory_mode: 'complete',
        observed_at_ms: NOW,
      },
    });
    const [five, week, spark] = entry?.windows ?? [];
    expect(five).toMatchObject({
      provider_window_id: 'five-hour',
      window_mode: 'fixed',
      boundary_accuracy: 'exact',
      cycle_end_ms: END_MS,
      used_percent: 37,
      plan_type: 'plus',
      reset_credits_available: 1,
      reset_credits: [{ id: 'c1', expires_at_ms: END_MS }],
      relationship_kind: 'concurrent_subwindow',
      container_provider_window_id: 'weekly',
    });
    expect(week).toMatchObject({ boundary_accuracy: 'derived', cycle_end_ms: NOW + 60_000 });
    expect(spark).toMatchObject({ model_scope_kind: 'models', model_ids: ['gpt-5.3-codex-spark'] });
    expect(spark).not.toHaveProperty('reset_credits_available');
  });

  test('works without credits in the answer', async () => {
    const { ask } = provider({ '/usage': usage, 'reset-credits': 500 });
    expect((await observe(ask, 'codex'))?.windows?.[0]).not.toHaveProperty('reset_credits');
  });

  test('that the provider refuses is an error with its status', async () => {
    const { ask } = provider({ '/usage': 401 });
    await expect(observe(ask, 'codex')).rejects.toMatchObject({ name: 'QuotaError', status: 401 });
  });

  test('a used credit is requested once, under its own id', async () => {
    const { ask, asked } = provider({ consume: {} });
    await consumeCredit(ask, of('codex'), 'id-1');
    expect(asked).toMatchObject([{ method: 'POST', data: '{"redeem_request_id":"id-1"}' }]);
  });
});

describe('the quota of a Claude account', () => {
  const usage = {
    five_hour: { utilization: 41, resets_at: END },
    seven_day: { utilization: 18.5, resets_at: END },
    seven_day_opus: null,
    seven_day_sonnet: { utilization: 9, resets_at: END },
    extra_usage: { is_enabled: true, monthly_limit: 100, used_credits: 25, utilization: 25 },
    limits: [
      { kind: 'session', utilization: 99 },
      { kind: 'weekly_scoped', percent: 4, resets_at: END, scope: { model: { display_name: 'Opus 4' } } },
    ],
  };

  test('is its windows, and the plan of the profile', async () => {
    const { ask, asked } = provider({ '/usage': usage, '/profile': { account: { has_claude_max: true } } });
    const entry = await observe(ask, 'claude');
    expect(asked.every(({ header }) => header['anthropic-beta'] === 'oauth-2025-04-20')).toBe(true);
    expect(entry?.observation).toMatchObject({
      inventory_scope_key: 'claude:quota-windows',
      inventory_mode: 'complete',
    });
    expect(
      entry?.windows?.map((window) => [window.provider_window_id, window.model_scope_kind, window.used_percent]),
    ).toEqual([
      ['five-hour', 'all', 41],
      ['seven-day', 'all', 18.5],
      ['seven-day-sonnet', 'feature', 9],
      ['weekly-scoped-opus-4', 'feature', 4],
      ['extra-usage', 'product', 25],
    ]);
    expect(entry?.windows?.[0]).toMatchObject({ plan_type: 'max', cycle_end_ms: END_MS, duration_seconds: 18_000 });
  });

  test('is filled from the list of limits where the members are missing', async () => {
    const { ask } = provider({ '/usage': { limits: usage.limits }, '/profile': 500 });
    expect((await observe(ask, 'claude'))?.windows?.[0]).toMatchObject({
      provider_window_id: 'five-hour',
      used_percent: 99,
    });
  });
});

describe('the quota of an Antigravity account', () => {
  const groups = {
    groups: [
      {
        displayName: 'Gemini models',
        buckets: [{ bucketId: 'g-5h', window: '5h', remainingFraction: 0.62, resetTime: END }],
      },
      {
        displayName: 'Claude and GPT',
        buckets: [{ bucketId: 'c-7d', window: '7d', remainingFraction: 1, resetTime: END }],
      },
    ],
  };

  test('is reported by families', async () => {
    const { ask, asked } = provider({
      retrieveUserQuotaSummary: groups,
      loadCodeAssist: { paidTier: { id: 'g1-pro' } },
    });
    const entry = await observe(ask, 'antigravity', { project_id: 'p-1' });
    expect(asked[0]).toMatchObject({ method: 'POST', data: '{"project":"p-1"}' });
    expect(entry?.windows).toMatchObject([
      {
        provider_window_id: 'gemini-models:g-5h',
        model_scope_key: 'gemini',
        used_percent: 38,
        duration_seconds: 18_000,
        plan_type: 'g1-pro',
      },
      { provider_window_id: 'claude-and-gpt:c-7d', model_scope_key: 'claude_gpt', used_percent: 0 },
    ]);
  });

  test('is requested at the next host, and reported by models last', async () => {
    const models = { models: { 'gemini-3-pro': { quotaInfo: { remainingFraction: 0.5, resetTime: END } }, other: {} } };
    const { ask, asked } = provider({ fetchAvailableModels: models });
    const entry = await observe(ask, 'antigravity');
    expect(asked.filter(({ url }) => url.endsWith('retrieveUserQuotaSummary'))).toHaveLength(3);
    expect(entry?.observation?.inventory_mode).toBe('partial');
    expect(entry?.windows).toMatchObject([
      { model_scope_kind: 'models', model_ids: ['gemini-3-pro'], used_percent: 50 },
    ]);
  });
});

test('the quota of a Kimi account has amounts, and a stated reset before a relative one', async () => {
  const { ask } = provider({
    usages: {
      usage: { used: '120', limit: '1000', remaining: '880', resetTime: END, reset_in: 5 },
      limits: [
        {
          window: { duration: 300, timeUnit: 'TIME_UNIT_MINUTE' },
          detail: { limit: '200', remaining: '190', ttl: 60 },
        },
      ],
    },
  });
  expect((await observe(ask, 'kimi'))?.windows).toMatchObject([
    {
      provider_window_id: 'summary',
      used_percent: 12,
      used_value: 120,
      limit_value: 1000,
      cycle_end_ms: END_MS,
      boundary_accuracy: 'exact',
    },
    {
      provider_window_id: 'limit-0',
      used_percent: 5,
      duration_seconds: 18_000,
      cycle_end_ms: NOW + 60_000,
      boundary_accuracy: 'derived',
    },
  ]);
});

describe('the quota of an xAI account', () => {
  test('is its week, its month and its products', async () => {
    const { ask } = provider({
      'format=credits': {
        config: {
          currentPeriod: { type: 'WEEKLY', start: '2026-08-25T14:00:00Z', end: END },
          creditUsagePercent: 12.5,
          productUsage: [{ product: 'Build', usagePercent: 3 }],
        },
      },
      '/billing': { config: { monthlyLimit: { val: 3000 }, used: { val: 450 }, billingPeriodEnd: END } },
    });
    expect((await observe(ask, 'x-ai'))?.windows).toMatchObject([
      { provider_window_id: 'credits-period', used_percent: 12.5, cycle_end_ms: END_MS, duration_seconds: 604_800 },
      { provider_window_id: 'billing', used_percent: 15, used_value: 4.5, limit_value: 30 },
      { provider_window_id: 'product-0-build', model_scope_kind: 'product' },
    ]);
  });

  test('is null where only the identity is known', async () => {
    const { ask } = provider({ '/billing': 403, '/me': { user_id: 'u' } });
    expect(await observe(ask, 'xai')).toMatchObject({ windows: [], observation: { inventory_mode: 'complete' } });
  });
});

describe('an answer with status 200 and without any quota', () => {
  test.each([
    ['codex', { '/usage': { status: 'maintenance' } }],
    ['claude', { '/usage': { status: 'maintenance' }, '/profile': { account: { has_claude_max: true } } }],
    ['kimi', { '/usages': { usage: {}, limits: [{ window: { duration: 5 } }] } }],
    ['antigravity', { retrieveUserQuotaSummary: { groups: [] }, fetchAvailableModels: { models: {} } }],
    ['xai', { '/billing': { status: 'maintenance' } }],
  ])('refreshes nothing and says so: %s', async (name, answers) => {
    const { ask } = provider(answers);
    const error = await observe(ask, name).then(
      () => null,
      (failure: unknown) => failure,
    );
    expect(error).toMatchObject({ name: 'QuotaError', status: 200, unreadable: true });
  });

  test('is told apart from a refusal and a missing answer', async () => {
    const refused = await observe(provider({ '/usages': 401 }).ask, 'kimi').catch((failure: unknown) => failure);
    expect(refused).toMatchObject({ status: 401, unreadable: false });
    const missing = await observe(provider({}).ask, 'kimi').catch((failure: unknown) => failure);
    expect(missing).toMatchObject({ status: 0, unreadable: false });
  });
});

test('other providers, and accounts without an index, are not asked', async () => {
  const { ask, asked } = provider({});
  expect(await observe(ask, 'vertex')).toBeNull();
  expect(asked).toEqual([]);
  expect([canAskQuota(of('vertex')), canAskQuota(of('kimi')), canAskQuota(of('kimi', { auth_index: '' }))]).toEqual([
    false,
    true,
    false,
  ]);
});
