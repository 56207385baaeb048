import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import type { JsonObject } from '../json.ts';
import { encodeEvent } from '../payload.ts';
import { startSimulator } from '../simulator.ts';
import { manage, messageFrame, popHttp, subscribed } from '../testing/raw-client.ts';
import type { Simulator } from '../types.ts';
import { accountFile } from './account-files.ts';
import type { AccountEvent, AccountEventKind } from './event-types.ts';

const CODEX = 'codex-a@example.test.json';
const XAI = 'xai-b@example.test.json';
const START_MS = Date.UTC(2026, 8, 1, 8);

let simulator: Simulator;

beforeEach(async () => {
  simulator = await startSimulator({
    clock: 'controlled',
    startMs: START_MS,
    authFiles: [
      accountFile({
        provider: 'codex',
        email: 'a@example.test',
        account: { primary: { usedPercent: 37 }, secondary: { usedPercent: 12, resetsInSeconds: 3600 } },
      }),
      accountFile({ provider: 'xai', email: 'b@example.test' }),
    ],
  });
});

afterEach(() => simulator.stop());

async function published(name: string, event: AccountEvent): Promise<JsonObject> {
  await simulator.publishFor(name, event);
  const [popped] = await popHttp(simulator, 10);
  return popped as JsonObject;
}

function failure(event: JsonObject): { status_code: number; body: string } {
  return event.fail as { status_code: number; body: string };
}

test('an event belongs to its account and has the time and id it is given', async () => {
  const given = {
    kind: 'success',
    atMs: START_MS - 30_000,
    requestId: '0000abcd',
    model: 'gpt-5.3-codex-spark',
  } as const;
  expect(await published(CODEX, given)).toMatchObject({
    timestamp: '2026-09-01T07:59:30.000Z',
    request_id: '0000abcd',
    provider: 'codex',
    source: 'a@example.test',
    auth_index: String(simulator.authFiles()[0]?.auth_index),
    model: 'gpt-5.3-codex-spark',
    failed: false,
    response_headers: {
      'X-Codex-Plan-Type': ['plus'],
      'X-Codex-Primary-Used-Percent': ['37'],
      'X-Codex-Primary-Window-Minutes': ['300'],
      'X-Codex-Secondary-Used-Percent': ['12'],
      'X-Codex-Secondary-Reset-At': [String(START_MS / 1000 + 3600)],
    },
  });
  expect(simulator.authFiles()[0]).toMatchObject({ success: 1, failed: 0 });
});

test('the same seed gives the same ids', async () => {
  const other = await startSimulator({
    clock: 'controlled',
    startMs: START_MS,
    authFiles: [accountFile({ provider: 'xai' })],
  });
  const one = await simulator.publishFor(XAI, { kind: 'overloaded' });
  const two = await other.publishFor('xai-xai@example.test.json', { kind: 'overloaded' });
  expect(one.requestId).toBe(two.requestId);
  expect((await simulator.publishFor(XAI, { kind: 'overloaded' })).requestId).not.toBe(one.requestId);
  await other.stop();
});

describe('a usage limit', () => {
  test('is reported by headers and body', async () => {
    const event = await published(CODEX, { kind: 'usage-limit', resetsInSeconds: 600 });
    const resets = START_MS / 1000 + 600;
    expect(failure(event).status_code).toBe(429);
    expect(JSON.parse(failure(event).body)).toMatchObject({
      error: { type: 'usage_limit_reached', plan_type: 'plus', resets_at: resets, resets_in_seconds: 600 },
    });
    expect(event.response_headers).toMatchObject({
      'X-Codex-Rate-Limit-Reached-Type': ['primary'],
      'X-Codex-Primary-Used-Percent': ['100'],
      'X-Codex-Primary-Reset-At': [String(resets)],
      'X-Codex-Secondary-Used-Percent': ['12'],
      'Retry-After': ['600'],
    });
  });

  test('by headers alone, of the second window; by the body alone; without a reset', async () => {
    const headers = await published(CODEX, { kind: 'usage-limit', marks: 'headers', window: 'secondary' });
    expect(failure(headers).body).not.toContain('usage_limit_reached');
    expect(headers.response_headers).toMatchObject({
      'X-Codex-Rate-Limit-Reached-Type': ['secondary'],
      'X-Codex-Primary-Used-Percent': ['37'],
      'X-Codex-Secondary-Used-Percent': ['100'],
      'X-Codex-Secondary-Window-Minutes': ['10080'],
    });
    const body = await published(CODEX, { kind: 'usage-limit', marks: 'body' });
    expect(body).not.toHaveProperty('response_headers');
    const open = await published(CODEX, { kind: 'usage-limit', resetsInSeconds: null });
    expect(failure(open).body).not.toContain('resets');
    expect(open.response_headers).not.toHaveProperty('X-Codex-Primary-Reset-At');
    expect(open.response_headers).not.toHaveProperty('Retry-After');
  });
});

test('a spent free allowance, with its tokens and with a reset', async () => {
  const tokens = { actual: 2_033_137, limit: 2_000_000 };
  const event = await published(XAI, { kind: 'free-usage-exhausted', tokens, model: 'grok-4.1', status: 402 });
  expect(failure(event).status_code).toBe(402);
  const body = JSON.parse(failure(event).body);
  expect(body).toEqual({
    code: 'subscription:free-usage-exhausted',
    error: expect.stringContaining(
      'free usage for model grok-4.1 (rolling 24 h); tokens (actual/limit): 2033137/2000000',
    ),
  });
  const reset = await published(XAI, { kind: 'free-usage-exhausted', resetsInSeconds: 3600 });
  expect(JSON.parse(failure(reset).body).reset_at).toBe('2026-09-01T09:00:00.000Z');
});

for (const [kind, status, text] of [
  ['rate-limited', 429, 'rate_limit_error'],
  ['overloaded', 503, 'connect error'],
  ['cancelled', 499, 'context canceled'],
  ['token-revoked', 401, 'token_revoked'],
  ['credentials-invalid', 401, 'auth_unavailable'],
  ['unauthorized', 401, ''],
  ['forbidden', 403, ''],
  ['authentication-error', 401, 'authentication_error'],
  ['account-deactivated', 401, 'account_deactivated'],
  ['account-deactivated-header', 401, ''],
  ['deactivated-workspace', 402, 'deactivated_workspace'],
  ['permission-denied', 403, 'Access to the chat endpoint is denied'],
  ['spending-limit', 402, 'spending-limit'],
  ['broken-off', 408, 'stream disconnected before completion'],
] as const satisfies readonly (readonly [AccountEventKind, number, string])[]) {
  test(`failure ${kind}`, async () => {
    const event = await published(CODEX, { kind });
    expect([event.failed, failure(event).status_code]).toEqual([true, status]);
    expect(failure(event).body).toContain(text);
    if (text !== '') expect(failure(event).body).not.toBe('');
    expect(event.tokens).toMatchObject({ total_tokens: 0 });
    if (kind === 'account-deactivated-header')
      expect(event.response_headers).toEqual({ 'X-Openai-Ide-Root-Error-Code': ['account_deactivated'] });
  });
}

test('status, body, headers and members may be others', async () => {
  const event = await published(CODEX, {
    kind: 'unauthorized',
    status: 403,
    body: 'text',
    headers: { 'X-Should-Retry': ['true'] },
    members: { auth_index: '' },
  });
  expect(event).toMatchObject({
    auth_index: '',
    fail: { status_code: 403, body: 'text' },
    response_headers: { 'X-Should-Retry': ['true'] },
  });
  await expect(simulator.publishFor('none', { kind: 'success' })).rejects.toThrow('no account none');
});

test('a stream that another provider broke off is failed with status 200', async () => {
  const event = await published(XAI, { kind: 'broken-off' });
  expect([event.failed, failure(event)]).toEqual([true, { status_code: 200, body: 'unexpected EOF' }]);
  expect(simulator.authFiles()[1]).toMatchObject({ success: 0, failed: 1 });
});

describe('a refused token that the gateway refreshes', () => {
  test('gives two events of one request, with different tokens, and a subscriber is told of the new file', async () => {
    const client = await subscribed(simulator);
    const [refused, repeated] = await simulator.publishRefreshed(CODEX, { model: 'gpt-5.4' });
    simulator.advance(1_000);
    const { requestId } = refused ?? {};
    expect(refused?.event).toMatchObject({ failed: true, fail: { status_code: 401 }, model: 'gpt-5.4' });
    expect(JSON.stringify(refused?.event)).toContain('auth_unavailable');
    expect(repeated?.event).toMatchObject({ failed: false, request_id: String(requestId), model: 'gpt-5.4' });
    expect(repeated?.event.access_token_sha256).not.toBe(String(refused?.event.access_token_sha256));
    expect(simulator.authFiles()[0]).toMatchObject({ success: 1, failed: 1, disabled: false });
    const expected = [refused, repeated].map((one) => messageFrame(encodeEvent(one?.event ?? {}))).join('');
    const frames = expected + messageFrame('{"refresh":true}');
    expect(await client.read(Buffer.byteLength(frames))).toBe(frames);
    const { body } = await manage(simulator, 'GET', `/auth-files/download?name=${CODEX}`);
    const { access_token } = body as JsonObject;
    const hash = new Bun.CryptoHasher('sha256').update(String(access_token)).digest('hex');
    expect(repeated?.event.access_token_sha256).toBe(hash);
    client.end();
  });

  test('may be dated back, and is listed with the time of its new token', async () => {
    const [refused, repeated] = await simulator.publishRefreshed(CODEX, { atMs: 1_000, afterMs: 500 });
    expect([refused?.atMs, repeated?.atMs]).toEqual([1_000, 1_500]);
    expect(simulator.authFiles()[0]?.last_refresh).toBe('1970-01-01T00:00:01.5Z');
    simulator.refreshToken(CODEX, { atMs: 2_000, listed: false });
    expect(simulator.authFiles()[0]?.last_refresh).toBe('1970-01-01T00:00:01.5Z');
  });

  test('may succeed later', async () => {
    const done = simulator.publishRefreshed(CODEX, { afterMs: 5_000 });
    // The refusal is out once other tasks have run.
    await Bun.sleep(0);
    simulator.advance(4_999);
    expect(simulator.authFiles()[0]).toMatchObject({ success: 0, failed: 1 });
    simulator.advance(1);
    const [refused, repeated] = await done;
    expect((repeated?.atMs ?? 0) - (refused?.atMs ?? 0)).toBe(5_000);
    expect(simulator.authFiles()[0]).toMatchObject({ success: 1, failed: 1 });
  });
});

describe('successes without an event', () => {
  test('grow the counter of an account or of a configured key, and nothing is published', async () => {
    simulator.succeedSilently(CODEX);
    simulator.succeedSilently(CODEX, 3);
    const key = (await manage(simulator, 'GET', '/gemini-api-key')).text;
    const keyIndex = /"auth-index":"([0-9a-f]{16})"/.exec(key)?.[1] ?? '';
    simulator.succeedSilently(keyIndex, 2);
    expect(simulator.authFiles()[0]).toMatchObject({ success: 4, failed: 0 });
    expect(await manage(simulator, 'GET', '/api-key-usage')).toMatchObject({
      body: { gemini: { 'https://generativelanguage.googleapis.com|SIM-GEMINI-KEY-0001': { success: 2, failed: 0 } } },
    });
    expect(await popHttp(simulator, 10)).toEqual([]);
    expect(simulator.deliveries()).toMatchObject({ published: 0, dropped: 0 });
    expect(() => simulator.succeedSilently('none')).toThrow('no account none');
  });

  test('happen in steady traffic', async () => {
    const authIndex = String(simulator.authFiles()[0]?.auth_index);
    const event = { text: JSON.stringify({ auth_index: authIndex }), timestampMs: START_MS, authIndex, failed: false };
    const events = Array.from({ length: 20 }, () => event).values();
    await simulator.startTraffic({ rate: 1_000, total: 20, silentEvery: 4, events }).done;
    expect(simulator.queueLength()).toBe(20);
    expect(simulator.authFiles()[0]).toMatchObject({ success: 25, failed: 0 });
  });
});
