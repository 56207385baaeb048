import { afterAll, beforeAll, expect, test } from 'bun:test';
import { identityOf } from '@manager/core/accounts/identity';
import { ownershipRecord } from '../ownership.ts';
import { codexFile } from '../testing/accounts.ts';
import { startWorkingRig, type WorkingRig } from '../testing/working-rig.ts';

let rig: WorkingRig;
beforeAll(async () => {
  rig = await startWorkingRig({});
});
afterAll(() => rig.stop());

/** As a manager leaves it that is killed between the intent and its confirmation. */
async function leavePending(): Promise<void> {
  const credentials = await rig.credentials.client.list();
  await rig.inspection.inspection.store.insertPendingOwnership(
    credentials.map((credential) => ownershipRecord(identityOf(credential))),
  );
}
const states = async () => (await rig.ownership()).map(({ authFileName, state }) => `${authFileName} ${state}`);

test('what is disabled now was disabled by the inspection, everything else was not', async () => {
  await rig.restart({
    authFiles: [codexFile('off', {}, { disabled: true }), codexFile('on'), codexFile('gone', {}, { disabled: true })],
  });
  await leavePending();
  rig.simulator.operate({ do: 'delete', credential: 'gone.json' });
  expect(await rig.recover()).toBe(0);
  expect(await states()).toEqual(['off.json owned']);
});

test('while the upstream gives no answer it stays open', async () => {
  await rig.restart({ authFiles: [codexFile('off', {}, { disabled: true })] });
  await leavePending();
  const fault = rig.simulator.fault({
    kind: 'http',
    match: { path: '/v0/management/auth-files' },
    respond: { status: 503 },
    times: 'always',
  });
  expect(await rig.recover()).toBe(1);
  // A run cannot own it either, and fails for the same reason.
  expect((await rig.run()).run.status).toBe('failed');
  expect(await states()).toEqual(['off.json pending']);
  rig.simulator.clearFaults(fault);
  expect(await rig.recover()).toBe(0);
  expect(await states()).toEqual(['off.json owned']);
});

test('a look that never ends leaves the others their turn', async () => {
  await rig.restart({ authFiles: ['a', 'b', 'c'].map((stem) => codexFile(stem, {}, { disabled: true })) });
  await leavePending();
  rig.simulator.hook({ on: 'list', credential: 'a.json', when: 'before', hold: true, times: 'always' });
  expect(await rig.recover()).toBe(1);
  expect(await states()).toEqual(['a.json pending', 'b.json owned', 'c.json owned']);
  rig.simulator.clearHooks();
}, 180_000);

test('a change that is under way is waited for', async () => {
  await rig.restart({ authFiles: [codexFile('full')] });
  const hook = rig.simulator.hook({ on: 'status', when: 'before', hold: true });
  const running = rig.run({ autoActionMode: 'disable' });
  while ((await states()).length === 0) await Bun.sleep(5);
  const recovered = rig.recover();
  await Bun.sleep(50);
  expect(await states()).toEqual(['full.json pending']);
  rig.simulator.releaseHook(hook);
  expect(await recovered).toBe(0);
  await running;
  expect(await states()).toEqual(['full.json owned']);
});
