import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { until } from '@manager/core/testing/until';
import { type MutationAnswerName, type SimulatorOptions, sharedFile } from '@manager/simulator';
import { codexFile, FRESH, FULL } from '../testing/accounts.ts';
import { INSPECTION } from '../testing/rig.ts';
import { messagesOf, resultOfFile, startWorkingRig, type WorkingRig } from '../testing/working-rig.ts';

let rig: WorkingRig;
beforeAll(async () => {
  rig = await startWorkingRig({});
});
afterAll(() => rig.stop());

const start = (options: SimulatorOptions) => rig.restart(options);
const changes = () =>
  rig.simulator.mutations({ by: 'caller' }).map(({ kind, names, disabled }) => [kind, names[0], disabled]);
const DISABLE = { autoActionMode: 'disable', deleteWorkers: 1 } as const;
const RECOVER = { ...DISABLE, autoRecoverEnabled: true } as const;

describe('a run', () => {
  test('disables used-up accounts, stores its ownership, and enables them again', async () => {
    await start({ authFiles: [codexFile('full'), codexFile('fresh', FRESH)] });
    const first = await rig.run(RECOVER);
    expect(resultOfFile(first, 'full.json')).toMatchObject({
      action: 'disable',
      actionStatus: 'success',
      executedAction: 'disable',
      disabled: true,
    });
    expect(first.run).toMatchObject({ status: 'completed', disabledCount: 1, enabledCount: 1 });
    expect(await rig.ownership()).toMatchObject([{ authFileName: 'full.json', state: 'held' }]);
    expect(messagesOf(first).filter((message) => message.startsWith('auto'))).toEqual([
      'auto_started',
      'auto_action_succeeded',
      'auto_completed',
    ]);

    const second = await rig.run(RECOVER);
    expect(resultOfFile(second, 'full.json')).toMatchObject({ action: 'keep', isQuota: true });
    expect(await rig.ownership()).toHaveLength(1);

    rig.simulator.setAccount('full.json', FRESH);
    const third = await rig.run(RECOVER);
    expect(resultOfFile(third, 'full.json')).toMatchObject({ executedAction: 'enable', disabled: false });
    expect(rig.isDisabled('full.json')).toBe(false);
    expect(await rig.ownership()).toEqual([]);
    expect(changes()).toEqual([
      ['status', 'full.json', true],
      ['status', 'full.json', false],
    ]);
  });

  test('does nothing automatically unless configured', async () => {
    await start({ authFiles: [codexFile('full'), codexFile('gone', { state: 'deactivated-workspace' })] });
    for (const autoActionMode of ['none', 'enable'] as const) {
      const { results } = await rig.run({ autoActionMode });
      expect(results.map(({ actionStatus }) => actionStatus)).toEqual(['pending', 'pending']);
    }
    expect(changes()).toEqual([]);
  });

  test('deletes only in the mode for it, else it disables', async () => {
    await start({ authFiles: [codexFile('gone', { state: 'deactivated-workspace' })] });
    const gentle = await rig.run(DISABLE);
    expect(resultOfFile(gentle, 'gone.json')).toMatchObject({ action: 'delete', executedAction: 'disable' });
    const hard = await rig.run({ autoActionMode: 'delete' });
    expect(resultOfFile(hard, 'gone.json')).toMatchObject({ executedAction: 'delete', actionStatus: 'success' });
    expect(rig.isDisabled('gone.json')).toBeUndefined();
    expect(await rig.ownership()).toEqual([]);
  });

  test('changes files in parallel up to its limit, with one request per file at a time', async () => {
    await start({ authFiles: Array.from({ length: 9 }, (_, index) => codexFile(`full-${index}`)) });
    rig.simulator.fault({ kind: 'mutation', delayAfterMs: 60, times: 'always' });
    // The first ones wait for each other, however slow the machine is.
    rig.simulator.hook({ on: 'status', when: 'after', hold: true, times: 'always' });
    const running = rig.run({ ...DISABLE, deleteWorkers: 3 });
    await until(() => (rig.simulator.activity().byKind.status?.inFlight ?? 0) >= 3, 'three at once');
    rig.simulator.clearHooks();
    const { run } = await running;
    expect(run.disabledCount).toBe(9);
    const activity = rig.simulator.activity();
    expect(activity.byKind.status?.maxInFlight).toBe(3);
    expect(Object.values(activity.mutationsByFile).every(({ maxInFlight }) => maxInFlight === 1)).toBe(true);
    expect(await rig.ownership()).toHaveLength(9);
  });
});

describe('a manual change', () => {
  test('is never undone: a disabled account stays disabled', async () => {
    await start({ authFiles: [codexFile('theirs', FRESH, { disabled: true })] });
    const detail = await rig.run(RECOVER);
    expect(resultOfFile(detail, 'theirs.json')).toMatchObject({ action: 'enable', actionStatus: 'pending' });
    expect(changes()).toEqual([]);
  });

  for (const nth of [1, 2]) {
    test(`is never claimed: disabled after list ${nth}`, async () => {
      await start({ authFiles: [codexFile('full')] });
      rig.simulator.hook({ on: 'list', nth, actions: [{ do: 'disable', account: 'full.json' }] });
      const detail = await rig.run(DISABLE);
      expect(resultOfFile(detail, 'full.json')).toMatchObject({ actionStatus: 'skipped' });
      expect(changes()).toEqual([]);
      expect(await rig.ownership()).toEqual([]);
    });
  }

  test('ends ownership at once, also between the probe and the action', async () => {
    await start({ authFiles: [codexFile('full')] });
    await rig.run(RECOVER);
    rig.simulator.setAccount('full.json', FRESH);
    rig.simulator.hook({
      on: 'list',
      nth: 2,
      run: async () => {
        await rig.gatewayAccounts.claims.manual.decide({ kind: 'all' });
      },
    });
    const detail = await rig.run(RECOVER);
    expect(resultOfFile(detail, 'full.json')).toMatchObject({ autoRecoverEligible: true, actionStatus: 'skipped' });
    expect(rig.isDisabled('full.json')).toBe(true);
  });

  test('that enables an account ends ownership, also when it is disabled manually again', async () => {
    await start({ authFiles: [codexFile('full')] });
    await rig.run(RECOVER);
    rig.simulator.operate({ do: 'enable', account: 'full.json' });
    await rig.run({ autoActionMode: 'none' });
    expect(await rig.ownership()).toEqual([]);
    rig.simulator.operate({ do: 'disable', account: 'full.json' });
    rig.simulator.setAccount('full.json', FRESH);
    await rig.run(RECOVER);
    expect(rig.isDisabled('full.json')).toBe(true);
  });

  for (const moment of [{ on: 'api-call' }, { on: 'list', nth: 2 }] as const) {
    test(`is respected: a different account at the same path is not changed, replaced after ${moment.on}`, async () => {
      await start({ authFiles: [codexFile('full')] });
      const by = codexFile('full', FULL, { email: 'other@example.test' });
      rig.simulator.hook({ ...moment, actions: [{ do: 'replace', account: 'full.json', by }] });
      const detail = await rig.run(DISABLE);
      expect(resultOfFile(detail, 'full.json')).toMatchObject({ actionStatus: 'failed' });
      expect(detail.run.error).toBe('1 action failed');
      expect(changes()).toEqual([]);
      expect(await rig.ownership()).toEqual([]);
    });
  }
});

describe('a different account at the same path right before the change', () => {
  /** The gateway's status words do not follow a change while the manager looks. */
  const STANDING = { statusWordDelayMs: 3_600_000 } as const;
  const replaced = (disabled: boolean, by = codexFile('full', FULL, { email: 'other@example.test', disabled })) =>
    rig.simulator.hook({ on: 'status', when: 'before', actions: [{ do: 'replace', account: 'full.json', by }] });

  test.each([false, true])('is not changed (disabled: %p), and nobody owns it', async (disabled) => {
    await start({ ...STANDING, authFiles: [codexFile('full')] });
    replaced(disabled);
    const detail = await rig.run(DISABLE);
    const { actionStatus, actionError } = resultOfFile(detail, 'full.json');
    expect([actionStatus, actionError]).toEqual(['failed', expect.stringContaining('now holds another account')]);
    expect(rig.isDisabled('full.json')).toBe(disabled);
    expect(await rig.ownership()).toEqual([]);
  });

  test('is not enabled in place of the one that was owned', async () => {
    await start({ ...STANDING, authFiles: [codexFile('full')] });
    await rig.run(RECOVER);
    rig.simulator.setAccount('full.json', FRESH);
    replaced(true);
    expect(resultOfFile(await rig.run(RECOVER), 'full.json').actionStatus).toBe('failed');
    expect(rig.isDisabled('full.json')).toBe(true);
    await rig.run(RECOVER);
    expect([rig.isDisabled('full.json'), await rig.ownership()]).toEqual([true, []]);
  });

  test('is not changed in a file of several', async () => {
    const children = (email: string) =>
      sharedFile({
        name: 'pair.json',
        provider: 'codex',
        children: 2,
        each: (index) => ({ account: FULL, email: `${email}-${index}@example.test`, projectId: `${email}-${index}` }),
      });
    await start({ ...STANDING, authFiles: children('one') });
    const by = children('two');
    rig.simulator.hook({ on: 'status', when: 'before', actions: [{ do: 'replace', account: 'pair.json', by }] });
    await rig.run(DISABLE);
    expect(rig.simulator.authFiles().map(({ disabled }) => disabled)).toEqual([false, false, false]);
    expect(await rig.ownership()).toEqual([]);
  });
});

test('automatic changes are in the log of the manager, without secrets', async () => {
  await start({ authFiles: [codexFile('full'), codexFile('gone', { state: 'deactivated-workspace' })] });
  await rig.run({ ...RECOVER, autoActionMode: 'delete' });
  rig.simulator.setAccount('full.json', FRESH);
  await rig.run(RECOVER);
  expect(rig.logged.toSorted()).toEqual([
    'inspection: full.json is disabled (quota_threshold)',
    'inspection: full.json is enabled again (recovered)',
    'inspection: gone.json is deleted (workspace_deactivated)',
  ]);
});

describe('an ambiguous answer', () => {
  test('is looked up: a change without an answer counts as done', async () => {
    await start({ authFiles: [codexFile('full')] });
    rig.simulator.fault({ kind: 'mutation', answer: 'reset' });
    const detail = await rig.run(DISABLE);
    expect(resultOfFile(detail, 'full.json').actionStatus).toBe('success');
    expect(await rig.ownership()).toMatchObject([{ state: 'held' }]);
    expect(changes()).toHaveLength(1);
  });

  test('leaves the ownership open when nothing has changed so far', async () => {
    await start({ authFiles: [codexFile('full')] });
    rig.simulator.fault({ kind: 'mutation', answer: 'reset', applies: false });
    const detail = await rig.run(DISABLE);
    expect(resultOfFile(detail, 'full.json')).toMatchObject({ actionStatus: 'failed', disabled: false });
    expect(await rig.ownership()).toMatchObject([{ state: 'disabling' }]);
    // The next run looks it up again before it starts.
    await rig.run({ autoActionMode: 'none' });
    expect(await rig.ownership()).toEqual([]);
  });

  const refusals: readonly MutationAnswerName[] = ['server-error', 'unconfirmed', 'text', 'failed-list', 'not-found'];
  for (const answer of refusals) {
    test(`${answer} is a failure, and nobody owns it`, async () => {
      await start({ authFiles: [codexFile('full')] });
      rig.simulator.fault({ kind: 'mutation', answer, applies: false });
      const detail = await rig.run(DISABLE);
      expect(resultOfFile(detail, 'full.json')).toMatchObject({ actionStatus: 'failed' });
      expect(await rig.ownership()).toEqual([]);
    });
  }

  test.each(refusals.slice(0, -1))('%s is a failure, but a change that happened anyway is owned', async (answer) => {
    await start({ authFiles: [codexFile('full')] });
    rig.simulator.fault({ kind: 'mutation', answer });
    const detail = await rig.run(DISABLE);
    expect(resultOfFile(detail, 'full.json')).toMatchObject({ actionStatus: 'failed' });
    await rig.run({ autoActionMode: 'none' });
    expect(await rig.ownership()).toMatchObject([{ state: 'held' }]);
  });

  test('a refused enable stays owned and is retried', async () => {
    await start({ authFiles: [codexFile('full')] });
    await rig.run(RECOVER);
    rig.simulator.setAccount('full.json', FRESH);
    rig.simulator.fault({ kind: 'mutation', answer: 'unavailable', applies: false });
    expect(resultOfFile(await rig.run(RECOVER), 'full.json').actionStatus).toBe('failed');
    expect(await rig.ownership()).toMatchObject([{ state: 'held' }]);
    await rig.run(RECOVER);
    expect(rig.isDisabled('full.json')).toBe(false);
  });

  test('an unreadable list before the actions fails them all', async () => {
    await start({ authFiles: [codexFile('full')] });
    rig.simulator.fault({ kind: 'auth-file-list', shape: 'not-json', skip: 1 });
    const detail = await rig.run(DISABLE);
    expect(resultOfFile(detail, 'full.json').actionStatus).toBe('failed');
    expect(messagesOf(detail)).toContain('auto_validation_failed');
    expect(changes()).toEqual([]);
  });
});

describe('when the database refuses', () => {
  const refuse = (event: string) =>
    rig.inspection.db.run(
      `CREATE TRIGGER refuse BEFORE ${event} ON account_claims
       BEGIN SELECT RAISE(ABORT, 'refused by the test'); END`,
    );

  test('the intent, nothing is changed', async () => {
    await start({ authFiles: [codexFile('full')] });
    refuse('INSERT');
    const detail = await rig.run(DISABLE);
    expect(resultOfFile(detail, 'full.json').actionStatus).toBe('failed');
    expect(changes()).toEqual([]);
    expect(messagesOf(detail)).toContain('ownership_failed');
  });

  test('the confirmation, the change is reverted', async () => {
    await start({ authFiles: [codexFile('full')] });
    refuse('UPDATE');
    const detail = await rig.run(DISABLE);
    expect(resultOfFile(detail, 'full.json')).toMatchObject({ actionStatus: 'failed', disabled: false });
    expect(rig.isDisabled('full.json')).toBe(false);
    expect(await rig.ownership()).toEqual([]);
  });

  test('the confirmation, and a different account is at the same path, that one is not changed', async () => {
    await start({ authFiles: [codexFile('full')] });
    refuse('UPDATE');
    const by = codexFile('full', FULL, { email: 'other@example.test', disabled: true });
    rig.simulator.hook({ on: 'status', actions: [{ do: 'replace', account: 'full.json', by }] });
    const detail = await rig.run(DISABLE);
    expect(resultOfFile(detail, 'full.json').actionStatus).toBe('failed');
    expect(rig.isDisabled('full.json')).toBe(true);
    expect(changes()).toHaveLength(1);
    rig.inspection.db.run('DROP TRIGGER refuse');
    expect(await rig.recover()).toBe(0);
    expect(await rig.ownership()).toEqual([]);
  });

  test('cleaning up, it is reported and the account is not owned', async () => {
    await start({ authFiles: [codexFile('full')] });
    await rig.run(RECOVER);
    rig.simulator.operate({ do: 'enable', account: 'full.json' });
    refuse('UPDATE');
    const detail = await rig.run({ autoActionMode: 'none', autoRecoverEnabled: true });
    expect(messagesOf(detail)).toContain('ownership_cleanup_failed');
    expect(detail.run.status).toBe('completed');
  });
});

test('a cancellation during actions: sent ones are finished, the rest fails, and all of it is stored', async () => {
  await start({ authFiles: Array.from({ length: 12 }, (_, index) => codexFile(`full-${index}`)) });
  rig.simulator.hook({ on: 'status', when: 'after', hold: true, times: 'always' });
  rig.inspection.settings = { ...rig.inspection.settings, ...DISABLE, deleteWorkers: 2 };
  const id = await rig.inspection.started();
  while (rig.simulator.activity().byKind.status?.inFlight !== 2) await Bun.sleep(2);
  await rig.inspection.call('POST', `${INSPECTION}/runs/${id}/cancel`);
  rig.simulator.clearHooks();
  const { run, results } = await rig.inspection.ended(id);
  expect(run).toMatchObject({ status: 'cancelled', disabledCount: 2 });
  const count = (status: string) => results.filter(({ actionStatus }) => actionStatus === status).length;
  expect([count('success'), count('failed')]).toEqual([2, 10]);
  expect(changes()).toHaveLength(2);
  const states = (await rig.ownership()).map(({ state }) => state);
  expect(states).toEqual(['held', 'held']);
});
