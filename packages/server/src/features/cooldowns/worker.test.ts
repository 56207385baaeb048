import { afterEach, describe, expect, test } from 'bun:test';
import type { CooldownFields } from '@manager/core/accounts/cooldown/row';
import vectors from '@manager/core/accounts/fixtures/cooldown-vectors.json';
import { candidateOf, rowOf } from '@manager/core/accounts/testing/cooldowns';
import { accountFile } from '@manager/simulator';
import type { WakingLoop } from '../../gateway/accounts/waking-loop.ts';
import type { Claim } from '../../gateway/claims/claim.ts';
import { type ClaimsRig, startClaimsRig } from '../../gateway/claims/testing.ts';
import { openDatabase } from '../../sqlite/open.ts';
import { COOLDOWN, fieldsOf, requestCooldowns } from './claim.ts';
import { endCooldown } from './end-cooldown.ts';
import { createCooldownWorker } from './worker.ts';

const SOON_MS = 16_000;
const NAMES = ['codex-0.json', 'codex-1.json', 'codex-2.json', 'codex-3.json', 'codex-4.json'];

let rig: ClaimsRig;
let worker: WakingLoop;

async function start(authFiles: Parameters<typeof startClaimsRig>[0]['authFiles'], configured = true): Promise<void> {
  rig = await startClaimsRig(authFiles === undefined ? {} : { authFiles });
  worker = createCooldownWorker({ ...rig, configured: () => configured, log: { info() {}, warn() {} } });
}
afterEach(async () => {
  await worker.stop();
  await rig.stop();
});

/** A due cooldown. */
async function dueCooldown(cooldown: CooldownFields): Promise<Claim> {
  const { writer } = rig.store;
  const claims = [{ ...fieldsOf(cooldown), request: null }];
  const enabled = { kind: 'accounts', accounts: [] } as const;
  const [claim] = await writer.run('beginDisabling', { owner: COOLDOWN, claims, enabled });
  if (claim === undefined) throw new Error('no claim was made');
  await writer.run('settleClaims', { ids: [claim.id], as: 'held' });
  return { ...claim, state: 'held' };
}

const files = () =>
  NAMES.map((name) => accountFile({ provider: 'codex', name, email: `${name}@example.test`, disabled: true }));

async function restsAt(name: string): Promise<void> {
  const { authIndex } = await rig.account(name);
  const owner = 'manager_usage_429';
  await dueCooldown(rowOf({ file: name, authIndex, provider: 'codex', owner, recoverAtMs: Date.now() - 1_000 }));
}

const resting = () => rig.simulator.authFiles().flatMap(({ name, disabled }) => (disabled === true ? [name] : []));

test('however long the gateway was away, due cooldowns end soon after', async () => {
  await start(files());
  for (const name of NAMES) await restsAt(name);
  rig.simulator.fault({
    kind: 'http',
    match: { path: '/v0/management/auth-files' },
    respond: { status: 503 },
    times: 'always',
  });
  for (let count = 0; count < 20; count += 1) await rig.look(worker, SOON_MS);
  expect(resting()).toEqual(NAMES);
  rig.simulator.clearFaults();
  await rig.look(worker, SOON_MS);
  expect(resting()).toEqual([]);
});

test('an account whose look-up always fails is retried with growing delays, and does not delay others', async () => {
  await start(files());
  const [broken = '', ...others] = NAMES;
  for (const name of NAMES) await restsAt(name);
  const cut = { on: 'list', account: broken, when: 'before', actions: [{ do: 'disconnect' }] } as const;
  rig.simulator.hook({ ...cut, times: 'always' });
  await rig.look(worker, 0);
  expect(resting()).toEqual([broken]);
  rig.simulator.clearHooks();
  await restsAt(others[0] ?? '');
  rig.simulator.hook({ ...cut, times: 'always' });
  await rig.look(worker, SOON_MS);
  rig.simulator.clearHooks();
  // The second attempt had another account in its batch that was answered, so the third comes later.
  await rig.look(worker, SOON_MS);
  expect(resting()).toEqual([broken]);
  await rig.look(worker, 2 * SOON_MS);
  expect(resting()).toEqual([]);
});

test('a failure from before a person enabled the account starts no cooldown, a later one does', async () => {
  await start(files());
  const [name = ''] = NAMES;
  const { authIndex } = await rig.account(name);
  const seenAtMs = Date.now();
  const owner = 'manager_usage_429';
  await dueCooldown(rowOf({ file: name, authIndex, provider: 'codex', owner, recoverAtMs: seenAtMs + 600_000 }));
  const scope = { kind: 'files', fileNames: [name] } as const;
  const wanted = { kind: 'switch', disabled: false, names: [name] } as const;
  const decision = await rig.gatewayAccounts.claims.manual.begin(scope, wanted);
  rig.simulator.operate({ do: 'enable', account: name });
  await decision.settle('happened');
  const fail = (atMs: number) => {
    const cooldown = { file: name, authIndex, provider: 'codex', owner, recoverAtMs: seenAtMs + 900_000 };
    const candidate = candidateOf(rowOf(cooldown));
    const db = openDatabase(rig.path);
    requestCooldowns(db, [{ candidate, seenAtMs: atMs }], Date.now());
    db.close();
  };
  fail(seenAtMs);
  await rig.look(worker, 0);
  expect(resting()).not.toContain(name);
  fail(Date.now() + 1);
  await rig.look(worker, 0);
  expect(resting()).toContain(name);
});

test('the fixture has vectors of recoveries', () => {
  expect(vectors.recover.length).toBeGreaterThan(0);
});

interface Surroundings {
  readonly configured?: boolean;
  readonly lock?: string;
  readonly list?: string;
  readonly patch?: string;
  readonly save?: string;
  readonly live: readonly {
    readonly id: string;
    readonly name: string;
    readonly authIndex: string;
    readonly provider: string;
    readonly account: string;
    readonly disabled: boolean;
  }[];
}

describe('ending a cooldown', () => {
  for (const { name, row, cooldown, env, expect: expected } of vectors.recover) {
    test(`${row} ${name}`, async () => {
      const { configured, lock, list, patch, save, live }: Surroundings = env;
      await start(
        live.map(({ id, name: file, authIndex, provider, account, disabled }) => ({
          id,
          name: file,
          authIndex,
          type: provider,
          email: account,
          disabled,
        })),
        configured,
      );
      const { status: _status, ...fields } = cooldown;
      const claim = await dueCooldown(rowOf(fields));
      const match = { path: '/v0/management/auth-files' };
      if (list === 'error') rig.simulator.fault({ kind: 'http', match, respond: { status: 503 }, times: 'always' });
      if (patch === 'error') rig.simulator.fault({ kind: 'mutation', answer: 'conflict', applies: false });
      const db = openDatabase(rig.path);
      if (save === 'error') {
        db.run(`CREATE TRIGGER refuse BEFORE UPDATE ON account_claims WHEN NEW.state = 'ended'
                BEGIN SELECT RAISE(ABORT, 'refused by the test'); END`);
      }
      if (lock === 'cancelled') {
        const changes = rig.gatewayAccounts.claims.register({ kind: COOLDOWN, retries: true });
        await endCooldown({ ...rig, changes }, claim, AbortSignal.abort());
      } else await rig.look(worker, 0);

      const stored = db
        .query<{ state: string; last_error: string }, [number]>('SELECT * FROM account_claims WHERE id = ?')
        .get(claim.id);
      db.close();
      const lastError = stored?.last_error !== '';
      const ended = lastError ? 'skipped' : 'recovered';
      expect({
        status: stored?.state === 'ended' ? ended : 'active',
        patches: rig.simulator.mutations({ by: 'caller' }).length,
        lastError,
      }).toEqual(expected);
      expect(rig.simulator.authFiles().some(({ disabled }) => disabled === true)).toBe(
        expected.status !== 'recovered' && live.length > 0,
      );
    });
  }
});
