import { afterEach, beforeEach, expect, test } from 'bun:test';
import { accountFile } from '@manager/simulator';
import type { WakingLoop } from '../../gateway/accounts/waking-loop.ts';
import { type ClaimsRig, startClaimsRig } from '../../gateway/claims/testing.ts';
import { openDatabase } from '../../sqlite/open.ts';
import { createConfirmations } from './confirm.ts';
import { recordFailures } from './queries/candidates.ts';

const FILE = 'codex-0.json';
/** After the time in which a success withdraws the failure. */
const CONFIRMED_MS = 91_000;

let rig: ClaimsRig;
let confirmations: WakingLoop;

beforeEach(async () => {
  rig = await startClaimsRig({ authFiles: [accountFile({ provider: 'codex', name: FILE, email: 'a@example.test' })] });
  const { reader, writer } = rig.store;
  const { client } = rig.gatewayAccounts;
  const log = { info() {}, warn() {} };
  confirmations = createConfirmations({
    ...rig,
    client,
    reader,
    writer,
    log,
    configured: () => true,
    onSuperseded() {},
  });
  const { authIndex } = await rig.account(FILE);
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
    seenAtMs: Date.now(),
  } as const;
  changing((db) => recordFailures(db, [report], { autoDisable: false, nowMs: Date.now() }));
});
afterEach(async () => {
  await confirmations.stop();
  await rig.stop();
});

function changing(change: (db: ReturnType<typeof openDatabase>) => void): void {
  const db = openDatabase(rig.path);
  change(db);
  db.close();
}

const isConfirmed = async () =>
  (await rig.store.reader.run('listCandidates', { status: 'pending', limit: 1 })).rows[0]?.confirmingUntilMs === null;

test('a failure is not confirmed early', async () => {
  await rig.look(confirmations, 80_000);
  expect(await isConfirmed()).toBe(false);
  await rig.look(confirmations, CONFIRMED_MS);
  expect(await isConfirmed()).toBe(true);
});

test('events that were collected before are read first, and later ones are not waited for', async () => {
  changing((db) => db.run('INSERT INTO collected_batches VALUES (1, 5)'));
  await rig.look(confirmations, CONFIRMED_MS);
  expect(await isConfirmed()).toBe(false);
  changing((db) => db.run('UPDATE collected_batches SET first_event_id = 6, last_event_id = 9'));
  await rig.look(confirmations, CONFIRMED_MS);
  expect(await isConfirmed()).toBe(true);
});

test('while the gateway does not answer, nothing is confirmed', async () => {
  const match = { path: '/v0/management/auth-files' };
  rig.simulator.fault({ kind: 'http', match, respond: { status: 503 }, times: 'always' });
  await rig.look(confirmations, CONFIRMED_MS);
  expect(await isConfirmed()).toBe(false);
  rig.simulator.clearFaults();
  await rig.look(confirmations, CONFIRMED_MS);
  expect(await isConfirmed()).toBe(true);
});
