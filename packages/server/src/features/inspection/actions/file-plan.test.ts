import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type AccountSpec, sharedFile } from '@manager/simulator';
import { codexFile, FRESH, FULL } from '../testing/accounts.ts';
import { startWorkingRig, type WorkingRig } from '../testing/working-rig.ts';

let rig: WorkingRig;
beforeAll(async () => {
  rig = await startWorkingRig({});
});
afterAll(() => rig.stop());

interface Shared {
  readonly sourceRow?: boolean;
  readonly virtual?: boolean;
  /** One entry per row, the source row first. */
  readonly accounts: readonly Partial<AccountSpec>[];
}

/** One file with an account behind each of its rows. */
function start({ sourceRow = false, virtual = false, accounts }: Shared): Promise<void> {
  const children = accounts.length - (sourceRow ? 1 : 0);
  return rig.restart({
    authFiles: sharedFile({
      name: 'pair.json',
      provider: 'codex',
      children,
      sourceRow,
      virtual,
      each: (index) => ({ account: accounts[index] ?? {} }),
    }),
  });
}

const DISABLE = { autoActionMode: 'disable' } as const;
const GONE = { state: 'deactivated-workspace' } as const;
const calls = () =>
  rig.simulator
    .mutations({ by: 'caller' })
    .map(({ kind, names, disabled }) => `${kind} ${names[0]}${disabled === null ? '' : disabled ? ' off' : ' on'}`);
const states = () => rig.simulator.authFiles().map(({ id, disabled }) => `${id} ${disabled === true ? 'off' : 'on'}`);
const owned = async () => (await rig.ownership()).map(({ state }) => state);
const statuses = (detail: Awaited<ReturnType<WorkingRig['run']>>) =>
  detail.results.map(({ actionStatus, disabled }) => `${actionStatus} ${disabled ? 'off' : 'on'}`);

describe('all accounts of a file are used up', () => {
  test('each is changed, and each is owned', async () => {
    await start({ accounts: [FULL, FULL] });
    const detail = await rig.run(DISABLE);
    expect(calls()).toEqual(['status pair#1 off', 'status pair#2 off']);
    expect(statuses(detail)).toEqual(['success off', 'skipped off']);
    expect(detail.run.disabledCount).toBe(2);
    expect(await owned()).toEqual(['held', 'held']);
    for (const id of ['pair#1', 'pair#2']) rig.simulator.setAccount(id, FRESH);
    const back = await rig.run({ autoRecoverEnabled: true });
    expect(statuses(back)).toEqual(['success on', 'skipped on']);
    expect(await owned()).toEqual([]);
  });

  test('the source row is changed for all of them', async () => {
    await start({ sourceRow: true, accounts: [FULL, FULL, FULL] });
    const detail = await rig.run(DISABLE);
    expect(calls()).toEqual(['status pair.json off']);
    expect(states()).toEqual(['pair.json off', 'pair#1 off', 'pair#2 off']);
    expect(detail.results.filter(({ actionStatus }) => actionStatus === 'success')).toHaveLength(1);
    expect(await owned()).toEqual(['held', 'held', 'held']);
  });

  test('accounts of a plugin are changed by their file, once', async () => {
    await start({ virtual: true, accounts: [FULL, FULL] });
    const detail = await rig.run(DISABLE);
    expect(calls()).toEqual(['status pair#1 off', 'status pair.json off']);
    expect(statuses(detail)).toEqual(['success off', 'skipped off']);
    expect(await owned()).toEqual(['held', 'held']);
  });

  test('when a later one fails, the earlier ones are reverted', async () => {
    await start({ accounts: [FULL, FULL, FULL] });
    rig.simulator.fault({ kind: 'mutation', account: 'pair#3', applies: false, answer: 'server-error' });
    const detail = await rig.run(DISABLE);
    expect(calls()).toEqual([
      'status pair#1 off',
      'status pair#2 off',
      'status pair#3 off',
      'status pair#1 on',
      'status pair#2 on',
    ]);
    expect(statuses(detail)).toEqual(['failed on', 'skipped on', 'skipped on']);
    expect(await owned()).toEqual([]);
  });

  test('a failed revert stays open until the next look-up', async () => {
    await start({ accounts: [FULL, FULL] });
    rig.simulator.fault({ kind: 'mutation', account: 'pair#2', applies: false, answer: 'server-error' });
    rig.simulator.fault({
      kind: 'mutation',
      account: 'pair#1',
      disabled: false,
      applies: false,
      answer: 'conflict',
    });
    await rig.run(DISABLE);
    expect(states()).toEqual(['pair#1 off', 'pair#2 on']);
    expect(await owned()).toEqual(['disabling']);
    expect(await rig.recover()).toBe(0);
    expect(await owned()).toEqual(['held']);
  });

  test('a different account in place of a changed one is not reverted', async () => {
    await start({ accounts: [FULL, FULL] });
    const by = codexFile('pair', FULL, { email: 'other@example.test', disabled: true });
    rig.simulator.hook({ on: 'status', nth: 2, actions: [{ do: 'replace', account: 'pair.json', by }] });
    rig.simulator.fault({ kind: 'mutation', account: 'pair#2', applies: false, answer: 'server-error' });
    await rig.run(DISABLE);
    expect(calls()).toEqual(['status pair#1 off', 'status pair#2 off']);
    expect(states()).toEqual(['pair.json off']);
    expect(await rig.recover()).toBe(0);
    expect(await owned()).toEqual([]);
  });

  test('reverting has its own time limit for all accounts', async () => {
    await start({ accounts: [FULL, FULL, FULL] });
    rig.simulator.fault({ kind: 'mutation', account: 'pair#3', applies: false, answer: 'server-error' });
    rig.simulator.fault({ kind: 'mutation', disabled: false, applies: false, answer: 'hang', times: 'always' });
    const began = performance.now();
    await rig.run(DISABLE);
    // One limit takes at most 8 s, one per account would take 16.
    expect(performance.now() - began).toBeLessThan(14_000);
    expect(await owned()).toEqual(['disabling', 'disabling']);
  }, 180_000);

  test('one more account in the file since the check refuses the whole file', async () => {
    await start({ accounts: [FULL, FULL] });
    const [more] = sharedFile({
      name: 'pair.json',
      provider: 'codex',
      children: 1,
      sourceRow: false,
      each: () => ({ email: 'third@example.test' }),
    });
    if (more === undefined) throw new Error('no account');
    rig.simulator.hook({ on: 'list', nth: 2, actions: [{ do: 'add', file: { ...more, id: 'pair#3' } }] });
    const detail = await rig.run(DISABLE);
    expect(calls()).toEqual([]);
    expect(statuses(detail)).toEqual(['failed on', 'skipped on']);
    expect(await owned()).toEqual([]);
  });

  test('a manually disabled one keeps the inspection from changing any of them', async () => {
    await start({ accounts: [FULL, FULL] });
    rig.simulator.hook({ on: 'list', nth: 2, actions: [{ do: 'disable', account: 'pair#2' }] });
    await rig.run(DISABLE);
    expect(calls()).toEqual([]);
    expect(await owned()).toEqual([]);
  });
});

describe('one account of a file is used up', () => {
  test('it alone is changed where it can be', async () => {
    await start({ accounts: [FULL, FRESH] });
    await rig.run(DISABLE);
    expect(calls()).toEqual(['status pair#1 off']);
    expect(await owned()).toEqual(['held']);
  });

  test('it is left for review where a change would affect the others', async () => {
    await start({ sourceRow: true, accounts: [FRESH, FULL, FRESH] });
    const detail = await rig.run(DISABLE);
    expect(detail.results.find(({ action }) => action === 'disable')?.actionStatus).toBe('needs_review');
    expect(detail.logs.at(-1)).toMatchObject({ level: 'warning', detail: { actionNeedsReviewCount: 1 } });
    expect(calls()).toEqual([]);
  });
});

describe('a file is deleted', () => {
  test('when all of its accounts are selected for it', async () => {
    await start({ accounts: [GONE, GONE] });
    const detail = await rig.run({ autoActionMode: 'delete' });
    expect(calls()).toEqual(['delete pair.json']);
    expect(states()).toEqual([]);
    expect(detail.results.map(({ actionStatus }) => actionStatus)).toEqual(['success', 'skipped']);
  });

  test('not while one of them works', async () => {
    await start({ accounts: [GONE, FRESH] });
    const detail = await rig.run({ autoActionMode: 'delete' });
    expect(calls()).toEqual([]);
    expect(detail.results.find(({ action }) => action === 'delete')?.actionStatus).toBe('needs_review');
  });

  test('not when the sample left one out', async () => {
    await start({ accounts: [GONE, GONE] });
    const detail = await rig.run({ autoActionMode: 'delete', sampleSize: 1 });
    expect(calls()).toEqual([]);
    expect(detail.results.map(({ actionStatus }) => actionStatus)).toEqual(['needs_review']);
  });
});
