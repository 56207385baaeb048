import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { startSimulator } from '../simulator.ts';
import { apiCall, bodyOf } from '../testing/api-call.ts';
import type { Simulator } from '../types.ts';
import { accountFile } from './account-files.ts';
import type { XaiAccountSpec, XaiState } from './account-types.ts';
import type { ApiCallFailure } from './api-call-types.ts';

const BILLING = 'https://cli-chat-proxy.grok.com/v1/billing';
const WEEKLY = `${BILLING}?format=credits`;
const ME = 'https://api.x.ai/v1/me';
const RESPONSES = 'https://api.x.ai/v1/responses';
const NAME = 'xai-grove@example.test.json';
const START_MS = Date.UTC(2026, 8, 1, 8);

let simulator: Simulator;

beforeEach(async () => {
  simulator = await startSimulator({ clock: 'controlled', startMs: START_MS, authFiles: [] });
});

afterEach(() => simulator.stop());

function addXai(account: Partial<XaiAccountSpec> = {}): void {
  simulator.addAuthFile(accountFile({ provider: 'xai', email: 'grove@example.test', account }));
}

const infer = (): ReturnType<typeof apiCall> =>
  apiCall(simulator, NAME, RESPONSES, {}, { method: 'POST', data: '{"model":"grok-4.1","input":"hi","stream":false}' });

describe('xAI', () => {
  test('weekly and monthly billing, identity, inference', async () => {
    addXai({
      weekly: { usedPercent: 12.5, resetsInSeconds: 86_400 },
      products: [{ product: 'build', usedPercent: 80 }],
    });
    expect(await bodyOf(apiCall(simulator, NAME, WEEKLY))).toEqual({
      config: {
        currentPeriod: { type: 'WEEKLY', start: '2026-08-26T08:00:00.000Z', end: '2026-09-02T08:00:00.000Z' },
        creditUsagePercent: 12.5,
        productUsage: [{ product: 'build', usagePercent: 80 }],
      },
    });
    expect(await bodyOf(apiCall(simulator, NAME, BILLING))).toMatchObject({
      config: { monthlyLimit: { val: 3000 }, used: { val: 450 }, billingPeriodEnd: '2026-10-01T00:00:00.000Z' },
    });
    expect(await bodyOf(apiCall(simulator, NAME, ME))).toEqual({
      user_id: 'sim-user',
      team_id: 'sim-team',
      team_blocked: false,
    });
    expect(await bodyOf(infer())).toMatchObject({
      model: 'grok-4.1',
      status: 'completed',
      error: null,
      output: [{ type: 'reasoning' }, { type: 'message', content: [{ type: 'output_text', text: 'OK' }] }],
    });
  });

  test('each endpoint may be in another state', async () => {
    addXai({ endpoints: { weekly: 'forbidden', monthly: 'forbidden', responses: 'rate-limited' }, teamBlocked: true });
    const statuses = await Promise.all(
      [WEEKLY, BILLING, ME].map(async (url) => (await apiCall(simulator, NAME, url)).body),
    );
    expect(statuses).toMatchObject([{ status_code: 403 }, { status_code: 403 }, { status_code: 200 }]);
    expect(await infer()).toMatchObject({ body: { status_code: 429 } });
    expect(await bodyOf(apiCall(simulator, NAME, ME))).toMatchObject({ team_blocked: true });
  });

  for (const [state, status, text] of [
    ['free-usage-exhausted', 429, 'subscription:free-usage-exhausted'],
    ['spending-limit', 402, 'run out of credits'],
    ['revoked', 401, 'refresh token has been revoked'],
    ['bad-credentials', 403, 'bad-credentials'],
    ['not-entitled', 403, 'need a Grok subscription'],
    ['forbidden', 403, 'Forbidden'],
    ['policy-denied', 403, 'SAFETY_CHECK'],
    ['rate-limited', 429, 'rate_limit'],
    ['payment-required', 402, 'payment'],
    ['invalid', 400, 'bad payload'],
    ['not-found', 404, 'no such model'],
    ['outdated', 426, 'update'],
    ['unavailable', 503, 'connect error'],
    ['unrecognised', 200, 'hello'],
  ] as const satisfies readonly (readonly [XaiState, number, string])[]) {
    test(`state ${state}`, async () => {
      addXai({ state });
      const { body } = await apiCall(simulator, NAME, WEEKLY);
      expect(body).toMatchObject({ status_code: status, body: expect.stringContaining(text) });
    });
  }

  test('no data at all is an empty object', async () => {
    addXai({ weekly: null, monthly: null });
    expect(await bodyOf(apiCall(simulator, NAME, WEEKLY))).toEqual({ config: {} });
    expect(await bodyOf(apiCall(simulator, NAME, BILLING))).toEqual({ config: {} });
  });
});

describe('claude, antigravity, kimi', () => {
  const windows = { primary: { usedPercent: 40, percentPerHour: 10 }, secondary: { usedPercent: 25 } };

  test('their windows move too', async () => {
    for (const provider of ['claude', 'antigravity', 'kimi'])
      simulator.addAuthFile(accountFile({ provider, account: windows }));
    simulator.advance(3_600_000);
    const ask = async (provider: string, url: string, method = 'GET'): Promise<unknown> =>
      bodyOf(apiCall(simulator, `${provider}-${provider}@example.test.json`, url, {}, { method, data: '{}' }));
    expect(await ask('claude', 'https://api.anthropic.com/api/oauth/usage')).toMatchObject({
      five_hour: { utilization: 50, resets_at: '2026-09-01T10:30:00.000Z' },
      seven_day: { utilization: 25 },
    });
    expect(await ask('claude', 'https://api.anthropic.com/api/oauth/profile')).toMatchObject({
      account: { has_claude_max: true },
    });
    const google = 'https://cloudcode-pa.googleapis.com/v1internal';
    expect(await ask('antigravity', `${google}:retrieveUserQuotaSummary`, 'POST')).toMatchObject({
      groups: [
        {
          buckets: [
            { window: '5h', remainingFraction: 0.5 },
            { window: '7d', remainingFraction: 0.75 },
          ],
        },
      ],
    });
    expect(await ask('antigravity', `${google}:fetchAvailableModels`, 'POST')).toHaveProperty('models');
    expect(await ask('kimi', 'https://api.kimi.com/coding/v1/usages')).toMatchObject({
      usage: { used: '250', limit: '1000', remaining: '750' },
      limits: [{ detail: { used: '100', limit: '200' } }],
    });
  });

  test('revoked and unavailable', async () => {
    simulator.addAuthFile(accountFile({ provider: 'claude', account: { state: 'revoked' } }));
    simulator.addAuthFile(accountFile({ provider: 'kimi', account: { state: 'unavailable' } }));
    const claude = await apiCall(
      simulator,
      'claude-claude@example.test.json',
      'https://api.anthropic.com/api/oauth/usage',
    );
    expect(claude).toMatchObject({ body: { status_code: 401 } });
    const kimi = await apiCall(simulator, 'kimi-kimi@example.test.json', 'https://api.kimi.com/coding/v1/usages');
    expect(kimi).toMatchObject({ body: { status_code: 503 } });
  });

  test('a provider without a model of its own cannot be reached', async () => {
    simulator.addAuthFile(accountFile({ provider: 'gemini-cli' }));
    const answer = await apiCall(simulator, 'gemini-cli-gemini-cli@example.test.json', 'https://llm.example.test/v1');
    expect(answer).toMatchObject({ status: 502, body: { error: 'request failed' } });
  });
});

describe('what goes wrong on the way', () => {
  for (const [failure, status, text] of [
    ['request failed', 502, '{"error":"request failed"}'],
    ['failed to read response', 502, '{"error":"failed to read response"}'],
    ['auth token not found', 400, '{"error":"auth token not found"}'],
    ['auth token refresh failed', 400, '{"error":"auth token refresh failed"}'],
    ['empty', 200, ''],
    ['not json', 200, '{"status_code":200,"body":'],
    ['missing status', 200, '{"header":{},"body":"{}"}'],
  ] as const satisfies readonly (readonly [ApiCallFailure, number, string])[]) {
    test(`an account that fails: ${failure}`, async () => {
      addXai();
      simulator.setAccount(NAME, { failure });
      for (let call = 0; call < 2; call += 1) {
        const answer = await apiCall(simulator, NAME, ME);
        expect([answer.status, answer.text]).toEqual([status, text]);
      }
      simulator.setAccount(NAME, { failure: null });
      expect((await apiCall(simulator, NAME, ME)).body).toMatchObject({ status_code: 200 });
    });
  }

  test('two values, more than 16 MiB, a reset, any outer answer: once each', async () => {
    addXai();
    const once = (result: ApiCallFailure | { httpStatus: number; text: string }): number =>
      simulator.fault({ kind: 'api-call', url: ME, result });
    once('two values');
    expect((await apiCall(simulator, NAME, ME)).text).toContain('}{');
    once('too large');
    expect((await apiCall(simulator, NAME, ME)).text.length).toBeGreaterThan(16 * 1024 * 1024);
    once('reset');
    await expect(apiCall(simulator, NAME, ME)).rejects.toThrow();
    once({ httpStatus: 503, text: 'busy' });
    expect(await apiCall(simulator, NAME, ME)).toMatchObject({ status: 503, text: 'busy' });
    expect((await apiCall(simulator, NAME, ME)).body).toMatchObject({ status_code: 200 });
  });

  test('latency: in general, of one account, of one request; and the number in flight', async () => {
    addXai();
    const other = accountFile({ provider: 'xai', email: 'other@example.test', account: { latencyMs: 50 } });
    simulator.addAuthFile(other);
    simulator.setApiCallLatency(200);
    simulator.fault({ kind: 'api-call', authIndex: String(other.authIndex), delayMs: 500 });
    const done: string[] = [];
    const calls = [
      apiCall(simulator, NAME, ME).then(() => done.push('general')),
      apiCall(simulator, other.name, ME).then(() => done.push('fault')),
    ];
    while (simulator.activity().byKind['api-call']?.inFlight !== 2) await Bun.sleep(1);
    calls.push(apiCall(simulator, other.name, ME).then(() => done.push('account')));
    while (simulator.activity().byKind['api-call']?.inFlight !== 3) await Bun.sleep(1);
    for (const ms of [50, 150, 300]) {
      const before = done.length;
      simulator.advance(ms);
      while (done.length === before) await Bun.sleep(1);
    }
    await Promise.all(calls);
    expect(done).toEqual(['account', 'general', 'fault']);
    expect(simulator.activity()).toMatchObject({
      byKind: { 'api-call': { total: 3, inFlight: 0, maxInFlight: 3 } },
      apiCallsByAccount: { [String(other.authIndex)]: { total: 2, maxInFlight: 2 } },
    });
    simulator.clearActivity();
    expect(simulator.activity().byKind).toEqual({});
  });

  test('a caller that leaves ends the call', async () => {
    addXai();
    simulator.setApiCallLatency(60_000);
    const abort = new AbortController();
    const call = fetch(`${simulator.url}/v0/management/api-call`, {
      method: 'POST',
      headers: { Authorization: 'Bearer sim-management-key' },
      body: JSON.stringify({ method: 'GET', url: ME }),
      signal: abort.signal,
    });
    while (simulator.activity().byKind['api-call']?.inFlight !== 1) await Bun.sleep(1);
    abort.abort();
    await expect(call).rejects.toThrow();
    while (simulator.activity().byKind['api-call']?.inFlight !== 0) await Bun.sleep(1);
  });

  test('what a test adds wins over the account', async () => {
    addXai();
    simulator.addApiCall({ method: 'GET', url: ME, result: { status_code: 418, body: '{}' } });
    expect((await apiCall(simulator, NAME, ME)).body).toMatchObject({ status_code: 418 });
  });
});
