import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { accountRecord, identityOf } from '@manager/core/accounts/identity';
import { sharedFile } from '@manager/simulator';
import type { NewClaim } from '../../../gateway/claims/claim.ts';
import { codexFile, FRESH, FULL } from '../testing/accounts.ts';
import { INSPECTION } from '../testing/rig.ts';
import { messagesOf, resultOfFile, startWorkingRig, type WorkingRig } from '../testing/working-rig.ts';

let rig: WorkingRig;
beforeAll(async () => {
  rig = await startWorkingRig({});
});
afterAll(() => rig.stop());

const GONE = { state: 'deactivated-workspace' } as const;
const RECOVER = { autoActionMode: 'disable', autoRecoverEnabled: true } as const;
const calls = () => rig.simulator.mutations({ by: 'caller' }).length;

describe('a manual selection', () => {
  test('is executed, each result once', async () => {
    await rig.restart({
      authFiles: [
        codexFile('full'),
        codexFile('gone', GONE),
        codexFile('back', FRESH, { disabled: true }),
        codexFile('fine', FRESH),
        codexFile('login', { state: 'revoked' }),
      ],
    });
    const run = await rig.run();
    const first = await rig.act(run, { deleted: ['login.json'] });
    expect(first.outcomes).toEqual([
      ['back.json', 'enable', 'success'],
      ['fine.json', 'keep', 'skipped'],
      ['full.json', 'disable', 'success'],
      ['gone.json', 'delete', 'success'],
      ['login.json', 'delete', 'success'],
    ]);
    expect(rig.simulator.authFiles().map(({ name, disabled }) => [name, disabled === true])).toEqual([
      ['back.json', false],
      ['fine.json', false],
      ['full.json', true],
    ]);
    expect(first.detail.run).toMatchObject({ disabledCount: 1, status: 'completed' });
    expect(messagesOf(first.detail).slice(-7).toSorted()).toEqual([
      'manual_action_succeeded',
      'manual_action_succeeded',
      'manual_action_succeeded',
      'manual_action_succeeded',
      'manual_completed',
      'manual_skipped',
      'manual_started',
    ]);
    // An account that somebody disabled is not owned.
    expect(await rig.ownership()).toEqual([]);
    const before = calls();
    const again = await rig.act(run, { files: ['full.json', 'gone.json'] });
    expect(again.outcomes.map(([, , status]) => status)).toEqual(['skipped', 'skipped']);
    expect(resultOfFile(again.detail, 'full.json').actionStatus).toBe('success');
    expect(calls()).toBe(before);
  });

  test('that failed can be repeated', async () => {
    await rig.restart({ authFiles: [codexFile('full')] });
    const run = await rig.run();
    rig.simulator.fault({ kind: 'mutation', answer: 'server-error', applies: false });
    const failed = await rig.act(run, {});
    expect(failed.outcomes).toEqual([['full.json', 'disable', 'failed']]);
    expect(failed.detail.run.error).toBe('1 action failed');
    expect(messagesOf(failed.detail)).toContain('manual_action_failed');
    const done = await rig.act(run, {});
    expect(done.outcomes).toEqual([['full.json', 'disable', 'success']]);
    expect(done.detail.run.error).toBeUndefined();
  });

  test('of a file whose accounts need different actions is left for review', async () => {
    await rig.restart({
      authFiles: sharedFile({
        name: 'pair.json',
        provider: 'codex',
        children: 2,
        sourceRow: false,
        each: (index) => ({ account: index === 0 ? GONE : FRESH }),
      }),
    });
    const run = await rig.run();
    for (let round = 0; round < 2; round += 1) {
      const { outcomes } = await rig.act(run, {});
      expect(outcomes.map(([, , status]) => status).toSorted()).toEqual(['needs_review', 'skipped']);
    }
    expect(calls()).toBe(0);
  });

  test('switches all accounts of a file together when all of them are selected', async () => {
    await rig.restart({
      authFiles: sharedFile({ name: 'pair.json', provider: 'codex', children: 2, each: () => ({ account: FULL }) }),
    });
    const { outcomes, detail } = await rig.act(await rig.run(), {});
    expect(outcomes.filter(([, , status]) => status === 'success')).toHaveLength(1);
    expect(detail.run.disabledCount).toBe(3);
    expect(calls()).toBe(1);
  });

  test('is checked against the current list', async () => {
    await rig.restart({ authFiles: [codexFile('full'), codexFile('other')] });
    const run = await rig.run();
    rig.simulator.operate({ do: 'disable', account: 'full.json' });
    const by = codexFile('other', FULL, { email: 'new@example.test' });
    rig.simulator.operate({ do: 'replace', account: 'other.json', by });
    const { outcomes, detail } = await rig.act(run, {});
    expect(outcomes.map(([file, , status]) => [file, status])).toEqual([
      ['full.json', 'skipped'],
      ['other.json', 'failed'],
    ]);
    expect(messagesOf(detail)).toContain('manual_validation_failed');
    expect(calls()).toBe(0);
  });
});

describe('ownership', () => {
  const ownedAccount = async () => {
    await rig.restart({ authFiles: [codexFile('full')] });
    await rig.run(RECOVER);
    rig.simulator.setAccount('full.json', FRESH);
    return rig.run({ autoRecoverEnabled: false });
  };

  test('ends when the operator enables the account', async () => {
    await rig.act(await ownedAccount(), {});
    expect(rig.isDisabled('full.json')).toBe(false);
    expect(await rig.ownership()).toEqual([]);
  });

  test('stays when that fails', async () => {
    const run = await ownedAccount();
    rig.simulator.fault({ kind: 'mutation', answer: 'unavailable', applies: false });
    expect((await rig.act(run, {})).outcomes).toEqual([['full.json', 'enable', 'failed']]);
    expect(await rig.ownership()).toMatchObject([{ state: 'held' }]);
  });

  test('ends when the change happened without a confirmation', async () => {
    const run = await ownedAccount();
    rig.simulator.fault({ kind: 'mutation', answer: 'unconfirmed' });
    expect((await rig.act(run, {})).outcomes).toEqual([['full.json', 'enable', 'failed']]);
    expect([rig.isDisabled('full.json'), await rig.ownership()]).toEqual([false, []]);
  });
});

describe('an already disabled account that the operator disables', () => {
  const rests = async () => {
    rig.simulator.operate({ do: 'disable', account: 'full.json' });
    const [account] = await rig.gatewayAccounts.client.list();
    if (account === undefined) throw new Error('the account no longer exists');
    const claim: NewClaim = {
      subject: 'rest',
      account: accountRecord(identityOf(account)),
      details: null,
      untilMs: Date.now() + 600_000,
      request: null,
    };
    const { writer } = rig.inspection.store;
    const enabled = { kind: 'accounts', accounts: [] } as const;
    const begun = await writer.run('beginDisabling', { owner: 'cooldown', claims: [claim], enabled });
    await writer.run('settleClaims', { ids: begun.map(({ id }) => id), as: 'held' });
  };
  const resting = async () => (await rig.inspection.store.reader.run('openClaims', 'cooldown')).length;

  test('has no cooldown any more', async () => {
    await rig.restart({ authFiles: [codexFile('full')] });
    const run = await rig.run();
    await rests();
    expect((await rig.act(run, {})).outcomes).toEqual([['full.json', 'disable', 'skipped']]);
    expect([await resting(), rig.isDisabled('full.json'), calls()]).toEqual([0, true, 0]);
    // Selecting it again is the same decision.
    await rests();
    expect((await rig.act(run, {})).outcomes).toEqual([['full.json', 'disable', 'skipped']]);
    expect(await resting()).toBe(0);
  });

  test('is no longer owned, also when this run disabled it', async () => {
    await rig.restart({ authFiles: [codexFile('full')] });
    const before = await rig.run();
    const run = await rig.run(RECOVER);
    expect(await rig.ownership()).toHaveLength(1);
    for (const selected of [before, run]) {
      expect((await rig.act(selected, {})).outcomes).toEqual([['full.json', 'disable', 'skipped']]);
      expect(await rig.ownership()).toEqual([]);
      const [account] = await rig.gatewayAccounts.client.list();
      if (account === undefined) throw new Error('the account no longer exists');
      await rig.own(account, 'held');
    }
    expect(resultOfFile(await rig.inspection.detail(run.run.id), 'full.json')).toMatchObject({
      actionStatus: 'success',
    });
  });

  test('is disabled when it was enabled right before', async () => {
    await rig.restart({ authFiles: [codexFile('full')] });
    const run = await rig.run();
    await rests();
    rig.simulator.hook({ on: 'list', actions: [{ do: 'enable', account: 'full.json' }] });
    expect((await rig.act(run, {})).outcomes).toEqual([['full.json', 'disable', 'success']]);
    expect([await resting(), rig.isDisabled('full.json')]).toEqual([0, true]);
  });

  test('is not changed when it is a different account by then', async () => {
    await rig.restart({ authFiles: [codexFile('full')] });
    const run = await rig.run();
    await rests();
    const by = codexFile('full', FULL, { email: 'other@example.test', disabled: true });
    rig.simulator.hook({ on: 'list', actions: [{ do: 'replace', account: 'full.json', by }] });
    expect((await rig.act(run, {})).outcomes).toEqual([['full.json', 'disable', 'failed']]);
    expect(await resting()).toBe(1);
  });
});

test.each(['conflict', 'server-error', 'unavailable', 'not-found', 'reset'] as const)(
  'an account that rests and that a person enables: what is answered with %s and done is theirs',
  async (answer) => {
    await rig.restart({ authFiles: [codexFile('full')] });
    await rig.run(RECOVER);
    rig.simulator.setAccount('full.json', FRESH);
    const run = await rig.run({ autoRecoverEnabled: false });
    rig.simulator.fault({ kind: 'mutation', answer });
    await rig.act(run, {});
    expect([rig.isDisabled('full.json'), await rig.ownership()]).toEqual([false, []]);
  },
);

test('a stop of the manager during a batch: sent changes are finished, the rest fails', async () => {
  await rig.restart({ authFiles: Array.from({ length: 6 }, (_, index) => codexFile(`full-${index}`)) });
  const run = await rig.run({ deleteWorkers: 1 });
  rig.simulator.hook({ on: 'status', when: 'after', hold: true, times: 'always' });
  const answer = rig.act(run, {});
  while (rig.simulator.activity().byKind.status?.inFlight !== 1) await Bun.sleep(2);
  const stopped = rig.inspection.inspection.stop();
  rig.simulator.clearHooks();
  await stopped;
  const { outcomes, detail } = await answer;
  expect(outcomes.map(([, , status]) => status)).toEqual(['success', ...Array.from({ length: 5 }, () => 'failed')]);
  expect(detail.run.disabledCount).toBe(1);
  const refused = await rig.inspection.call('POST', `${INSPECTION}/run`);
  expect(refused.status).toBe(409);
  await rig.inspection.restart();
});
