import { afterEach, beforeEach, expect, test } from 'bun:test';
import { accountFile } from '@manager/simulator';
import { type ClaimsRig, startClaimsRig } from './testing.ts';

const NAMES = ['off.json', 'on.json', 'gone.json'];

let rig: ClaimsRig;
const settleAll = async () => (await rig.gatewayAccounts.claims.settleAll(new AbortController().signal)).left;

beforeEach(async () => {
  rig = await startClaimsRig({
    authFiles: [...NAMES.map((name) => accountFile({ provider: 'codex', name, email: `${name}@example.test` }))],
  });
  rig.gatewayAccounts.claims.register({ kind: 'once', retries: false });
  rig.gatewayAccounts.claims.register({ kind: 'again', retries: true });
});
afterEach(() => rig.stop());

test.each([
  ['once', 'disabling', ['off.json held']],
  ['again', 'disabling', ['off.json held']],
  ['once', 'enabling', ['off.json held']],
] as const)('of %s %s accounts those are held that are disabled now', async (owner, state, expected) => {
  for (const name of NAMES) await rig.claim(owner, name, state);
  rig.simulator.operate({ do: 'disable', account: 'off.json' });
  rig.simulator.operate({ do: 'delete', account: 'gone.json' });
  expect(await settleAll()).toBe(0);
  expect(await rig.states(owner)).toEqual([...expected]);
});

test('an account that was not disabled is requested again, if its owner retries', async () => {
  for (const owner of ['once', 'again']) await rig.claim(owner, 'on.json', 'disabling');
  expect(await settleAll()).toBe(0);
  const due = { state: 'requested', nowMs: Date.now(), aheadMs: 0, limit: 10 } as const;
  const requested = async (owner: string) => (await rig.store.reader.run('dueClaims', { ...due, owner })).length;
  expect([await requested('once'), await requested('again')]).toEqual([0, 1]);
});

test('an owner may say that its account should not be disabled any more: it keeps it until it is enabled again', async () => {
  rig.gatewayAccounts.claims.register({
    kind: 'withdrawn',
    retries: true,
    async hold(claims) {
      await rig.store.writer.run('settleClaims', { ids: claims.map(({ id }) => id), as: 'held' });
      return false;
    },
  });
  rig.simulator.operate({ do: 'disable', account: 'off.json' });
  await rig.claim('withdrawn', 'off.json', 'disabling');
  expect(await settleAll()).toBe(0);
  expect(await rig.states('withdrawn')).toEqual(['off.json held']);
});

test('claims of an unknown owner are left to a later version', async () => {
  await rig.claim('later', 'on.json', 'disabling');
  expect(await settleAll()).toBe(0);
  expect(await rig.states('later')).toEqual(['on.json disabling']);
});

test('while the gateway gives no answer they stay open, and no automation changes the account', async () => {
  rig.simulator.operate({ do: 'disable', account: 'off.json' });
  await rig.claim('once', 'off.json', 'enabling');
  const fault = rig.simulator.fault({
    kind: 'http',
    match: { path: '/v0/management/auth-files' },
    respond: { status: 503 },
    times: 'always',
  });
  expect(await settleAll()).toBe(1);
  expect(await rig.states('once')).toEqual(['off.json enabling']);
  rig.simulator.clearFaults(fault);
  expect(await settleAll()).toBe(0);
  expect(await rig.states('once')).toEqual(['off.json held']);
});

test('a look-up that never ends does not block the others', async () => {
  for (const name of NAMES) {
    rig.simulator.operate({ do: 'disable', account: name });
    await rig.claim('once', name, 'disabling');
  }
  rig.simulator.hook({ on: 'list', account: 'off.json', when: 'before', hold: true, times: 'always' });
  expect(await settleAll()).toBe(1);
  expect(await rig.states('once')).toEqual(['off.json disabling', 'on.json held', 'gone.json held']);
  rig.simulator.clearHooks();
}, 180_000);

test('a running change is waited for', async () => {
  const begun = Promise.withResolvers<void>();
  const under = Promise.withResolvers<void>();
  rig.simulator.operate({ do: 'disable', account: 'off.json' });
  const change = rig.gatewayAccounts.lock.withFiles(['off.json'], new AbortController().signal, async () => {
    await rig.claim('once', 'off.json', 'disabling');
    begun.resolve();
    await under.promise;
    rig.simulator.operate({ do: 'enable', account: 'off.json' });
  });
  await begun.promise;
  const settled = settleAll();
  await Bun.sleep(50);
  expect(await rig.states('once')).toEqual(['off.json disabling']);
  under.resolve();
  await change;
  expect(await settled).toBe(0);
  expect(await rig.states('once')).toEqual([]);
});
