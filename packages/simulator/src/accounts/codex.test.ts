import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { startSimulator } from '../simulator.ts';
import { apiCall, bodyOf } from '../testing/api-call.ts';
import type { Simulator } from '../types.ts';
import { accountFile } from './account-files.ts';
import type { CodexAccountSpec, CodexState } from './account-types.ts';

const USAGE = 'https://chatgpt.com/backend-api/wham/usage';
const CREDITS = 'https://chatgpt.com/backend-api/wham/rate-limit-reset-credits';
const NAME = 'codex-river@example.test.json';
const START_MS = Date.UTC(2026, 8, 1, 8);
const HOUR_MS = 3_600_000;

let simulator: Simulator;

beforeEach(async () => {
  simulator = await startSimulator({ clock: 'controlled', startMs: START_MS, authFiles: [] });
});

afterEach(() => simulator.stop());

function add(account: Partial<CodexAccountSpec> = {}): void {
  simulator.addAuthFile(accountFile({ provider: 'codex', email: 'river@example.test', name: NAME, account }));
}

const usage = async (): Promise<unknown> => bodyOf(apiCall(simulator, NAME, USAGE));

describe('usage', () => {
  test('a healthy account has a five-hour and a weekly window with resets', async () => {
    add({ primary: { usedPercent: 37, resetsInSeconds: 9120 }, secondary: { usedPercent: 12 } });
    expect(await usage()).toMatchObject({
      plan_type: 'plus',
      rate_limit: {
        allowed: true,
        limit_reached: false,
        primary_window: {
          used_percent: 37,
          limit_window_seconds: 18_000,
          reset_after_seconds: 9120,
          reset_at: START_MS / 1000 + 9120,
        },
        secondary_window: { used_percent: 12, limit_window_seconds: 604_800 },
      },
    });
  });

  test('windows fill with the clock, are exhausted, and start over at their reset', async () => {
    add({ primary: { usedPercent: 90, resetsInSeconds: 2 * 3600, percentPerHour: 10 }, secondary: null });
    simulator.advance(HOUR_MS / 2);
    expect(await usage()).toMatchObject({ rate_limit: { allowed: true, primary_window: { used_percent: 95 } } });
    simulator.advance(HOUR_MS);
    expect(await usage()).toMatchObject({
      rate_limit: {
        allowed: false,
        limit_reached: true,
        primary_window: { used_percent: 100, reset_after_seconds: 1800 },
      },
    });
    simulator.advance(HOUR_MS);
    expect(await usage()).toMatchObject({
      rate_limit: {
        allowed: true,
        primary_window: { used_percent: 5, reset_at: (START_MS + 7 * HOUR_MS) / 1000, reset_after_seconds: 16_200 },
        secondary_window: null,
      },
    });
  });

  test('plan team has a month for its second window; lengths and percents may be absent', async () => {
    add({ plan: 'team', primary: { seconds: null, usedPercent: 1 }, secondary: { usedPercent: null } });
    const body = (await usage()) as { rate_limit: { primary_window: object; secondary_window: object } };
    expect(body.rate_limit.primary_window).not.toHaveProperty('limit_window_seconds');
    expect(body.rate_limit.secondary_window).not.toHaveProperty('used_percent');
    expect(body).toMatchObject({
      plan_type: 'team',
      rate_limit: { secondary_window: { limit_window_seconds: 2_592_000 } },
    });
  });

  test('code review, Spark and other limits, credits', async () => {
    add({
      codeReview: { usedPercent: 20 },
      additional: [
        { name: 'Quick lane', feature: 'codex_spark', secondary: { usedPercent: 0 } },
        { feature: 'other_thing', primary: { usedPercent: 100 } },
      ],
      credits: { balance: '12.50', overageLimitReached: false },
    });
    expect(await usage()).toMatchObject({
      rate_limit: { allowed: true },
      code_review_rate_limit: { primary_window: { used_percent: 20, limit_window_seconds: 604_800 } },
      additional_rate_limits: [
        { limit_name: 'Quick lane', metered_feature: 'codex_spark', rate_limit: { primary_window: null } },
        { metered_feature: 'other_thing', rate_limit: { allowed: false, primary_window: { used_percent: 100 } } },
      ],
      credits: { has_credits: true, unlimited: false, balance: '12.50', overage_limit_reached: false },
    });
  });

  test('camel case and percentages as text', async () => {
    add({ spelling: 'camel', percentAsText: true });
    expect(await usage()).toMatchObject({
      planType: 'plus',
      rateLimit: { primaryWindow: { usedPercent: '20%', limitWindowSeconds: 18_000 } },
    });
  });

  test('another account in the header is refused', async () => {
    add({ accountId: 'account-1' });
    expect(await apiCall(simulator, NAME, USAGE, { 'Chatgpt-Account-Id': 'account-1' })).toMatchObject({
      body: { status_code: 200 },
    });
    expect(await apiCall(simulator, NAME, USAGE, { 'Chatgpt-Account-Id': 'account-2' })).toMatchObject({
      body: { status_code: 403 },
    });
  });
});

for (const [state, status, text] of [
  ['revoked', 401, 'token_revoked'],
  ['expired', 401, 'token_expired'],
  ['unauthorized', 401, ''],
  ['deactivated-workspace', 402, '{"detail":{"code":"deactivated_workspace"}}'],
  ['payment-required', 402, 'detail'],
  ['forbidden', 403, 'detail'],
  ['rate-limited', 429, 'too many'],
  ['server-error', 500, 'internal'],
  ['unavailable', 503, 'connect error'],
  ['unrecognised', 200, 'hello'],
] as const satisfies readonly (readonly [CodexState, number, string])[]) {
  test(`state ${state} answers ${status} inside a 200`, async () => {
    add({ state });
    const { status: outer, body } = await apiCall(simulator, NAME, USAGE);
    expect([outer, (body as { status_code: number }).status_code]).toEqual([200, status]);
    expect((body as { body: string }).body).toContain(text);
  });
}

test('a reset credit empties the windows once, whatever is repeated', async () => {
  add({ resetCredits: 1, primary: { usedPercent: 100 }, secondary: { usedPercent: 40 } });
  expect(await bodyOf(apiCall(simulator, NAME, CREDITS))).toMatchObject({
    available_count: 1,
    credits: [{ reset_type: 'codex_rate_limits', status: 'available' }],
  });
  const consume = (id: string): ReturnType<typeof apiCall> =>
    apiCall(
      simulator,
      NAME,
      `${CREDITS}/consume`,
      {},
      { method: 'POST', data: JSON.stringify({ redeem_request_id: id }) },
    );
  expect(await consume('a')).toMatchObject({ body: { status_code: 200 } });
  expect(await consume('a')).toMatchObject({ body: { status_code: 200 } });
  expect(await consume('b')).toMatchObject({ body: { status_code: 409 } });
  expect(await usage()).toMatchObject({
    rate_limit: { primary_window: { used_percent: 0 }, secondary_window: { used_percent: 0 } },
    rate_limit_reset_credits: { available_count: 0 },
  });
});

test('a change of state keeps the windows going', async () => {
  add({ primary: { usedPercent: 50, percentPerHour: 10, resetsInSeconds: 7200 }, resetCredits: 2 });
  simulator.advance(HOUR_MS);
  simulator.setAccount(NAME, { state: 'revoked' });
  expect(simulator.account(NAME)).toMatchObject({ state: 'revoked', primary: { usedPercent: 60 } });
  simulator.advance(HOUR_MS / 2);
  simulator.setAccount(NAME, { state: 'healthy', secondary: { usedPercent: 100 } });
  expect(simulator.account(NAME)).toMatchObject({
    state: 'healthy',
    plan: 'plus',
    primary: { usedPercent: 65, resetAtMs: START_MS + 2 * HOUR_MS },
    secondary: { usedPercent: 100 },
    resetCredits: 2,
  });
  expect(() => simulator.setAccount('nobody.json', {})).toThrow('no account');
});
