import { describe, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { ADMIN, ADMIN_KEY } from '../../http/testing.ts';
import { readSetting } from '../../sqlite/settings.ts';
import { CONFIGURED, failure, setupWorld, startTestGateway } from './testing.ts';

const world = setupWorld();
const { call, setup, request, settingsText } = world;

describe('setup', () => {
  test('checks the key, enables publishing, saves both rows encrypted and starts the collector', async () => {
    const answer = await setup(request());
    expect(answer).toEqual({ status: 200, body: { ok: true, upstream: world.gateway.url } });
    expect(world.gateway.state.calls).toEqual([
      'GET /v0/management/config',
      'GET /v0/management/config',
      'PUT /v0/management/usage-statistics-enabled',
      '{"value":true}',
    ]);
    expect(world.manager.collector.told).toEqual([
      {
        connection: { baseUrl: world.gateway.url, managementKey: 'upstream-key' },
        settings: { ...CONFIGURED, collectorMode: 'auto' },
      },
    ]);
    expect(settingsText()).not.toContain('upstream-key');
    for (const key of ['setup', 'manager_config_v1'])
      expect(readSetting(world.db, key)?.value).toContain(world.gateway.url);
    expect(await call('GET', '/usage-service/info', undefined, {})).toMatchObject({
      body: { configured: true, setupRequired: false, migrationStatus: 'ready' },
    });
  });

  test.each([
    [{ upstreamUrl: 'URL', managementKey: 'upstream-key' }],
    [{ upstreamBaseUrl: 'URL', upstreamManagementKey: 'upstream-key', cpaManagementKey: '  ', managementKey: null }],
  ])('takes the other names of its fields: %j', async (body) => {
    expect((await setup(JSON.parse(JSON.stringify(body).replace('URL', world.gateway.url)))).status).toBe(200);
  });

  test('the text that stands for the stored key is that key, and needs one', async () => {
    const masked = request({ cpaManagementKey: ' ******** ' });
    expect(await setup(masked)).toMatchObject(failure(400, 'cpa_connection_required'));
    expect(world.gateway.state.calls).toEqual([]);
    await setup(request());
    // The gateway refuses any other key.
    expect(await setup(masked, ADMIN)).toMatchObject({ status: 200 });
  });

  test.each(['up\u0000key', 'up\r\nkey', 'ключ', 'caf\u00e9', '\ud800up'])(
    'a key that no header can carry is a 400 that contacts nobody: %j',
    async (cpaManagementKey) => {
      const answer = await setup(request({ cpaManagementKey }));
      expect(answer).toMatchObject(failure(400, 'management_key_not_sendable'));
      expect(JSON.stringify(answer.body)).not.toContain(JSON.stringify(cpaManagementKey).slice(1, -1));
      expect(world.gateway.state.calls).toEqual([]);
    },
  );

  test('uses the given settings and the configured ones for the rest', async () => {
    await setup(
      request({ collectorMode: 'RESP', queue: 'other', batchSize: 0, pollIntervalMs: 60_000, tlsSkipVerify: true }),
    );
    expect(world.manager.collector.told[0]).toMatchObject({
      settings: {
        collectorMode: 'resp',
        queue: 'other',
        popSide: 'left',
        batchSize: 7,
        pollIntervalMs: 60_000,
        tlsSkipVerify: true,
      },
    });
  });

  test('without monitoring sends exactly one request and keeps the collector stopped', async () => {
    expect((await setup(request({ requestMonitoringEnabled: false, pollIntervalMs: 9_000_000 }))).status).toBe(200);
    expect(world.gateway.state.calls).toEqual(['GET /v0/management/config']);
    expect(world.manager.collector.told).toEqual(['stop']);
  });

  test('can leave usage publishing unchanged', async () => {
    expect((await setup(request({ ensureUsageStatisticsEnabled: false }))).status).toBe(200);
    expect(world.gateway.state.calls).toHaveLength(2);
  });

  test('is safe to repeat, and needs the admin key from then on', async () => {
    await setup(request());
    expect(await setup(request())).toMatchObject(failure(401, 'invalid_admin_key'));
    expect(await setup(request({ adminKey: 'wrong' }))).toMatchObject(failure(401, 'invalid_admin_key'));
    expect((await setup(request({ adminKey: ADMIN_KEY }))).status).toBe(200);
    expect((await setup(request(), ADMIN)).status).toBe(200);
  });

  test('reports a mistyped admin key before it sends any request', async () => {
    expect(await setup(request({ adminKey: 'typo' }))).toMatchObject(failure(401, 'invalid_admin_key'));
    expect(await setup(request(), { authorization: 'Bearer typo' })).toMatchObject(failure(401, 'invalid_admin_key'));
    expect(await setup(request(), { authorization: 'Bearer upstream-key' })).toMatchObject(
      failure(401, 'invalid_admin_key'),
    );
    expect(world.gateway.state.calls).toEqual([]);
  });

  test('allows a new key at the same URL and the same key at a new URL, not both', async () => {
    await setup(request());
    world.gateway.state.key = 'rotated';
    expect((await setup(request({ cpaManagementKey: 'rotated' }), ADMIN)).status).toBe(200);

    const moved = startTestGateway();
    moved.state.key = 'rotated';
    const calls = moved.state.calls;
    expect(await setup({ cpaBaseUrl: moved.url, cpaManagementKey: 'third' }, ADMIN)).toMatchObject(
      failure(401, 'invalid_existing_management_key'),
    );
    expect(calls).toEqual([]);
    expect((await setup({ cpaBaseUrl: moved.url, cpaManagementKey: 'rotated' }, ADMIN)).status).toBe(200);
    await moved.server.stop(true);
  });

  test('with an environment connection can only repeat it', async () => {
    await world.restart({ baseUrl: world.gateway.url, managementKey: 'upstream-key' });
    expect(await setup(request())).toMatchObject(failure(401, 'invalid_admin_key'));
    for (const change of [
      { cpaBaseUrl: 'http://other' },
      { cpaManagementKey: 'x' },
      { queue: 'x' },
      { popSide: 'right' },
    ])
      expect(await setup(request(change), ADMIN)).toMatchObject(failure(409, 'setup_env_managed'));
    expect(world.gateway.state.calls).toEqual([]);
    expect((await setup(request({ queue: 'usage', collectorMode: 'resp' }), ADMIN)).status).toBe(200);
    expect(world.manager.collector.told).toMatchObject([{ settings: { collectorMode: 'http' } }]);
  });

  test('two at once do not mix', async () => {
    world.gateway.state.delayMs = 30;
    const other = startTestGateway();
    const [first, second] = await Promise.all([
      setup(request()),
      setup({ cpaBaseUrl: other.url, cpaManagementKey: 'upstream-key', adminKey: ADMIN_KEY }),
    ]);
    expect([first.status, second.status]).toEqual([200, 200]);
    const last = world.manager.collector.told.at(-1);
    expect(last).toMatchObject({ connection: world.manager.connection.effective().connection });
    await other.server.stop(true);
  });

  const refusals: readonly [string, object | string, () => void, number, string][] = [
    ['a blank URL', { cpaBaseUrl: ' ' }, () => {}, 400, 'cpa_connection_required'],
    ['a blank key', { cpaManagementKey: '' }, () => {}, 400, 'cpa_connection_required'],
    ['another scheme', { cpaBaseUrl: 'ftp://gateway' }, () => {}, 400, 'gateway_url_invalid'],
    ['a password in the URL', { cpaBaseUrl: 'http://a:hunter2@gateway' }, () => {}, 400, 'gateway_url_invalid'],
    ['numbers sent as text', { batchSize: '7' }, () => {}, 400, 'request_failed'],
    ['a body that is no JSON', '{', () => {}, 400, 'request_failed'],
    ['a wrong upstream key', { cpaManagementKey: 'no' }, () => {}, 502, 'management_api_validation_failed'],
    [
      'an upstream in trouble',
      {},
      () => {
        world.gateway.state.configStatus = 503;
      },
      502,
      'management_api_validation_failed',
    ],
    [
      'a redirect',
      {},
      () => {
        world.gateway.state.configStatus = 302;
        world.gateway.state.location = 'http://127.0.0.1:1/elsewhere';
      },
      502,
      'management_api_validation_failed',
    ],
    [
      'a page that is no configuration',
      {},
      () => {
        world.gateway.state.config = 'welcome';
      },
      502,
      'management_api_validation_failed',
    ],
    ['nobody listening', { cpaBaseUrl: 'http://127.0.0.1:1' }, () => {}, 502, 'request_failed'],
    [
      'no retention',
      {},
      () => {
        world.gateway.state.config = { 'redis-usage-queue-retention-seconds': 0 };
      },
      400,
      'cpa_usage_retention_invalid',
    ],
    ['polls rarer than 60 s by default', { pollIntervalMs: 60_001 }, () => {}, 400, 'poll_interval_exceeds_retention'],
    [
      'polls rarer than the retention',
      { pollIntervalMs: 10_001 },
      () => {
        world.gateway.state.config = { redisUsageQueueRetentionSeconds: '10' };
      },
      400,
      'poll_interval_exceeds_retention',
    ],
    [
      'publishing that cannot be switched on',
      {},
      () => {
        world.gateway.state.putStatus = 500;
      },
      502,
      'enable_cpa_usage_statistics_failed',
    ],
  ];
  test.each(refusals)('refuses %s and saves nothing', async (_, extra, prepare, status, code) => {
    prepare();
    const before = settingsText();
    const answer = typeof extra === 'string' ? await call('POST', '/setup', extra, {}) : await setup(request(extra));
    expect(answer).toMatchObject(failure(status, code));
    expect(JSON.stringify(answer.body)).not.toMatch(/upstream-key|hunter2/);
    expect(world.manager.collector.told).toEqual([]);
    expect(world.manager.connection.effective().source).toBe('');
    expect(settingsText()).toBe(before);
  });

  test('reports the status of a refusal', async () => {
    world.gateway.state.configStatus = 503;
    expect((await setup(request())).body.error).toContain('503');
  });

  test('refuses a URL that leads back to the manager itself', async () => {
    const answer = await setup({ cpaBaseUrl: world.manager.url, cpaManagementKey: 'upstream-key' });
    expect(answer).toMatchObject(failure(400, 'gateway_url_is_manager'));
    expect(answer.body.error).toContain('leads back');
  });

  test('refuses it also through a proxy that drops unknown headers', async () => {
    const proxy = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: (incoming) => fetch(world.manager.url + new URL(incoming.url).pathname),
    });
    const answer = await setup({ cpaBaseUrl: `http://127.0.0.1:${proxy.port}`, cpaManagementKey: 'k' });
    expect(answer).toMatchObject(failure(400, 'gateway_url_is_manager'));
    expect(answer.body.error).toContain('leads back');
    await proxy.stop(true);
  });
});

describe('a lost data key', () => {
  test('requires setup again, but only with the admin key', async () => {
    await setup(request());
    rmSync(join(world.directory, 'data.key'));
    await world.restart();
    expect((await call('GET', '/usage-service/info', undefined, {})).body).toMatchObject({
      dataKeyReady: false,
      setupRequired: true,
      configured: false,
    });
    expect(await setup(request())).toMatchObject(failure(401, 'invalid_admin_key'));
    expect((await call('GET', '/usage-service/config', undefined, {})).status).toBe(401);
    expect((await setup(request({ cpaManagementKey: 'upstream-key' }), ADMIN)).status).toBe(200);
    expect((await call('GET', '/usage-service/info', undefined, {})).body).toMatchObject({
      dataKeyReady: true,
      configured: true,
    });
  });
});
