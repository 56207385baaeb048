import { afterEach, beforeEach, expect, test } from 'bun:test';
import { accountRecord, identityOf } from '@manager/core/accounts/identity';
import { accountFile } from '@manager/simulator';
import type { WakingLoop } from '../../gateway/accounts/waking-loop.ts';
import { type ClaimsRig, startClaimsRig } from '../../gateway/claims/testing.ts';
import { openDatabase } from '../../sqlite/open.ts';
import { createAutoDisableWorker } from './auto-disable.ts';
import { ACCOUNT_ACTION } from './claim.ts';
import { recordFailures } from './queries/candidates.ts';
import { recordSuccesses } from './queries/confirmations.ts';
import { type AccountActions, createAccountActions } from './service.ts';

const FILE = 'codex-a.json';
const CONFIRMED_MS = 91_000;
const SOON_MS = CONFIRMED_MS + 16_000;

let rig: ClaimsRig;
let worker: WakingLoop;
let actions: AccountActions;
let authIndex = '';
let failedAtMs = 0;

beforeEach(async () => {
  rig = await startClaimsRig({ authFiles: [accountFile({ provider: 'codex', name: FILE, email: 'a@example.test' })] });
  const { reader, writer } = rig.store;
  const log = { info() {}, warn() {} };
  worker = createAutoDisableWorker({
    ...rig,
    reader,
    writer,
    configured: () => true,
    effective: async () => true,
    log,
  });
  actions = createAccountActions({ ...rig, reader, writer });
  authIndex = (await rig.account(FILE)).authIndex;
  failedAtMs = Date.now();
});
afterEach(async () => {
  await worker.stop();
  await rig.stop();
});

function write(by: (db: ReturnType<typeof openDatabase>) => void): void {
  const db = openDatabase(rig.path);
  by(db);
  db.close();
}

const fail = (seenAtMs = failedAtMs) =>
  write((db) => {
    const report = {
      file: FILE,
      provider: 'codex',
      authIndex,
      accountId: '',
      accountSnapshot: '',
      authLabel: '',
      actionType: 'reauth',
      reasonCode: 'token_revoked',
      reason: 'revoked',
      autoDisableEligible: true,
      evidence: {},
      seenAtMs,
    } as const;
    recordFailures(db, [report], { autoDisable: true, nowMs: Date.now() });
  });
const succeed = (atMs = failedAtMs + 1) =>
  write((db) => {
    recordSuccesses(db, [{ file: FILE, provider: 'codex', authIndex, accountSnapshot: '', atMs }], Date.now());
  });
const isDisabled = () => rig.simulator.authFiles()[0]?.disabled === true;
const candidates = async () => (await rig.store.reader.run('listCandidates', { status: '', limit: 10 })).rows;

async function disabled(): Promise<number> {
  fail();
  await rig.look(worker, CONFIRMED_MS);
  expect(isDisabled()).toBe(true);
  return (await candidates())[0]?.id ?? 0;
}

test.each(['enable', 'delete'] as const)(
  'a success that is read while the operator decides to %s takes nothing back',
  async (command) => {
    const id = await disabled();
    rig.simulator.hook({ on: 'mutation', run: () => succeed() });
    expect((await actions.act(id, command)).item.status).toBe('resolved');
    await rig.look(worker, SOON_MS);
    expect(isDisabled()).toBe(false);
    expect(await rig.states(ACCOUNT_ACTION)).toEqual([]);
  },
);

test('an entry that is ignored in another tab while the account is enabled leaves it enabled', async () => {
  const id = await disabled();
  rig.simulator.hook({ on: 'status', run: async () => void (await actions.act(id, 'ignore')) });
  expect((await actions.act(id, 'enable')).item.status).toBe('ignored');
  expect(isDisabled()).toBe(false);
  expect(await rig.states(ACCOUNT_ACTION)).toEqual([]);
});

test.each(['pending', 'ignored'] as const)(
  'a success counts that is read during a manual change which does not happen (entry %s)',
  async (status) => {
    const id = await disabled();
    if (status === 'ignored') await actions.act(id, 'ignore');
    const account = accountRecord(identityOf(await rig.account(FILE)));
    const change = await rig.gatewayAccounts.claims.manual.begin(
      { kind: 'accounts', accounts: [account] },
      { kind: 'switch', disabled: false, names: [FILE] },
    );
    succeed();
    await change.settle('not_happened');
    await rig.look(worker, SOON_MS);
    expect(isDisabled()).toBe(false);
  },
);

test('a failure from before the operator enabled the account does not disable it again, a later one does', async () => {
  const id = await disabled();
  await actions.act(id, 'enable');
  fail(failedAtMs + 1);
  expect((await candidates()).map(({ status }) => status)).toEqual(['pending', 'resolved']);
  await rig.look(worker, CONFIRMED_MS);
  expect(isDisabled()).toBe(false);
  fail(Date.now());
  await rig.look(worker, CONFIRMED_MS + 1);
  expect(isDisabled()).toBe(true);
});

test('nothing is disabled while collected events wait to be read', async () => {
  fail();
  write((db) => db.run('INSERT INTO collected_batches VALUES (1, 2)'));
  await rig.look(worker, CONFIRMED_MS);
  expect(isDisabled()).toBe(false);
  // The second one was read, and newer ones say nothing about this time.
  write((db) => db.run('UPDATE collected_batches SET first_event_id = 3, last_event_id = 4'));
  await rig.look(worker, SOON_MS);
  expect(isDisabled()).toBe(true);
});

test('a success counts after a clock was set back', async () => {
  const aheadMs = 3_600_000;
  write((db) => {
    recordSuccesses(
      db,
      [{ file: FILE, provider: 'codex', authIndex, accountSnapshot: '', atMs: failedAtMs + aheadMs - 1 }],
      failedAtMs + aheadMs,
    );
  });
  fail(failedAtMs + aheadMs);
  await rig.look(worker, CONFIRMED_MS);
  expect(isDisabled()).toBe(true);
  succeed();
  await rig.look(worker, SOON_MS);
  expect(isDisabled()).toBe(false);
  // The success of the future hides no failure of now.
  fail(failedAtMs + 2);
  expect((await candidates())[0]).toMatchObject({ status: 'pending' });
});
