import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { startSimulator } from '../simulator.ts';
import { manage } from '../testing/raw-client.ts';
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

  test('refuses invalid YAML and values that cannot be loaded', async () => {
    expect(await call('PUT', '/config.yaml', 'a: [1')).toMatchObject({ status: 400, body: { error: 'invalid_yaml' } });
    expect(await call('PUT', '/config.yaml', 'port: "x"')).toMatchObject({
      status: 400,
      body: { error: 'invalid_yaml', message: expect.stringContaining('into int') },
    });
    simulator.fault({ kind: 'save-failure' });
    expect(await call('PUT', '/config.yaml', 'debug: true')).toMatchObject({
      status: 500,
      body: { error: 'write_failed' },
    });
  });

  test('the JSON view hides private parts and shows the default of an absent retention', async () => {
    simulator.setRetention(null);
    const { body, text } = await call('GET', '/config');
    for (const hidden of ['host', 'port', 'auth-dir', 'remote-management']) expect(body).not.toHaveProperty([hidden]);
    expect(body).toMatchObject({
      'redis-usage-queue-retention-seconds': 60,
      plugins: { configs: { simplugin: { enabled: true, priority: 1 } } },
    });
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
    future: { kept: false },
  };

  test('entries are cleaned, unknown members dropped, the index computed and not stored', async () => {
    const listed = [{ ...entry, 'auth-index': 'ffffffffffffffff', prefix: '/team/' }, { 'api-key': 'dropped' }];
    expect(await call('PUT', '/codex-api-key', listed)).toMatchObject(OK);
    const { body } = await call('GET', '/codex-api-key');
    expect(body).toEqual({
      'codex-api-key': [
        {
          'api-key': 'k',
          'base-url': 'https://codex.example.test',
          'excluded-models': ['a*'],
          'proxy-url': '',
          prefix: 'team',
          'auth-index': expect.stringMatching(/^[0-9a-f]{16}$/),
        },
      ],
    } as never);
    expect(simulator.configYaml()).not.toContain('auth-index');
  });

  test('PATCH by index and match leaves some members alone; an emptied base URL deletes', async () => {
    await call('PUT', '/codex-api-key', [entry]);
    expect(await call('PATCH', '/codex-api-key', { match: 'k', value: { priority: 9, weight: 2 } })).toMatchObject(OK);
    const { body } = await call('GET', '/codex-api-key');
    expect(body).toMatchObject({ 'codex-api-key': [{ weight: 2 }] });
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
