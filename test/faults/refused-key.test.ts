import { afterAll, expect, test } from 'bun:test';
import { until } from '@manager/core/testing/until';
import { ManagerProcess } from '../support/manager-process.ts';
import { readStatus } from '../support/status.ts';
import { startUpstream, TEST_UPSTREAM_KEY } from '../support/upstream.ts';

const managers: ManagerProcess[] = [];
afterAll(async () => {
  for (const manager of managers) await manager.remove();
});

test('a refused management key is tried at most three times, once more after a restart, and a corrected key works at once', async () => {
  const upstream = await startUpstream({ managementKey: 'first-key' });
  let manager = await ManagerProcess.start();
  managers.push(manager);
  const connect = (key: string) =>
    manager.fetch('/setup', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ cpaBaseUrl: upstream.url, cpaManagementKey: key }),
    });
  expect((await connect('first-key')).status).toBe(200);
  await until(async () => (await readStatus(manager)).collector.collector === 'running');

  // The key changes at the gateway; an open panel keeps sending requests.
  upstream.clearRequests();
  upstream.setKey(TEST_UPSTREAM_KEY);
  upstream.disconnect('all');
  const attempts = () =>
    upstream
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
  expect(upstream.bans().every((ban) => ban.bannedUntilMs === null)).toBe(true);

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
  await manager.stop();
  await upstream.stop();
}, 180_000);

test('a wrong key at setup is reported, and nothing is saved', async () => {
  const upstream = await startUpstream();
  const manager = await ManagerProcess.start();
  managers.push(manager);
  const answer = await manager.fetch('/setup', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ cpaBaseUrl: upstream.url, cpaManagementKey: 'wrong' }),
  });
  expect(answer.status).toBe(502);
  expect(await answer.json()).toMatchObject({ code: 'management_api_validation_failed' });
  expect(await manager.json('/usage-service/info')).toMatchObject({ configured: false, setupRequired: true });
  await upstream.stop();
});
