import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import apiCalls from '../fixtures/api-call.json';
import authFiles from '../fixtures/auth-files.json';
import samples from '../fixtures/management-samples.json';
import { startSimulator } from '../simulator.ts';
import { eventLine } from '../testing/fixtures.ts';
import { KEY, manage, messageFrame, popHttp, subscribed } from '../testing/raw-client.ts';
import type { JsonObject, Simulator } from '../types.ts';

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

describe('scalars', () => {
  const cases: readonly [string, unknown, string][] = [
    ['/debug', true, 'debug'],
    ['/logs-max-total-size-mb', 7, 'logs-max-total-size-mb'],
    ['/proxy-url', 'socks5://proxy.example.test:1080', 'proxy-url'],
    ['/request-retry', 5, 'request-retry'],
    ['/max-retry-credentials', 2, 'max-retry-credentials'],
    ['/quota-exceeded/switch-project', false, 'switch-project'],
    ['/ws-auth', false, 'ws-auth'],
    ['/usage-statistics-enabled', false, 'usage-statistics-enabled'],
  ];
  for (const [path, value, key] of cases) {
    test(path, async () => {
      for (const method of ['PUT', 'PATCH']) expect(await call(method, path, { value })).toMatchObject(OK);
      expect((await call('GET', path)).body).toEqual({ [key]: value as never });
      for (const wrong of [{}, { value: [] }, { value: null }, 'x'])
        expect(await call('PUT', path, wrong)).toMatchObject(bad('invalid body'));
    });
  }

  test('negative numbers become their floor', async () => {
    await call('PUT', '/error-logs-max-files', { value: -3 });
    expect((await call('GET', '/error-logs-max-files')).body).toEqual({ 'error-logs-max-files': 10 });
  });

  test('DELETE /proxy-url empties it', async () => {
    await call('PUT', '/proxy-url', { value: 'http://p.example.test' });
    expect(await call('DELETE', '/proxy-url')).toMatchObject(OK);
    expect((await call('GET', '/proxy-url')).body).toEqual({ 'proxy-url': '' });
  });

  test('routing strategy takes abbreviations in any case', async () => {
    expect(await call('PUT', '/routing/strategy', { value: 'WRR' })).toMatchObject(OK);
    expect((await call('GET', '/routing/strategy')).body).toEqual({ strategy: 'weighted-round-robin' });
    expect(await call('PUT', '/routing/strategy', { value: 'best' })).toMatchObject(bad('invalid strategy'));
  });

  test('a save keeps comments and order of the file', async () => {
    const before = simulator.configYaml().split('\n');
    await call('PUT', '/routing/strategy', { value: 'ff' });
    await call('PUT', '/debug', { value: true });
    await call('PUT', '/api-keys', ['k1']);
    const changed = simulator.configYaml().split('\n');
    expect(changed).toContain('  strategy: "fill-first" # or weighted-round-robin, fill-first');
    expect(changed.filter((line) => line.includes('#'))).toEqual(
      before
        .map((line) => line.replace('strategy: round-robin', 'strategy: "fill-first"'))
        .filter((line) => line.includes('#')),
    );
    expect(changed.indexOf('api-keys:')).toBe(before.indexOf('api-keys:'));
  });
});

describe('config.yaml', () => {
  test('PUT replaces byte for byte and takes effect', async () => {
    const text = `${simulator.configYaml().replace('debug: false', 'debug:   true   # why not')}\n# end\n`;
    expect((await call('PUT', '/config.yaml', text)).status).toBe(200);
    const read = await call('GET', '/config.yaml');
    expect([read.text, read.headers.get('cache-control'), read.headers.get('content-type')]).toEqual([
      text,
      'no-store',
      'application/yaml; charset=utf-8',
    ]);
    expect((await call('GET', '/debug')).body).toEqual({ debug: true });
  });

  test('refuses what is no YAML and what cannot be loaded', async () => {
    expect(await call('PUT', '/config.yaml', 'a: [1')).toMatchObject({ status: 400, body: { error: 'invalid_yaml' } });
    expect(await call('PUT', '/config.yaml', 'port: "x"')).toMatchObject({
      status: 422,
      body: { error: 'invalid_config' },
    });
    simulator.fault({ kind: 'save-failure' });
    expect(await call('PUT', '/config.yaml', 'debug: true')).toMatchObject({
      status: 500,
      body: { error: 'write_failed' },
    });
  });

  test('the JSON view hides private parts and shows an absent retention as absent', async () => {
    simulator.setRetention(null);
    const { body, text } = await call('GET', '/config');
    for (const hidden of ['host', 'port', 'auth-dir', 'remote-management', 'redis-usage-queue-retention-seconds'])
      expect(body).not.toHaveProperty([hidden]);
    expect(body).toMatchObject({ plugins: { configs: { simplugin: { enabled: true, priority: 1 } } } });
    expect(text).not.toContain('"mode"');
  });
});

describe('client keys', () => {
  test('PUT, PATCH and DELETE', async () => {
    expect(await call('PUT', '/api-keys', { items: ['a', 'b'] })).toMatchObject(OK);
    expect(await call('PATCH', '/api-keys', { index: 0, value: 'A' })).toMatchObject(OK);
    expect(await call('PATCH', '/api-keys', { old: 'b', new: 'B' })).toMatchObject(OK);
    expect(await call('PATCH', '/api-keys', { old: 'unknown', new: 'C' })).toMatchObject(OK);
    expect((await call('GET', '/api-keys')).body).toEqual({ 'api-keys': ['A', 'B', 'C'] });
    expect(await call('DELETE', '/api-keys?value=B')).toMatchObject(OK);
    expect(await call('DELETE', '/api-keys?index=0')).toMatchObject(OK);
    expect((await call('GET', '/api-keys')).body).toEqual({ 'api-keys': ['C'] });
    expect(await call('PUT', '/api-keys', { items: [] })).toMatchObject(bad('invalid body'));
    expect(await call('PATCH', '/api-keys', { index: 9, value: 'x' })).toMatchObject(bad('missing fields'));
    expect(await call('DELETE', '/api-keys')).toMatchObject(bad('missing index or value'));
    expect(await call('PUT', '/api-keys', [])).toMatchObject(OK);
    expect((await call('GET', '/api-keys')).body).toEqual({ 'api-keys': [] });
  });
});

describe('provider lists', () => {
  const entry = {
    'api-key': ' k ',
    'base-url': 'https://codex.example.test',
    'excluded-models': ['A*', 'a*', ' '],
    future: { kept: true },
  };

  test('entries are cleaned, unknown members kept, the index computed and not stored', async () => {
    const listed = [{ ...entry, 'auth-index': 'ffffffffffffffff', prefix: '/team/' }, { 'api-key': 'dropped' }];
    expect(await call('PUT', '/codex-api-key', listed)).toMatchObject(OK);
    const { body } = await call('GET', '/codex-api-key');
    expect(body).toEqual({
      'codex-api-key': [
        {
          'api-key': 'k',
          'base-url': 'https://codex.example.test',
          'excluded-models': ['a*'],
          future: { kept: true },
          prefix: 'team',
          'auth-index': expect.stringMatching(/^[0-9a-f]{16}$/),
        },
      ],
    } as never);
    expect(simulator.configYaml()).not.toContain('auth-index');
  });

  test('PATCH by index and match leaves some members alone; an emptied base URL deletes', async () => {
    await call('PUT', '/codex-api-key', [entry]);
    expect(await call('PATCH', '/codex-api-key', { match: 'k', value: { priority: 9, note: 'x' } })).toMatchObject(OK);
    const { body } = await call('GET', '/codex-api-key');
    expect(body).toMatchObject({ 'codex-api-key': [{ note: 'x' }] });
    expect(JSON.stringify(body)).not.toContain('priority');
    expect(await call('PATCH', '/codex-api-key', { match: 'z', value: {} })).toMatchObject(bad('item not found', 404));
    expect(await call('PATCH', '/codex-api-key', { index: 0, value: { 'base-url': '' } })).toMatchObject(OK);
    expect((await call('GET', '/codex-api-key')).body).toEqual({ 'codex-api-key': [] });
  });

  test('DELETE: 404 for gemini, 200 for others, ambiguity named', async () => {
    expect(await call('DELETE', '/gemini-api-key?api-key=none')).toMatchObject(bad('item not found', 404));
    expect(await call('DELETE', '/claude-api-key?api-key=none')).toMatchObject(OK);
    expect(await call('DELETE', '/claude-api-key')).toMatchObject(bad('missing api-key or index'));
    const two = ['https://a.example.test', 'https://b.example.test'].map((url) => ({
      'api-key': 'k',
      'base-url': url,
    }));
    await call('PUT', '/claude-api-key', two);
    expect(await call('PATCH', '/claude-api-key', { match: 'k', value: {} })).toMatchObject(
      bad('multiple items match; index is required'),
    );
    expect(await call('DELETE', '/claude-api-key?api-key=k')).toMatchObject(
      bad('multiple items match api-key; base-url is required'),
    );
    expect(await call('DELETE', `/claude-api-key?api-key=k&base-url=${two[0]?.['base-url']}`)).toMatchObject(OK);
    expect(await call('DELETE', '/openai-compatibility?name=northwind')).toMatchObject(OK);
    expect((await call('GET', '/openai-compatibility')).body).toEqual({ 'openai-compatibility': [] });
  });

  test('limits', async () => {
    const heavy = [{ ...entry, weight: 1_000_001 }];
    expect((await call('PUT', '/codex-api-key', heavy)).text).toContain('codex-api-key[0].weight');
    expect((await call('PUT', '/vertex-api-key', [{ 'base-url': 'https://v.example.test' }])).status).toBe(400);
    const twins = [{ 'api-key': 'g' }, { 'api-key': 'g' }];
    await call('PUT', '/gemini-api-key', twins);
    expect((await call('GET', '/gemini-api-key')).body).toMatchObject({ 'gemini-api-key': { length: 1 } });
  });
});

describe('OAuth maps', () => {
  test('set, patch, delete', async () => {
    expect((await call('GET', '/oauth-excluded-models')).body).toEqual({ 'oauth-excluded-models': null });
    expect(await call('PUT', '/oauth-excluded-models', { Codex: ['gpt-*'] })).toMatchObject(OK);
    expect(await call('PATCH', '/oauth-excluded-models', { provider: 'claude', models: ['a'] })).toMatchObject(OK);
    expect((await call('GET', '/oauth-excluded-models')).body).toEqual({
      'oauth-excluded-models': { codex: ['gpt-*'], claude: ['a'] },
    });
    expect(await call('PATCH', '/oauth-excluded-models', { provider: 'claude', models: [] })).toMatchObject(OK);
    expect(await call('DELETE', '/oauth-excluded-models?provider=claude')).toMatchObject(
      bad('provider not found', 404),
    );
    expect(
      await call('PATCH', '/oauth-model-alias', { channel: 'codex', aliases: [{ name: 'a', alias: 'b' }] }),
    ).toMatchObject(OK);
    expect(await call('DELETE', '/oauth-model-alias?provider=codex')).toMatchObject(OK);
    expect(await call('DELETE', '/oauth-model-alias?channel=codex')).toMatchObject(bad('channel not found', 404));
  });
});

describe('auth files', () => {
  test('filters, and their absence in old versions', async () => {
    const index = 'e645679a8a8d0dab';
    expect((await call('GET', `/auth-files?auth_index=${index}`)).body).toMatchObject({ files: { length: 1 } });
    expect((await call('GET', '/auth-files?name=simplugin-source.json')).body).toMatchObject({ files: { length: 2 } });
    simulator.setProfile('v7.1.39');
    expect((await call('GET', `/auth-files?auth_index=${index}`)).body).toMatchObject({ files: { length: 9 } });
  });

  test('members an old version does not know are left out', async () => {
    simulator.setProfile('v6.9.38');
    const { text } = await call('GET', '/auth-files');
    for (const member of ['"success"', 'recent_requests', 'websockets', '"weight"', 'request_retry'])
      expect(text).not.toContain(member);
  });

  test('each published event counts for its credential, delivered or not', async () => {
    const success = { ...eventLine(2), auth_index: '39e441f16ca65b37' };
    await simulator.publish(success, { count: 3 });
    simulator.setStats(false);
    await simulator.publish({ ...success, failed: true });
    simulator.advance(10 * 60_000);
    await simulator.publish(success);
    const { body } = await call('GET', '/auth-files?auth_index=39e441f16ca65b37');
    const [row] = (body as { files: { success: number; failed: number; recent_requests: JsonObject[] }[] }).files;
    expect([row?.success, row?.failed]).toEqual([46, 2]);
    expect(row?.recent_requests.slice(-2)).toEqual([
      { time: '08:00-08:10', success: 6, failed: 2 },
      { time: '08:10-08:20', success: 1, failed: 0 },
    ]);
    simulator.restart();
    expect((await call('GET', '/auth-files?auth_index=39e441f16ca65b37')).body).toMatchObject({
      files: [{ success: 0, failed: 0 }],
    });
  });

  test('status: shown at once in disabled, later in status; subscribers are told', async () => {
    const client = await subscribed(simulator);
    const name = 'claude-amber@example.test.json';
    expect(await call('PATCH', '/auth-files/status', { name, disabled: true })).toMatchObject({
      status: 200,
      body: { status: 'ok', disabled: true },
    });
    const row = async (): Promise<unknown> => (await call('GET', `/auth-files?name=${encodeURIComponent(name)}`)).body;
    expect(await row()).toMatchObject({ files: [{ disabled: true, status: 'active' }] });
    simulator.advance(1000);
    expect(await row()).toMatchObject({ files: [{ disabled: true, status: 'disabled' }] });
    const refresh = messageFrame('{"refresh":true}');
    expect(await client.read(refresh.length)).toBe(refresh);
  });

  test('status of virtual rows and of configured keys', async () => {
    const virtual = 'plugin virtual auth cannot be modified directly; edit or delete the source auth file';
    expect(await call('PATCH', '/auth-files/status', { name: 'plugin-virtual-a', disabled: true })).toMatchObject(
      bad(virtual, 409),
    );
    const key = { name: 'gemini-api-key-1', auth_index: '0e415a4bf29267d3', disabled: true };
    expect(await call('PATCH', '/auth-files/status', key)).toMatchObject({
      body: { status: 'ok', disabled: true, via: 'config:excluded-models', excluded_pattern: '*' },
    });
    expect((await call('GET', '/gemini-api-key')).text).toContain('"excluded-models":["*"]');
    expect(await call('PATCH', '/auth-files/status', { ...key, disabled: false })).toMatchObject({ status: 200 });
    expect((await call('GET', '/gemini-api-key')).text).not.toContain('excluded-models');
    const unknown = { ...key, auth_index: '0000000000000000' };
    expect(await call('PATCH', '/auth-files/status', unknown)).toMatchObject(
      bad('config api key entry not found', 404),
    );
  });

  for (const [body, error] of [
    ['x', 'invalid request body'],
    [{ disabled: true }, 'name is required'],
    [{ name: 'a.json' }, 'disabled is required'],
  ] as const) {
    test(`status refuses: ${error}`, async () => {
      expect(await call('PATCH', '/auth-files/status', body)).toMatchObject(bad(error));
    });
  }

  test('fields', async () => {
    const name = 'codex-stone@example.test-team.json';
    const path = '/auth-files/fields';
    expect(
      await call('PATCH', path, { name, note: 'n', 'request-retry': 2, headers: { A: '1', B: '2' }, 'nested.deep': 1 }),
    ).toMatchObject(OK);
    expect(await call('PATCH', path, { name, headers: { A: '' }, weight: 4 })).toMatchObject(OK);
    const file = await call('GET', `/auth-files/download?name=${encodeURIComponent(name)}`);
    expect(file.body).toMatchObject({
      note: 'n',
      request_retry: 2,
      headers: { B: '2' },
      nested: { deep: 1 },
      weight: 4,
    });
    expect(await call('PATCH', path, { name, weight: null, priority: 0 })).toMatchObject(OK);
    expect((await call('GET', `/auth-files?name=${encodeURIComponent(name)}`)).text).not.toContain('"weight"');
    expect(await call('PATCH', path, { name })).toMatchObject(bad('no fields to update'));
    expect(await call('PATCH', path, { name, weight: 1.5 })).toMatchObject(bad('weight must be an integer'));
    expect(await call('PATCH', path, { name, 'a..b': 1 })).toMatchObject(bad('invalid field a..b'));
    expect(await call('PATCH', path, { name: 'none.json', note: '' })).toMatchObject(bad('auth file not found', 404));
  });

  test('upload, download, models, delete', async () => {
    expect(await call('POST', '/auth-files?name=new.json', { type: 'codex', email: 'n@example.test' })).toMatchObject(
      OK,
    );
    expect((await call('GET', '/auth-files?name=new.json')).body).toMatchObject({
      files: [{ type: 'codex', email: 'n@example.test' }],
    });
    const file = await call('GET', '/auth-files/download?name=new.json');
    expect([file.body, file.headers.get('content-disposition')]).toEqual([
      { type: 'codex', email: 'n@example.test' },
      'attachment; filename="new.json"',
    ]);
    expect((await call('GET', '/auth-files/models?name=new.json')).text).toContain('gpt-5.4');
    expect((await call('GET', '/auth-files/models?name=x')).body).toEqual({ models: [] });
    expect(await call('GET', '/auth-files/models')).toMatchObject(bad('name is required'));
    expect(await call('DELETE', '/auth-files?name=new.json')).toMatchObject(OK);
    expect(await call('DELETE', '/auth-files?name=new.json')).toMatchObject(bad('auth file not found', 404));
    expect(await call('GET', '/auth-files/download?name=../x.json')).toMatchObject(bad('invalid name'));
    expect(await call('GET', '/auth-files/download?name=x.txt')).toMatchObject(bad('name must end with .json'));
    expect((await call('POST', '/auth-files?name=a.json', '\uFEFF{}')).status).toBe(500);
    expect(await call('POST', '/auth-files?name=a/b.json', '{}')).toMatchObject(bad('invalid name'));
  });

  test('a re-uploaded file keeps its index and counters', async () => {
    const name = 'claude-amber@example.test.json';
    await call('POST', `/auth-files?name=${name}`, { type: 'claude', email: 'other@example.test' });
    expect((await call('GET', `/auth-files?name=${name}`)).body).toMatchObject({
      files: [{ auth_index: '39e441f16ca65b37', success: 42 }],
    });
  });

  test('deleting all, and a source file with its rows', async () => {
    expect(await call('DELETE', '/auth-files', { name: 'plugin-virtual-a' })).toMatchObject({ status: 409 });
    expect(await call('DELETE', '/auth-files', { name: 'simplugin-source.json' })).toMatchObject(OK);
    expect(await call('DELETE', '/auth-files?all=true')).toMatchObject({ body: { status: 'ok', deleted: 7 } });
    expect((await call('GET', '/auth-files')).body).toEqual({ files: [] });
  });

  test('vertex import', async () => {
    const form = new FormData();
    const account = { project_id: 'sim-project-9', client_email: 'svc@sim.example.test', private_key: 'none' };
    form.append('file', new File([JSON.stringify(account)], 'sa.json'));
    const response = await fetch(`${simulator.url}/v0/management/vertex/import`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${KEY}` },
      body: form,
    });
    expect(await response.json()).toEqual({
      status: 'ok',
      'auth-file': '/sim/auths/vertex-sim-project-9.json',
      project_id: 'sim-project-9',
      email: 'svc@sim.example.test',
      location: 'us-central1',
    });
    expect(await call('POST', '/vertex/import')).toMatchObject(bad('file required'));
  });
});

describe('OAuth', () => {
  test('code flow: wait, paste the redirect, ok, and a file', async () => {
    const { body } = await call('GET', '/codex-auth-url?is_webui=true');
    const { state, url } = body as { state: string; url: string };
    expect(url).toBe(`https://auth.example.test/oauth/authorize?state=${state}`);
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
      'line-count': 4,
    });
    const seconds = Date.UTC(2026, 8, 1, 8, 0, 1) / 1000;
    expect((await call('GET', `/logs?after=${seconds}`)).body).toMatchObject({
      lines: { length: 2 },
      'latest-timestamp': seconds + 2,
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
    expect((await call('GET', '/plugins/simplugin/config')).body).toEqual({ enabled: false, mode: 'fast' });
    expect((await call('DELETE', '/plugins/simplugin')).body).toMatchObject({
      status: 'deleted',
      configured_removed: true,
    });
    expect((await call('GET', '/plugin-store')).body).toMatchObject({
      plugins: [{ id: 'simplugin', installed: false }],
    });
    expect((await call('POST', '/plugin-store/simplugin/install?version=1.2.0')).body).toMatchObject({
      status: 'installed',
      version: '1.2.0',
    });
    expect((await call('GET', '/plugins')).body).toMatchObject({ plugins: [{ id: 'simplugin', configured: false }] });
    expect(await call('GET', '/plugins/none/config')).toMatchObject({
      status: 404,
      body: { error: 'plugin_not_found' },
    });
    expect(await call('PATCH', '/plugins/..x/enabled', {})).toMatchObject({
      status: 400,
      body: { error: 'invalid_plugin_id' },
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

describe('the rest', () => {
  test('reset-quota, api-key-usage, model definitions', async () => {
    const auth_index = 'e645679a8a8d0dab';
    expect((await call('POST', '/reset-quota', { auth_index })).body).toEqual(
      samples['POST /v0/management/reset-quota'],
    );
    expect((await call('GET', `/auth-files?auth_index=${auth_index}`)).text).not.toContain('next_retry_after');
    expect(await call('POST', '/reset-quota', {})).toMatchObject(bad('auth_index is required'));
    expect(await call('POST', '/reset-quota', { auth_index: 'x' })).toMatchObject(bad('auth not found', 404));
    await simulator.publish(eventLine(1));
    expect((await call('GET', '/api-key-usage')).body).toMatchObject({
      northwind: {
        'https://llm.example.test/v1|sim-provider-key-9000': { success: 1, failed: 0, recent_requests: { length: 20 } },
      },
    });
    expect((await call('GET', '/model-definitions/GROK')).body).toMatchObject({ channel: 'xai' });
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
