import { afterAll, expect, test } from 'bun:test';
import { until } from '@manager/core/testing/until';
import { readGaps } from '../support/gaps.ts';
import { ManagerProcess } from '../support/manager-process.ts';
import { readStatus } from '../support/status.ts';
import { boundTo, startTestGateway } from '../support/test-gateway.ts';

const managers: ManagerProcess[] = [];
afterAll(async () => {
  for (const manager of managers) await manager.remove();
});

/** Well before the next regular reading of the gateway's configuration. */
const SOON_MS = 30_000;

test('publishing that a person switches through the manager shows at once, with the gap', async () => {
  const gateway = await startTestGateway();
  const manager = await ManagerProcess.start({ env: boundTo(gateway) });
  managers.push(manager);
  await until(async () => (await readStatus(manager)).collector.collector === 'running');
  await until(() => gateway.requests({ path: '/v0/management/auth-files' }).length > 0, 'the first reading');
  const publish = (value: boolean) =>
    manager.fetch('/v0/management/usage-statistics-enabled', {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ value }),
    });

  expect((await publish(false)).status).toBe(200);
  const off = await until(
    async () => {
      const { collector } = await readStatus(manager);
      return collector.starvedReason === 'publishing_off' ? collector : null;
    },
    'publishing to be seen off',
    SOON_MS,
  );
  expect(off.starved).toBe(true);
  expect(off.gaps.open).toEqual(['publishing_off']);

  const yaml = await (await manager.fetch('/v0/management/config.yaml')).text();
  const saved = await manager.fetch('/v0/management/config.yaml', {
    method: 'PUT',
    headers: { 'Content-Type': 'application/yaml' },
    body: yaml.replace(/usage-statistics-enabled: *false/, 'usage-statistics-enabled: true'),
  });
  expect(saved.status).toBe(200);
  const on = await until(
    async () => {
      const { collector } = await readStatus(manager);
      return collector.starved ? null : collector;
    },
    'publishing to be seen on',
    SOON_MS,
  );
  expect(on.gaps.open).toEqual([]);
  await manager.stop();
  expect(readGaps(manager.dataDir)).toMatchObject([{ kind: 'publishing_off', to_ms: expect.any(Number) }]);
  await gateway.stop();
}, 240_000);
