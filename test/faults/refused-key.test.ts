import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '@manager/core/testing/until';
import { ManagerProcess, temporaryFolder } from '../support/manager-process.ts';
import { readStatus } from '../support/status.ts';
import { boundTo, type Simulator, startTestGateway, TEST_UPSTREAM_KEY } from '../support/test-gateway.ts';

// The machine may be busy; every wait has its own shorter deadline.
setDefaultTimeout(180_000);

const PRELOAD = join(import.meta.dir, '..', 'support', 'preload-shifted-clock.ts');
const MODES = ['auto', 'subscribe', 'http', 'resp'];

const managers: ManagerProcess[] = [];
const folders: string[] = [];
afterAll(async () => {
  for (const manager of managers) await manager.remove();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

test('a refused management key is tried at most three times, once more after a restart, and a corrected key works at once', async () => {
  const gateway = await startTestGateway({ managementKey: 'first-key' });
  let manager = await ManagerProcess.start();
  managers.push(manager);
  const connect = (key: string) =>
    manager.fetch('/setup', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ cpaBaseUrl: gateway.url, cpaManagementKey: key }),
    });
  expect((await connect('first-key')).status).toBe(200);
  await until(async () => (await readStatus(manager)).collector.collector === 'running');

  // The key changes at the gateway; an open panel keeps sending requests.
  gateway.clearRequests();
  gateway.setKey(TEST_UPSTREAM_KEY);
  gateway.disconnect('all');
  const attempts = () =>
    gateway
      .requests()
      .filter((request) => request.status === 401 || request.status === 403 || request.reply.startsWith('-ERR')).length;
  const poll = async () => {
    for (let index = 0; index < 20; index++) {
      await manager.fetch('/v0/management/config');
      await manager.fetch('/v0/management/auth-files');
      await manager.fetch('/usage-service/config');
      await manager.fetch('/status');
    }
  };
  const refused = await until(async () => {
    await poll();
    const status = await readStatus(manager);
    const { keyRefused, lastError } = status.collector;
    return keyRefused && keyRefused.tries >= 3 && /key/i.test(lastError) ? status : null;
  }, 'the key to be given up');
  await poll();
  expect(attempts()).toBe(3);
  expect(refused.collector.collector).toBe('error');
  expect(gateway.bans().every((ban) => ban.bannedUntilMs === null)).toBe(true);

  await manager.stop();
  manager = await ManagerProcess.start({ dataDir: manager.dataDir });
  managers.push(manager);
  await Bun.sleep(1500);
  await poll();
  expect(attempts()).toBe(4);
  expect((await manager.fetch('/v0/management/config')).status).toBe(502);

  expect((await connect(TEST_UPSTREAM_KEY)).status).toBe(200);
  await until(async () => (await readStatus(manager)).collector.collector === 'running');
  expect((await readStatus(manager)).collector.keyRefused).toBeUndefined();
  expect((await manager.fetch('/v0/management/config')).status).toBe(200);

  // A page that opens later sends its requests at once.
  gateway.setKey('a-third-key');
  gateway.clearRequests();
  await Bun.sleep(300);
  const burst = await Promise.all(Array.from({ length: 12 }, () => manager.fetch('/v0/management/config')));
  expect(burst.every(({ status }) => status === 502)).toBe(true);
  expect(attempts()).toBeLessThan(5);
  expect(gateway.bans().every((ban) => ban.bannedUntilMs === null)).toBe(true);
  await manager.stop();
  await gateway.stop();
});

test('a wrong key at setup is reported, and nothing is saved', async () => {
  const gateway = await startTestGateway();
  const manager = await ManagerProcess.start();
  managers.push(manager);
  const answer = await manager.fetch('/setup', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ cpaBaseUrl: gateway.url, cpaManagementKey: 'wrong' }),
  });
  expect(answer.status).toBe(502);
  expect(await answer.json()).toMatchObject({ code: 'management_api_validation_failed' });
  expect(await manager.json('/usage-service/info')).toMatchObject({ configured: false, setupRequired: true });
  await gateway.stop();
});

/** A refusal of the right key: how it begins and ends at the gateway, and how long the manager waits. */
interface Cause {
  readonly reason: string;
  readonly words: string;
  readonly waitMs: number;
  begin(gateway: Simulator): void;
  end(gateway: Simulator): void;
}

const CAUSES: readonly Cause[] = [
  {
    reason: 'remote_disabled',
    words: 'set remote-management.allow-remote to true',
    waitMs: 60_000,
    begin(gateway) {
      gateway.setCallerAddress('10.1.2.3');
      gateway.setRemote(false);
    },
    end: (gateway) => gateway.setRemote(true),
  },
  {
    reason: 'key_not_set',
    words: 'remote management key not set',
    waitMs: 60_000,
    begin: (gateway) => gateway.setKey(''),
    end: (gateway) => gateway.setKey(TEST_UPSTREAM_KEY),
  },
];

const reasonOf = async (manager: ManagerProcess) => (await readStatus(manager)).collector.keyRefused?.reason;

describe('a refusal that is not the fault of the key', () => {
  test.each(CAUSES)(
    '$reason: shown with its own words, and saving the same connection tries it at once',
    async (cause) => {
      const gateway = await startTestGateway();
      const manager = await ManagerProcess.start({ env: boundTo(gateway, 'http') });
      managers.push(manager);
      const running = async () => (await readStatus(manager)).collector.collector === 'running';
      const save = async () => {
        const { config } = await manager.json<{ config: unknown }>('/usage-service/config');
        return manager.fetch('/usage-service/config', {
          method: 'PUT',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ config }),
        });
      };
      await until(running);
      cause.begin(gateway);
      gateway.disconnect('all');
      await until(async () => (await reasonOf(manager)) === cause.reason, 'the reason');
      const shut = await until(async () => {
        const { lastError } = (await readStatus(manager)).collector;
        return lastError.includes('retried every 60 s') ? lastError : '';
      }, 'the words');
      expect(shut).toContain(cause.words);
      expect((await save()).status).toBe(502);
      expect(await reasonOf(manager)).toBe(cause.reason);
      cause.end(gateway);
      expect((await save()).status).toBe(200);
      await until(running, 'running');
      expect(await reasonOf(manager)).toBeUndefined();
      await manager.stop();
      await gateway.stop();
    },
  );

  test.each(MODES)('mode %s: it is tried again when it can have ended, however often that is', async (mode) => {
    const gateway = await startTestGateway({ remoteAllowed: false, callerAddress: '10.1.2.3', clock: 'controlled' });
    const dataDir = temporaryFolder();
    folders.push(dataDir);
    const clockFile = join(dataDir, 'clock');
    let shiftMs = 0;
    const pass = (ms: number) => {
      shiftMs += ms;
      writeFileSync(clockFile, String(shiftMs));
      gateway.advance(ms);
    };
    pass(0);
    const manager = await ManagerProcess.start({
      dataDir,
      env: { ...boundTo(gateway, mode), SHIFTED_CLOCK_FILE: clockFile },
      preload: PRELOAD,
    });
    managers.push(manager);
    const refused = () => until(async () => (await readStatus(manager)).collector.keyRefused, 'a refusal');
    const answers: string[] = [];
    for (let minute = 0; minute < 6; minute += 1) {
      const { tries } = await refused();
      pass(60_000);
      // An open panel, which does not wait as the collector does after a failure.
      await until(async () => {
        const answer = await manager.fetch('/v0/management/config');
        answers.push(`${answer.status} ${await answer.text()}`);
        return (await refused()).tries > tries;
      }, 'the next try');
    }
    expect((await refused()).reason).toBe('remote_disabled');
    // Asked, or kept back by the gate.
    const wrong = answers.filter((text) => !/^502 .*the gateway refuses the manager: .*allow-remote/.test(text));
    expect(wrong).toEqual([]);
    expect((await readStatus(manager)).collector.lastError).not.toContain('{');
    expect(gateway.bans()).toEqual([]);

    // Somebody else with this address gets it banned, and the manager meets the ban.
    gateway.setRemote(true);
    for (let count = 0; count < 5; count += 1) {
      await fetch(`${gateway.url}/v0/management/config`, { headers: { Authorization: 'Bearer wrong' } });
    }
    expect(gateway.bans()).toMatchObject([{ bannedUntilMs: expect.any(Number) }]);
    pass(60_000);
    const banned = await until(async () => {
      await manager.fetch('/v0/management/config');
      const now = await refused();
      return now.reason === 'address_banned' ? now : null;
    }, 'the ban');
    // The end that the gateway stated: 30 minutes, one of which is over.
    const untilEndMs = banned.nextTryAtMs - banned.lastAtMs;
    expect(untilEndMs).toBeGreaterThan(28 * 60_000);
    expect(untilEndMs).toBeLessThan(30 * 60_000);
    pass(untilEndMs);
    await until(async () => (await manager.fetch('/v0/management/config')).ok, 'the end of the ban');
    await until(async () => (await readStatus(manager)).collector.collector === 'running', 'running');
    expect(await reasonOf(manager)).toBeUndefined();
    await manager.stop();
    await gateway.stop();
  });
});
