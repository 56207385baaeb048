import { expect, test } from 'bun:test';
import { accountFile } from '../accounts/account-files.ts';
import { simulatorStarter } from '../testing/start.ts';
import type { Simulator } from '../types.ts';
import { callSimulator, simulatorClient } from './client.ts';

const startWith = simulatorStarter();
let simulator: Simulator;

async function start(): Promise<string> {
  simulator = await startWith({ controlPort: 0 });
  return simulator.controlUrl;
}

test('every method of the interface can be called', async () => {
  const url = await start();
  const response = await fetch(url);
  const { methods } = (await response.json()) as { methods: string[] };
  const inProcess = Object.entries(simulator).filter(
    ([name, member]) => typeof member === 'function' && name !== 'stop',
  );
  for (const [name] of inProcess) expect(methods).toContain(name);
});

test('publish, read, advance, pop', async () => {
  const url = await start();
  expect(await callSimulator(url, 'publish', '{"n":1}', { count: 3, number: 10 })).toBe(3);
  expect(await callSimulator(url, 'publishBytes', Buffer.from([0xff, 0x00]).toString('base64'))).toBe(1);
  expect(await callSimulator(url, 'queueLength')).toBe(4);
  const before = Number(await callSimulator(url, 'now'));
  await callSimulator(url, 'advance', 61_000);
  expect(await callSimulator(url, 'now')).toBe(before + 61_000);
  await callSimulator(url, 'publish', { provider: 'codex' });
  expect(await callSimulator(url, 'deliveries', { lostEvents: true })).toMatchObject({
    published: 5,
    dropped: 4,
    lostEvents: [{ number: 10 }, { number: 11 }, { number: 12 }],
  });
});

test('faults, profile, key and traffic', async () => {
  const url = await start();
  const id = await callSimulator(url, 'fault', { kind: 'http', respond: { status: 503 }, times: 'always' });
  expect((await fetch(`${simulator.url}/healthz`)).status).toBe(503);
  await callSimulator(url, 'clearFaults', id);
  expect((await fetch(`${simulator.url}/healthz`)).status).toBe(200);
  await callSimulator(url, 'setProfile', 'v6.9');
  expect(await callSimulator(url, 'profile')).toBe('v6.9.38');
  const traffic = await callSimulator(url, 'startTraffic', { rate: 2000, total: 100, events: { numberFrom: 5 } });
  let state: unknown = null;
  while (state === null || (state as { done: boolean }).done !== true) {
    await Bun.sleep(10);
    state = await callSimulator(url, 'traffic', traffic);
  }
  expect(state).toEqual({ sent: 100, done: true });
  expect(await callSimulator(url, 'fate', 104)).toEqual({ state: 'queued' });
});

test('a typed client: accounts, an operator, events and the journal from another process', async () => {
  const client = simulatorClient(await start());
  await client.addAuthFile(accountFile({ provider: 'codex', email: 'a@example.test' }));
  const name = 'codex-a@example.test.json';
  await client.setAccount(name, { state: 'revoked' });
  expect(await client.account(name)).toMatchObject({ state: 'revoked', primary: { usedPercent: 20 } });
  const hook = await client.hook({ on: 'list', actions: [{ do: 'disable', account: name }] });
  await fetch(`${simulator.url}/v0/management/auth-files`, {
    headers: { Authorization: 'Bearer sim-management-key' },
  });
  expect(await client.hookFired(hook)).toBe(1);
  expect(await client.mutations({ by: 'operator' })).toMatchObject([{ kind: 'status', names: [name] }]);
  const { requestId } = await client.publishFor(name, { kind: 'token-revoked' });
  expect(requestId).toMatch(/^[0-9a-f]{8}$/);
  expect(await client.queueLength()).toBe(1);
  expect((await client.activity()).byKind.list?.total).toBe(1);
  await expect(client.operate({ do: 'delete', account: 'none' })).rejects.toThrow('no account none');
});

test('unknown methods and failures are reported', async () => {
  const url = await start();
  await expect(callSimulator(url, 'nothing')).rejects.toThrow('unknown method');
  await expect(callSimulator(url, 'setProfile', 'v1')).rejects.toThrow('unknown profile');
});
