import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import apiCalls from '../fixtures/api-call.json';
import authFiles from '../fixtures/auth-files.json';
import samples from '../fixtures/management-samples.json';
import type { JsonObject } from '../json.ts';
import { startSimulator } from '../simulator.ts';
import { eventLine } from '../testing/fixtures.ts';
import { manage, popHttp } from '../testing/raw-client.ts';
import type { Simulator } from '../types.ts';

let simulator: Simulator;

beforeEach(async () => {
  simulator = await startSimulator({ clock: 'controlled', startMs: Date.UTC(2026, 8, 1, 8, 5) });
});

afterEach(() => simulator.stop());

const call = (method: string, path: string, body?: unknown): ReturnType<typeof manage> =>
  manage(simulator, method, path, body);
const OK = { status: 200, body: { status: 'ok' } };
const bad = (error: string, status = 400): object => ({ status, body: { error } });

describe('samples are answered as they are', () => {
  for (const path of [
    '/config',
    '/usage-statistics-enabled',
    '/api-keys',
    '/gemini-api-key',
    '/openai-compatibility',
    '/plugins',
    '/plugin-store',
    '/latest-version',
    '/get-auth-status?state=',
  ]) {
    test(path, async () => {
      const sample = samples[`GET /v0/management${path.split('?')[0]}` as keyof typeof samples];
      const { status, body } = await call('GET', path);
      expect(status).toBe(200);
      if (path.startsWith('/get-auth-status')) expect(body).toEqual({ status: 'ok' });
      else if (path === '/config')
        expect(body).toMatchObject({ ...(sample as JsonObject), plugins: expect.any(Object) });
      else expect(body).toEqual(sample as JsonObject);
    });
  }

  test('/auth-files, with the live counters and buckets', async () => {
    const { body } = await call('GET', '/auth-files');
    const rows = (body as { files: JsonObject[] }).files;
    expect(rows.length).toBe(authFiles.files.length);
    for (const [index, expected] of authFiles.files.entries())
      expect(rows[index]).toMatchObject(expected as JsonObject);
  });
});

describe('OAuth', () => {
  test('code flow: wait, paste the redirect, ok, and a file', async () => {
    const { body } = await call('GET', '/codex-auth-url?is_webui=true');
    const { state, url } = body as { state: string; url: string };
    expect(url).toStartWith('https://auth.openai.com/oauth/authorize?');
    expect(new URL(String(url)).searchParams.get('state')).toBe(String(state));
    expect((await call('GET', `/get-auth-status?state=${state}`)).body).toEqual({ status: 'wait' });
    const redirect = { provider: 'openai', redirect_url: `http://localhost:1455/auth/callback?code=c&state=${state}` };
    const response = await fetch(`${simulator.url}/v0/management/oauth-callback`, {
      method: 'POST',
      body: JSON.stringify(redirect),
    });
    expect(await response.json()).toEqual({ status: 'ok' });
    expect((await call('GET', `/get-auth-status?state=${state}`)).body).toEqual({ status: 'ok' });
    expect(simulator.authFiles().length).toBe(10);
    expect(await call('POST', '/oauth-callback', redirect)).toMatchObject({
      status: 409,
      body: { status: 'error', error: 'oauth flow is already completed' },
    });
    simulator.advance(61_000);
    expect((await call('GET', `/get-auth-status?state=${state}`)).body).toEqual({
      status: 'error',
      error: 'unknown or expired state',
    });
  });

  test('device flow by the control interface; failure; timeout; cancel', async () => {
    const start = async (name: string): Promise<JsonObject> =>
      (await call('GET', `/${name}-auth-url`)).body as JsonObject;
    const device = await start('xai');
    expect(device).toMatchObject({ flow: 'device', expires_in: 1800, user_code: expect.stringMatching(/^SIM-/) });
    expect(simulator.completeOAuth(String(device.state), { error: 'denied' })).toBe(true);
    expect((await call('GET', `/get-auth-status?state=${device.state}`)).body).toEqual({
      status: 'error',
      error: 'denied',
    });
    const code = await start('anthropic');
    simulator.advance(5 * 60_000 + 1);
    expect((await call('GET', `/get-auth-status?state=${code.state}`)).body).toMatchObject({ status: 'error' });
    const cancelled = await start('kimi');
    expect((await call('DELETE', `/oauth-session?state=${cancelled.state}`)).body).toEqual({
      status: 'ok',
      cancelled: true,
    });
    expect((await call('DELETE', `/oauth-session?state=${cancelled.state}`)).body).toEqual({
      status: 'ok',
      cancelled: false,
    });
    simulator.setProfile('v7.1.39');
    expect(await start('xai')).not.toHaveProperty('flow');
  });

  for (const [body, status, error] of [
    ['x', 400, 'invalid body'],
    [{ redirect_url: 'no url' }, 400, 'invalid redirect_url'],
    [{ code: 'c' }, 400, 'state is required'],
    [{ state: 'a b', code: 'c' }, 400, 'invalid state'],
    [{ state: 'abc' }, 400, 'code or error is required'],
    [{ state: 'abc', code: 'c', provider: 'nobody' }, 400, 'unsupported provider'],
    [{ state: 'abc', code: 'c' }, 404, 'unknown or expired state'],
  ] as const) {
    test(`callback refuses: ${error}`, async () => {
      expect(await call('POST', '/oauth-callback', body)).toMatchObject({ status, body: { status: 'error', error } });
    });
  }

  test('the callback needs the key before v7.2.23; browsers return to the main port', async () => {
    const open = (): Promise<Response> =>
      fetch(`${simulator.url}/v0/management/oauth-callback`, { method: 'POST', body: '{}' });
    expect((await open()).status).toBe(400);
    const { state } = (await call('GET', '/anthropic-auth-url')).body as { state: string };
    const page = await fetch(`${simulator.url}/anthropic/callback?code=1&state=${state}`);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect((await call('GET', `/get-auth-status?state=${state}`)).body).toEqual({ status: 'ok' });
    simulator.setProfile('v7.1.39');
    expect((await open()).status).toBe(401);
  });
});

describe('api-call', () => {
  for (const sample of apiCalls.calls) {
    const { authIndex } = sample.request as { authIndex?: string };
    const isFirst =
      apiCalls.calls.find(
        (other) =>
          other.request.url === sample.request.url && (other.request as { authIndex?: string }).authIndex === authIndex,
      ) === sample;
    test(`${sample.name}${isFirst ? '' : ' when added'}`, async () => {
      const { method, url } = sample.request;
      if (!isFirst)
        simulator.addApiCall({
          method,
          url,
          result: sample.response as never,
          ...(authIndex === undefined ? {} : { authIndex }),
        });
      expect(await call('POST', '/api-call', sample.request)).toMatchObject({
        status: 200,
        body: sample.response as never,
      });
    });
  }

  for (const sample of apiCalls.errors) {
    test(sample.name, async () => {
      const { status, body } = await call('POST', '/api-call', sample.request);
      const { header: _, ...expected } = sample.response as JsonObject;
      expect([status, body]).toEqual([sample.response_status, expect.objectContaining(expected)]);
    });
  }
});

describe('logs', () => {
  const line = (second: number, text: string): string =>
    `[2026-09-01 08:00:0${second}] [--------] [info ] [main.go:1] ${text}`;
  beforeEach(() => {
    for (const second of [1, 1, 2, 3]) simulator.writeLog(line(second, `at ${second}`));
  });

  test('tail, after, cursor, rotation', async () => {
    expect((await call('GET', '/logs?limit=2')).body).toMatchObject({
      lines: [line(2, 'at 2'), line(3, 'at 3')],
      'line-count': 2,
    });
    const seconds = Date.UTC(2026, 8, 1, 8, 0, 1) / 1000;
    expect((await call('GET', `/logs?after=${seconds}`)).body).toMatchObject({
      lines: { length: 2 },
      'latest-timestamp': seconds + 2,
    });
    expect((await call('GET', `/logs?after=${seconds}&limit=1`)).body).toMatchObject({
      lines: [line(3, 'at 3')],
      'line-count': 2,
    });
    const first = (await call('GET', '/logs')).body as { 'next-cursor': string };
    simulator.writeLog(line(3, 'new a'));
    simulator.writeLog(line(3, 'new b'));
    const page = (await call('GET', `/logs?cursor=${first['next-cursor']}&limit=1`)).body as { 'next-cursor': string };
    expect(page).toMatchObject({ lines: [line(3, 'new a')] });
    expect((await call('GET', `/logs?cursor=${page['next-cursor']}`)).body).toMatchObject({
      lines: [line(3, 'new b')],
    });
    simulator.rotateLog();
    simulator.writeLog(line(4, 'rotated'));
    expect((await call('GET', `/logs?cursor=${page['next-cursor']}`)).body).toMatchObject({
      lines: [line(4, 'rotated')],
      'cursor-reset': true,
    });
    expect((await call('DELETE', '/logs')).body).toMatchObject({ success: true, removed: 1 });
    expect((await call('GET', '/logs')).body).toMatchObject({ lines: [], 'line-count': 0 });
  });

  test('refusals', async () => {
    expect(await call('GET', '/logs?limit=x')).toMatchObject(bad('invalid limit: must be a positive integer'));
    expect(await call('GET', '/logs?limit=0')).toMatchObject(bad('invalid limit: must be greater than zero'));
    await call('PUT', '/logging-to-file', { value: false });
    expect(await call('GET', '/logs')).toMatchObject(bad('logging to file disabled'));
    expect((await call('GET', '/request-error-logs/secret.log')).status).toBe(404);
    expect(await call('GET', '/request-log-by-id')).toMatchObject(bad('missing request ID'));
  });

  test('error logs by name and id, hidden while every request is logged', async () => {
    const { files } = (await call('GET', '/request-error-logs')).body as { files: { name: string }[] };
    expect(files.map(({ name }) => name)).toEqual(['error-v1-responses-2026-09-01T080200-90ab12cd.log']);
    expect((await call('GET', `/request-error-logs/${files[0]?.name}`)).status).toBe(200);
    expect((await call('GET', '/request-log-by-id/90ab12cd')).headers.get('content-disposition')).toContain('90ab12cd');
    for (let number = 10; number < 25; number++)
      simulator.writeRequestLog({ name: `error-v1-messages-2026-09-01T0803${number}-00aa${number}.log`, text: 'x' });
    const newest = (await call('GET', '/request-error-logs')).body as { files: { name: string }[] };
    expect(newest.files.length).toBe(10);
    expect(newest.files[0]?.name).toEndWith('-00aa24.log');
    await call('PUT', '/request-log', { value: true });
    expect((await call('GET', '/request-error-logs')).body).toEqual({ files: [] });
  });
});

describe('plugins', () => {
  test('enable, configure, delete, install', async () => {
    expect(await call('PATCH', '/plugins/simplugin/enabled', { enabled: false })).toMatchObject(OK);
    expect((await call('GET', '/plugins')).body).toMatchObject({
      plugins: [{ enabled: false, effective_enabled: false }],
    });
    expect((await call('GET', '/plugins/simplugin/config')).body).toMatchObject({ mode: 'safe', priority: 1 });
    expect(await call('PATCH', '/plugins/simplugin/config', { mode: 'fast', priority: null })).toMatchObject(OK);
    expect((await call('GET', '/plugins/simplugin/config')).body).toEqual({ mode: 'fast', priority: 1 });
    expect((await call('DELETE', '/plugins/simplugin')).body).toMatchObject({
      status: 'deleted',
      configured_removed: true,
    });
    expect((await call('GET', '/plugin-store')).body).toMatchObject({
      plugins: [
        { id: 'simplugin', installed: false },
        { id: 'echo', installed: false },
      ],
    });
    expect((await call('POST', '/plugin-store/simplugin/install?version=1.2.0')).body).toMatchObject({
      status: 'installed',
      version: '1.2.0',
    });
    expect((await call('GET', '/plugins')).body).toMatchObject({ plugins: [{ id: 'simplugin', configured: false }] });
    expect((await call('GET', '/plugin-store')).body).toMatchObject({
      plugins: [{ installed: true, installed_version: '1.2.0', update_available: true }, { installed: false }],
    });
    expect(await call('GET', '/plugins/none/config')).toMatchObject({
      status: 404,
      body: { error: 'plugin_not_found' },
    });
    expect(await call('PATCH', '/plugins/..x/enabled', {})).toMatchObject({
      status: 400,
      body: { error: 'invalid_plugin_id' },
    });
  });

  test('are installed from the source that offers them', async () => {
    const install = (target: string) => call('POST', `/plugin-store/${target}`);
    expect(await install('echo/install?source=none')).toMatchObject({
      status: 404,
      body: { error: 'plugin_store_source_not_found' },
    });
    expect(await install('echo/install?source=official')).toMatchObject({
      status: 404,
      body: { error: 'plugin_not_found' },
    });
    expect((await install('echo/install?source=community')).body).toMatchObject({
      status: 'installed',
      source_id: 'community',
      version: '0.3.0',
    });
    expect((await call('GET', '/plugins')).body).toMatchObject({
      plugins: [{ id: 'echo', enabled: false, metadata: { version: '0.3.0' } }, { id: 'simplugin' }],
    });
    expect((await call('GET', '/plugin-store')).body).toMatchObject({
      plugins: [{}, { installed: true, installed_source_id: 'community', update_available: false }],
    });
  });

  test('pages are open, exact and gone with the plugin', async () => {
    const page = `${simulator.url}/v0/resource/plugins/simplugin/index.html`;
    expect((await fetch(page)).status).toBe(200);
    expect((await fetch(`${page}x`)).status).toBe(404);
    expect((await fetch(page, { method: 'POST' })).status).toBe(404);
    await call('PATCH', '/plugins/simplugin/enabled', { enabled: false });
    expect((await fetch(page)).status).toBe(404);
  });
});

describe('other routes', () => {
  test('reset-quota, api-key-usage, model definitions', async () => {
    const auth_index = 'e645679a8a8d0dab';
    const { models, ...reset } = samples['POST /v0/management/reset-quota'];
    expect((await call('POST', '/reset-quota', { auth_index })).body).toEqual({
      ...reset,
      models: expect.arrayContaining(models),
    } as never);
    expect((await call('GET', `/auth-files?auth_index=${auth_index}`)).text).not.toContain('next_retry_after');
    expect(await call('POST', '/reset-quota', {})).toMatchObject(bad('auth_index is required'));
    expect(await call('POST', '/reset-quota', { auth_index: 'x' })).toMatchObject(bad('auth not found', 404));
    await simulator.publish(eventLine(1));
    expect((await call('GET', '/api-key-usage')).body).toMatchObject({
      northwind: {
        'https://llm.example.test/v1|sim-provider-key-9000': { success: 1, failed: 0, recent_requests: { length: 20 } },
      },
    });
    expect((await call('GET', '/model-definitions/GROK')).body).toMatchObject({ channel: 'grok' });
    expect(await call('GET', '/model-definitions/none')).toMatchObject({
      status: 400,
      body: { error: 'unknown channel', channel: 'none' },
    });
  });

  test('queue counts', async () => {
    await simulator.publish('{"n":1}', { count: 3 });
    for (const count of ['0', '-1', 'x', '1.5'])
      expect(await call('GET', `/usage-queue?count=${count}`)).toMatchObject(bad('count must be a positive integer'));
    expect((await call('GET', '/usage-queue')).body).toEqual([{ n: 1 }]);
    expect(await popHttp(simulator, 100_000)).toBeArrayOfSize(2);
    expect((await call('GET', '/usage-queue?count=5')).text).toBe('[]');
  });

  for (const [profile, path, status] of [
    ['v6.9.38', '/usage-queue', 404],
    ['v6.9.38', '/usage/export', 200],
    ['v6.10.8', '/usage-queue', 200],
    ['v6.10.8', '/usage/export', 404],
    ['v7.1.39', '/plugins', 404],
    ['v7.1.39', '/xai-api-key', 404],
    ['v7.1.39', '/api-key-usage', 200],
    ['v7.2.140', '/oauth-request-scoped-errors', 200],
    ['v7.2.140', '/gemini-cli-auth-url', 404],
    ['http-only', '/usage-queue', 200],
  ] as const) {
    test(`${profile} answers ${status} on ${path}`, async () => {
      simulator.setProfile(profile);
      expect((await call('GET', path)).status).toBe(status);
    });
  }
});
