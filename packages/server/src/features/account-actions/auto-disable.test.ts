import { afterEach, describe, expect, test } from 'bun:test';
import vectors from '@manager/core/accounts/fixtures/cooldown-vectors.json';
import { type AuthFileSpec, accountFile } from '@manager/simulator';
import type { WakingLoop } from '../../gateway/accounts/waking-loop.ts';
import { requestClaim } from '../../gateway/claims/queries/change-claims.ts';
import { type ClaimsRig, startClaimsRig } from '../../gateway/claims/testing.ts';
import { openDatabase } from '../../sqlite/open.ts';
import { createAutoDisableWorker } from './auto-disable.ts';
import { ACCOUNT_ACTION, fieldsOf } from './claim.ts';
import { recordFailures } from './queries/candidates.ts';

/** After the time in which a success withdraws the failure. */
const CONFIRMED_MS = 91_000;
const SOON_MS = CONFIRMED_MS + 16_000;
const NAMES = ['codex-0.json', 'codex-1.json', 'codex-2.json', 'codex-3.json', 'codex-4.json'];

let rig: ClaimsRig;
let worker: WakingLoop;

async function start(authFiles: readonly AuthFileSpec[], effective = true): Promise<void> {
  // The gateway's status words do not follow a change while the manager looks.
  rig = await startClaimsRig({ authFiles, statusWordDelayMs: 3_600_000 });
  const { reader, writer } = rig.store;
  worker = createAutoDisableWorker({
    ...rig,
    reader,
    writer,
    configured: () => true,
    effective: async () => effective,
    log: { info() {}, warn() {} },
  });
}
afterEach(async () => {
  await worker.stop();
  await rig.stop();
});

function fail(file: string, parts: { authIndex: string; accountSnapshot?: string; eligible?: boolean }): void {
  const db = openDatabase(rig.path);
  const report = {
    file,
    provider: 'codex',
    authIndex: parts.authIndex,
    accountId: '',
    accountSnapshot: parts.accountSnapshot ?? '',
    authLabel: '',
    actionType: 'reauth',
    reasonCode: 'token_revoked',
    reason: 'revoked',
    autoDisableEligible: parts.eligible ?? true,
    evidence: {},
    seenAtMs: Date.now(),
  } as const;
  recordFailures(db, [report], { autoDisable: true, nowMs: Date.now() });
  db.close();
}

async function startFailed(): Promise<void> {
  await start(NAMES.map((name) => accountFile({ provider: 'codex', name, email: `${name}@example.test` })));
  for (const name of NAMES) fail(name, { authIndex: (await rig.account(name)).authIndex });
}

const disabled = () => rig.simulator.authFiles().flatMap(({ name, disabled: is }) => (is === true ? [name] : []));
const candidates = async () => (await rig.store.reader.run('listCandidates', { status: '', limit: 10 })).rows;

test('however long the gateway was away, due work is done soon after', async () => {
  await startFailed();
  rig.simulator.fault({
    kind: 'http',
    match: { path: '/v0/management/auth-files' },
    respond: { status: 503 },
    times: 'always',
  });
  for (let count = 0; count < 20; count += 1) await rig.look(worker, SOON_MS);
  expect(disabled()).toEqual([]);
  rig.simulator.clearFaults();
  await rig.look(worker, SOON_MS);
  expect(disabled()).toEqual(NAMES);
});

test('an account whose look-up always fails does not delay others', async () => {
  await startFailed();
  const [broken = '', ...others] = NAMES;
  const cut = { on: 'list', account: broken, when: 'before', actions: [{ do: 'disconnect' }] } as const;
  rig.simulator.hook({ ...cut, times: 'always' });
  await rig.look(worker, CONFIRMED_MS);
  expect(disabled()).toEqual(others);
  rig.simulator.clearHooks();
  await rig.look(worker, SOON_MS);
  expect(disabled()).toEqual(NAMES);
});

test('a different account at the same path is not changed', async () => {
  await startFailed();
  const [name = ''] = NAMES;
  const by = accountFile({ provider: 'codex', name, email: 'other@example.test' });
  rig.simulator.hook({
    on: 'status',
    when: 'before',
    account: name,
    actions: [{ do: 'replace', account: name, by }],
  });
  await rig.look(worker, CONFIRMED_MS);
  expect(disabled()).toEqual(NAMES.slice(1));
  expect((await candidates()).find(({ file }) => file === name)).toMatchObject({
    autoDisabledAtMs: null,
    lastError: 'the auth file now holds another account',
  });
});

test('the fixture has vectors of auto-disable', () => {
  expect(vectors.autoDisable.length).toBeGreaterThan(0);
});

describe('disabling the account of a candidate', () => {
  const FILE = 'codex-a.json';
  const row = (parts: Partial<AuthFileSpec>): AuthFileSpec => ({
    name: FILE,
    type: 'codex',
    email: 'a@example.test',
    authIndex: 'ix-1',
    ...parts,
  });
  const LIVE: Readonly<Record<string, readonly AuthFileSpec[]>> = {
    enabled: [row({})],
    disabled: [row({ disabled: true })],
    mismatch: [row({ email: 'b@example.test' })],
    missing: [],
    ambiguous: [row({}), row({ id: 'child', authIndex: 'ix-2', email: 'b@example.test' })],
    error: [row({})],
  };

  for (const { name, expect: expected, ...vector } of vectors.autoDisable) {
    test(name, async () => {
      await start(LIVE[vector.live] ?? [], vector.autoDisableEffective);
      const identity = { authIndex: 'ix-1', accountSnapshot: 'a@example.test' };
      fail(FILE, { ...(vector.stableIdentity ? identity : { authIndex: '' }), eligible: vector.eligible });
      const [candidate] = await candidates();
      if (candidate === undefined) throw new Error('there is no candidate');
      const db = openDatabase(rig.path);
      if (!vector.eligible) requestClaim(db, ACCOUNT_ACTION, fieldsOf(candidate), Date.now());
      if (vector.live === 'error') {
        const match = { path: '/v0/management/auth-files' };
        rig.simulator.fault({ kind: 'http', match, respond: { status: 503 }, times: 'always' });
      }
      if (vector.patch === 'error') rig.simulator.fault({ kind: 'mutation', answer: 'conflict', applies: false });
      if (vector.marker === 'error') {
        db.run(`CREATE TRIGGER refuse BEFORE UPDATE OF auto_disabled_at_ms ON account_action_candidates
                BEGIN SELECT RAISE(ABORT, 'refused by the test'); END`);
      }
      if (vector.marker === 'not_pending') {
        rig.simulator.hook({
          on: 'status',
          run: async () => {
            await rig.store.writer.run('closeCandidate', { id: candidate.id, status: 'resolved' });
          },
        });
      }
      await rig.look(worker, CONFIRMED_MS);
      db.close();
      const [after] = await candidates();
      const [live] = rig.simulator.authFiles();
      expect({
        patches: rig.simulator.mutations({ by: 'caller' }).length,
        autoDisabled: after?.autoDisabledAtMs !== null,
        lastError: after?.lastError !== '',
        finalDisabled: live?.disabled === true,
      }).toMatchObject(expected);
    });
  }
});
