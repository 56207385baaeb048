import { describe, expect, test } from 'bun:test';
import { configResponseSchema } from '@manager/core/contract/settings/config';
import { readSetting } from '../../sqlite/settings.ts';
import { failure, setupWorld, startTestGateway } from './testing.ts';

const world = setupWorld();
const { call, setup, request, save } = world;

const KEPT = { managementKeyConfigured: true, managementKey: '********' };

describe('reading the configuration', () => {
  test('is open until setup, then needs the key, and never shows the management key', async () => {
    const before = await call('GET', '/usage-service/config', undefined, {});
    expect(before.status).toBe(200);
    expect(before.body.source).toBe('');
    expect(before.body.config?.cpaConnection).toEqual({ cpaBaseUrl: '', managementKeyConfigured: false });
    await setup(request());
    expect(await call('GET', '/usage-service/config', undefined, {})).toMatchObject(failure(401, 'invalid_admin_key'));

    world.gateway.state.config = { 'usage-statistics-enabled': true, 'redis-usage-queue-retention-seconds': '120' };
    const after = await call('GET', '/usage-service/config');
    expect(configResponseSchema.safeParse(after.body).error).toBeUndefined();
    expect(JSON.stringify(after.body)).not.toContain('upstream-key');
    expect(after.body).toMatchObject({
      source: 'db',
      config: {
        cpaConnection: { cpaBaseUrl: world.gateway.url, ...KEPT },
        collector: { enabled: true, collectorMode: 'auto', popSide: 'left', batchSize: 7 },
        codexInspection: { targetTypes: ['codex'] },
        externalUsageService: { enabled: false },
        updatedAtMs: world.clock,
      },
      cpaUsage: { usageStatisticsEnabled: true, redisUsageQueueRetentionSeconds: 120, retentionSourceDefault: false },
    });
    expect(after.body.config?.collector).not.toHaveProperty('tlsSkipVerify');
  });

  test('works without the gateway', async () => {
    await setup(request());
    world.gateway.state.configStatus = 500;
    const answer = await call('GET', '/usage-service/config');
    expect(answer.status).toBe(200);
    expect(answer.body).not.toHaveProperty('cpaUsage');
  });
});

describe('saving the configuration', () => {
  test('the text that stands for the stored key keeps it', async () => {
    await setup(request());
    const { body } = await call('GET', '/usage-service/config');
    expect(await save(body.config ?? {})).toMatchObject({ status: 200, body: { config: { cpaConnection: KEPT } } });
    // Read with the key.
    expect((await call('GET', '/usage-service/config')).body).toHaveProperty('cpaUsage');
  });

  test('keeps blank or absent values, except the TLS flag', async () => {
    await setup(request({ collectorMode: 'subscribe', tlsSkipVerify: true }));
    world.clock += 1000;
    const answer = await save({
      cpaConnection: { cpaBaseUrl: ' ', managementKey: '' },
      collector: { queue: '', popSide: null, batchSize: 0, pollIntervalMs: -1, queryLimit: 9 },
      externalUsageService: { enabled: true },
    });
    expect(answer.status).toBe(200);
    expect(configResponseSchema.safeParse(answer.body).error).toBeUndefined();
    expect(answer.body).toEqual({
      source: 'db',
      config: {
        cpaConnection: { cpaBaseUrl: world.gateway.url, ...KEPT },
        collector: {
          enabled: true,
          collectorMode: 'subscribe',
          queue: 'usage',
          popSide: 'left',
          batchSize: 7,
          pollIntervalMs: 500,
          queryLimit: 9,
        },
        codexInspection: expect.anything(),
        externalUsageService: { enabled: false },
        updatedAtMs: world.clock,
      },
    });
  });

  test('without a collector keeps all of it', async () => {
    await setup(request({ collectorMode: 'subscribe', tlsSkipVerify: true }));
    const before = (await call('GET', '/usage-service/config')).body.config?.collector;
    for (const config of [{ codexInspection: { workers: 9 } }, { collector: null }, {}]) await save(config);
    expect((await call('GET', '/usage-service/config')).body.config?.collector).toEqual(before);
    expect(before).toMatchObject({ tlsSkipVerify: true });
  });

  test('restarts the collector only when its values changed, or after an error', async () => {
    await setup(request());
    await save({ collector: { queryLimit: 5 } });
    await save({ codexInspection: { workers: 9 } });
    expect(world.manager.collector.told).toHaveLength(1);
    await save({ collector: { batchSize: 8 } });
    expect(world.manager.collector.told).toHaveLength(2);
    world.manager.collector.state.now = 'error';
    await save({});
    expect(world.manager.collector.told).toHaveLength(3);
    await save({ collector: { enabled: false } });
    expect(world.manager.collector.told.at(-1)).toBe('stop');
  });

  test('a disabled collector stays disabled after a restart', async () => {
    await setup(request());
    await save({ collector: { enabled: false } });
    await world.restart();
    expect(world.manager.connection.collectorTarget()).toBeNull();
    expect((await call('GET', '/usage-service/config')).body.config?.collector.enabled).toBe(false);
  });

  test('without monitoring sends one request to the gateway', async () => {
    await setup(request());
    world.gateway.state.calls.length = 0;
    await save({ collector: { enabled: false } });
    expect(world.gateway.state.calls).toEqual(['GET /v0/management/config']);
  });

  test('can change URL and key at once', async () => {
    await setup(request());
    const other = startTestGateway();
    other.state.key = 'other-key';
    expect((await save({ cpaConnection: { cpaBaseUrl: other.url, managementKey: 'other-key' } })).status).toBe(200);
    expect(world.manager.collector.told.at(-1)).toMatchObject({ connection: { baseUrl: other.url } });
    await other.server.stop(true);
  });

  test('is the explicit retry that opens the gate of a refused key', async () => {
    await setup(request());
    world.gateway.state.key = 'changed-upstream';
    for (let attempt = 0; attempt < 5; attempt += 1) await call('GET', '/usage-service/config');
    expect(world.manager.gate.snapshot()).not.toBeNull();
    const asked = world.gateway.state.calls.length;
    await call('GET', '/usage-service/config');
    expect(world.gateway.state.calls).toHaveLength(asked);
    world.gateway.state.key = 'upstream-key';
    expect(await save({})).toMatchObject(failure(429, 'management_key_recently_rejected'));
    expect(world.gateway.state.calls).toHaveLength(asked);
    world.clock += 10 * 60_000;
    expect((await save({})).status).toBe(200);
    expect(world.manager.gate.snapshot()).toBeNull();
  });

  test('two panels saving different fields lose nothing', async () => {
    await setup(request());
    world.gateway.state.delayMs = 20;
    await Promise.all([save({ collector: { batchSize: 33 } }), save({ codexInspection: { workers: 9 } })]);
    const { config } = (await call('GET', '/usage-service/config')).body;
    expect([config?.collector.batchSize, config?.codexInspection.workers]).toEqual([33, 9]);
  });

  test('without a connection saves only the settings, as long as monitoring is disabled', async () => {
    expect(await save({ collector: { enabled: true } })).toMatchObject(
      failure(400, 'cpa_connection_required_for_monitoring'),
    );
    expect(await save({ cpaConnection: { cpaBaseUrl: world.gateway.url } })).toMatchObject(
      failure(400, 'cpa_connection_required'),
    );
    expect(await save({ cpaConnection: { managementKey: 'k' } })).toMatchObject(
      failure(400, 'cpa_connection_required'),
    );
    expect(readSetting(world.db, 'manager_config_v1')).toBeNull();

    const answer = await save({ collector: { enabled: false, batchSize: 3 } });
    expect(answer).toMatchObject({ status: 200, body: { source: '', config: { collector: { batchSize: 3 } } } });
    expect(readSetting(world.db, 'setup')).toBeNull();
    expect(world.gateway.state.calls).toEqual([]);
    expect(world.manager.collector.told).toEqual(['stop']);
  });

  test.each([
    [{ codexInspection: { schedule: { timeZone: 'Nowhere/City' } } }, 400, 'invalid_time_zone'],
    [{ codexInspection: { targetTypes: ['unknown'] } }, 400, 'request_failed'],
    [{ collector: { batchSize: 'many' } }, 400, 'request_failed'],
    [{ cpaConnection: { cpaBaseUrl: 'http://gateway?x=1' } }, 400, 'gateway_url_invalid'],
    [{ collector: { pollIntervalMs: 60_001 } }, 400, 'poll_interval_exceeds_retention'],
    [{ cpaConnection: { managementKey: 'wrong' } }, 502, 'management_api_validation_failed'],
  ])('refuses %j and changes nothing', async (config, status, code) => {
    await setup(request());
    const before = readSetting(world.db, 'manager_config_v1');
    world.clock += 1;
    expect(await save(config)).toMatchObject(failure(status, code));
    expect(readSetting(world.db, 'manager_config_v1')).toEqual(before);
    expect(world.manager.collector.told).toHaveLength(1);
  });

  test('a body without a configuration is refused', async () => {
    expect(await call('PUT', '/usage-service/config', {})).toMatchObject(failure(400, 'request_failed'));
    expect(await call('PUT', '/usage-service/config', 'x'.repeat(300_000))).toMatchObject(
      failure(413, 'request_failed'),
    );
  });

  test('under an environment connection changes only the query limit and the inspection', async () => {
    await world.restart({ baseUrl: world.gateway.url, managementKey: 'upstream-key' });
    for (const config of [
      { cpaConnection: { cpaBaseUrl: 'http://other' } },
      { cpaConnection: { managementKey: 'x' } },
      { collector: { enabled: false } },
      { collector: { collectorMode: 'resp' } },
      { collector: { queue: 'x' } },
      { collector: { popSide: 'right' } },
      { collector: { batchSize: 1 } },
      { collector: { pollIntervalMs: 1 } },
      { collector: { tlsSkipVerify: true } },
    ])
      expect(await save(config)).toMatchObject(failure(409, 'connection_env_managed'));
    expect(world.gateway.state.calls).toEqual([]);

    const same = { cpaBaseUrl: `${world.gateway.url}/`, managementKey: 'upstream-key' };
    const answer = await save({ cpaConnection: same, collector: { queryLimit: 5 }, codexInspection: { workers: 9 } });
    expect(answer).toMatchObject({ status: 200, body: { source: 'env', config: { codexInspection: { workers: 9 } } } });
  });
});
