import { afterEach, describe, expect, test } from 'bun:test';
import type { ProfileAlias, SimulatorOptions } from '@manager/simulator';
import { readConfigAnswer } from './config-answer.ts';
import { GatewayError } from './errors.ts';
import { type GatewayRig, startGatewayRig } from './testing.ts';

let rig: GatewayRig | null = null;
afterEach(async () => {
  await rig?.stop();
  rig = null;
});

async function start(options: SimulatorOptions = {}, key?: string): Promise<GatewayRig> {
  rig = await startGatewayRig(options, key);
  return rig;
}

async function failureOf(promise: Promise<unknown>): Promise<GatewayError> {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof GatewayError)) throw new Error('expected a failure');
  return error;
}

describe('configuration', () => {
  test('publishing, retention and version are read', async () => {
    const { management, connection } = await start({ retentionSeconds: 120, statsEnabled: false });
    expect(await management.readConfig(connection)).toMatchObject({
      usageStatisticsEnabled: false,
      retentionSeconds: 120,
      retentionFromDefault: false,
      version: '7.2.140',
    });
  });

  test('a retention that the configuration does not name is 60', async () => {
    const { management, connection } = await start({ profile: 'v6.9.38' });
    expect(await management.readConfig(connection)).toMatchObject({ retentionSeconds: 60, retentionFromDefault: true });
  });

  const spellings: readonly [body: string, seconds: number, fromDefault: boolean][] = [
    ['{"redis-usage-queue-retention-seconds":30}', 30, false],
    ['{"redisUsageQueueRetentionSeconds":"45"}', 45, false],
    ['{"redis-usage-queue-retention-seconds":0}', 0, false],
    ['{"redis-usage-queue-retention-seconds":null}', 60, true],
    ['{}', 60, true],
    ['\ufeff {"a":{"redis-usage-queue-retention-seconds":1},"redis-usage-queue-retention-seconds" : 7 }\n', 7, false],
    ['{"redis-usage-queue-retention-seconds":7,"redis-usage-queue-retention-seconds":[8]}', 60, true],
    [
      '{"redis-usage\\u002dqueue-retention-seconds":9,"text":"},{\\"redis-usage-queue-retention-seconds\\":1"}',
      9,
      false,
    ],
  ];
  test.each(spellings)('%s', (body, seconds, fromDefault) => {
    const config = readConfigAnswer(Buffer.from(body), null);
    expect([config.retentionSeconds, config.retentionFromDefault]).toEqual([seconds, fromDefault]);
  });

  test.each([
    ['[{}]', 'not an object'],
    ['7', 'not an object'],
    ['', 'not JSON'],
    ['{"a":1', 'not JSON'],
    ['{"a":1}}', 'not JSON'],
    ['{"usage-statistics-enabled":tru}', 'not JSON'],
    ['{a:1}', 'not JSON'],
  ])('%s is refused as %s', (body, reason) => {
    expect(() => readConfigAnswer(Buffer.from(body), null)).toThrow(reason);
  });

  test('the newest release is asked for, and unknown where the gateway has no internet access', async () => {
    const { management, connection } = await start();
    expect(await management.releases(connection)).toEqual({ running: '7.2.140', newest: '7.2.140' });
    await rig?.stop();
    const offline = await start({ internet: false });
    expect((await failureOf(offline.management.releases(offline.connection))).status).toBe(502);
  });

  test('publishing is enabled', async () => {
    const { management, connection, simulator } = await start({ statsEnabled: false });
    await management.setUsageStatistics(connection, true);
    expect((await management.readConfig(connection)).usageStatisticsEnabled).toBe(true);
    expect(simulator.requests({ method: 'PUT' })).toHaveLength(1);
  });

  test('a slow answer is waited for, a slower one times out', async () => {
    const { management, connection, simulator } = await start();
    simulator.fault({ kind: 'http', delayMs: 150 });
    expect((await management.readConfig(connection, { timeoutMs: 1_000 })).retentionSeconds).toBe(60);
    simulator.fault({ kind: 'http', delayMs: 2_000 });
    expect((await failureOf(management.readConfig(connection, { timeoutMs: 200 }))).kind).toBe('timeout');
  });
});

describe('refusals have a hint', () => {
  test('wrong key, then a ban', async () => {
    const { management, connection } = await start({}, 'sim-wrong-key');
    const errors: GatewayError[] = [];
    for (let count = 0; count < 6; count += 1) {
      const wrong = { ...connection, managementKey: `sim-wrong-key-${count}` };
      errors.push(await failureOf(management.readConfig(wrong, { explicit: true })));
    }
    expect(errors[0]?.message).toContain('save the current management key');
    expect(errors[5]?.message).toContain('wait until the ban ends');
    for (const error of errors) {
      expect(error.kind).toBe('key_refused');
      expect(error.message).not.toContain('sim-wrong-key');
    }
  });

  test('provider texts that the gateway repeats are shown without secrets', async () => {
    const { management, connection, simulator } = await start();
    const body = { detail: { session_token: 'abc' }, text: 'sk-abcdefgh of person@example.test is bad' };
    simulator.fault({ kind: 'http', respond: { status: 500, body } });
    expect((await failureOf(management.readConfig(connection))).message).toContain(
      '{"detail":{"session_token":"[redacted]"},"text":"[redacted] of p***@example.test is bad"}',
    );
  });

  test('remote management off', async () => {
    const { management, connection, simulator } = await start({ remoteAllowed: false, callerAddress: '10.1.2.3' });
    expect((await failureOf(management.readConfig(connection))).message).toContain('allow-remote');
    simulator.setRemote(true);
  });

  test.each(['off', 'home'] satisfies ProfileAlias[])('management %s', async (profile) => {
    const { management, connection } = await start({ profile });
    const error = await failureOf(management.readConfig(connection));
    expect(error.message).toContain('secret-key');
    expect(error.status).toBe(404);
  });

  test('another server at this address', async () => {
    const { management, connection, simulator } = await start();
    simulator.fault({ kind: 'http', respond: { status: 200, body: '<html>' } });
    expect((await failureOf(management.readConfig(connection))).message).toContain(
      'check that this is the address of the gateway',
    );
    simulator.fault({ kind: 'http', respond: { status: 301, headers: { Location: 'http://127.0.0.1:9/' } } });
    expect((await failureOf(management.readConfig(connection))).message).toContain('redirect');
  });

  test('at most three requests reach the gateway, over all transports', async () => {
    const { management, connection, simulator, gate, pass } = await start({}, 'sim-wrong-key');
    for (let count = 0; count < 4; count += 1) {
      await failureOf(management.readConfig(connection));
      await failureOf(management.authFiles.get(connection));
    }
    expect(simulator.requests()).toHaveLength(3);
    expect(gate.snapshot()?.tries).toBe(3);
    simulator.setKey('sim-wrong-key');
    expect((await failureOf(management.readConfig(connection))).kind).toBe('gate_shut');
    expect((await failureOf(management.readConfig(connection, { explicit: true }))).kind).toBe('gate_shut');
    pass(10 * 60_000);
    await management.readConfig(connection, { explicit: true });
    expect(gate.snapshot()).toBeNull();
    await management.readConfig(connection);
  });
});

test('requests at once, after the key was changed at the gateway, cost a check and not a ban', async () => {
  const { management, connection, simulator, gate, http, pass } = await start();
  await management.readConfig(connection);
  const call = () => http.call({ connection, method: 'GET', path: 'config', timeoutMs: 5_000 });
  const all = () => Promise.allSettled(Array.from({ length: 12 }, call));
  pass(60_000);
  expect((await all()).every(({ status }) => status === 'fulfilled')).toBe(true);
  const checks = () => simulator.requests({ path: '/v0/management/usage-statistics-enabled' }).length;
  expect(checks()).toBe(1);
  await all();
  expect(checks()).toBe(1);

  simulator.setKey('another-key');
  pass(60_000);
  simulator.clearRequests();
  expect((await all()).every(({ status }) => status === 'rejected')).toBe(true);
  expect(simulator.requests().map(({ status }) => status)).toEqual([401, 401, 401]);
  expect(gate.snapshot()?.tries).toBe(3);
});

describe('auth-file list', () => {
  const fetches = (gateway: GatewayRig) => gateway.simulator.requests({ path: '/v0/management/auth-files' }).length;

  test('is shared while it is fresh, also by concurrent calls', async () => {
    const gateway = await start();
    const startedAt = performance.now();
    const lists = await Promise.all([1, 2, 3].map(() => gateway.management.authFiles.get(gateway.connection)));
    expect(lists[0]?.files.length).toBeGreaterThan(0);
    expect(new Set(lists).size).toBe(1);
    await gateway.management.authFiles.get(gateway.connection);
    // On a busy machine it is not fresh any more.
    const expired = Math.floor((performance.now() - startedAt) / 200);
    expect(fetches(gateway)).toBeWithin(1, 2 + expired);
  });

  test('dropped in a storm, it is fetched once per interval', async () => {
    const gateway = await start();
    const startedAt = performance.now();
    while (performance.now() - startedAt < 300 || fetches(gateway) < 3) {
      gateway.management.authFiles.drop();
      await gateway.management.authFiles.get(gateway.connection);
    }
    const intervals = Math.ceil((performance.now() - startedAt) / 60);
    // One per interval, and the first.
    expect(fetches(gateway)).toBeLessThanOrEqual(intervals + 1);
  });

  test('a failed fetch returns the older copy, and throws without one', async () => {
    const gateway = await start();
    gateway.simulator.fault({ kind: 'http', respond: { status: 503 } });
    await failureOf(gateway.management.authFiles.get(gateway.connection));
    await Bun.sleep(70);
    const list = await gateway.management.authFiles.get(gateway.connection);
    gateway.simulator.fault({ kind: 'http', respond: { status: 503 }, times: 'always' });
    await Bun.sleep(210);
    expect(await gateway.management.authFiles.get(gateway.connection)).toBe(list);
    expect(fetches(gateway)).toBe(3);
  });

  test.each([
    { kind: 'auth-file-list', shape: 'wrapper', key: 'items' },
    { kind: 'auth-file-list', shape: 'bare-array' },
    { kind: 'auth-file-list', shape: 'missing-index' },
  ] as const)('shape %o is read', async (fault) => {
    const gateway = await start();
    gateway.simulator.fault(fault);
    expect((await gateway.management.authFiles.get(gateway.connection)).files.length).toBeGreaterThan(0);
  });

  test('a list above 64 MiB is refused without blocking the thread', async () => {
    const gateway = await start();
    gateway.simulator.fault({ kind: 'auth-file-list', shape: 'huge', bytes: 65 * 1024 * 1024 });
    let error: unknown = null;
    try {
      await gateway.management.authFiles.get(gateway.connection);
    } catch (reason) {
      error = reason;
    }
    // Too large, or too slow on a busy machine: both are errors.
    expect(error).toBeInstanceOf(GatewayError);
  });
});
