import { afterEach, describe, expect, test } from 'bun:test';
import { type AccountIdentity, accountIdentity } from '@manager/core/accounts/identity';
import { GatewayError } from '../errors.ts';
import { type GatewayRig, NO_CLAIMS, startGatewayRig } from '../testing.ts';
import { AccountChangeError } from './changes.ts';
import { createGatewayAccounts, type GatewayAccounts } from './gateway-accounts.ts';

const FILES = [
  { name: 'one.json', type: 'codex', email: 'one@example.test' },
  { name: 'src.json', type: 'gemini', email: 'src@example.test' },
  { name: 'src.json', id: 'src-child', type: 'gemini', email: 'child@example.test', virtual: true },
  { name: 'virtual.json', id: 'virtual-child', type: 'codex', email: 'v@example.test', virtual: true },
  { name: 'pair.json', id: 'pair-a', type: 'xai', email: 'a@example.test' },
  { name: 'pair.json', id: 'pair-b', type: 'xai', email: 'b@example.test' },
];

let rig: GatewayRig;
afterEach(() => rig.stop());

async function start(): Promise<GatewayAccounts> {
  rig = await startGatewayRig({ authFiles: FILES });
  return createGatewayAccounts({
    http: rig.http,
    connection: () => rig.connection,
    tlsSkipVerify: () => false,
    elapsed: () => performance.now(),
    claims: NO_CLAIMS,
    log: console,
  });
}

const identity = (authFileName: string, parts: Partial<AccountIdentity> = {}) =>
  accountIdentity({ authFileName, ...parts });
const isDisabled = (id: string) => rig.simulator.authFiles().find((file) => file.id === id)?.disabled;

async function found<T>(wanted: Promise<{ found: true; target: T } | { found: false; problem: string }>): Promise<T> {
  const result = await wanted;
  if (!result.found) throw new Error(result.problem);
  return result.target;
}

async function failureOf(promise: Promise<unknown>): Promise<AccountChangeError> {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof AccountChangeError)) throw new Error(`expected a failed change, not ${error}`);
  return error;
}

describe('the list', () => {
  for (const shape of ['wrapper', 'bare-array', 'camel-case', 'numeric-index', 'disabled-as-status'] as const) {
    test(`is read completely as ${shape}`, async () => {
      const { client } = await start();
      rig.simulator.fault({ kind: 'auth-file-list', shape });
      expect((await client.list()).map(({ name }) => name)).toEqual(FILES.map(({ name }) => name).sort());
    });
  }

  test('may be one entry without a list', async () => {
    const { client } = await start();
    rig.simulator.fault({ kind: 'auth-file-list', shape: 'single' });
    expect((await client.list()).map(({ name }) => name)).toEqual(['one.json']);
  });

  for (const shape of ['not-json', 'huge'] as const) {
    test(`${shape} is an error, never a part`, async () => {
      const { client } = await start();
      rig.simulator.fault({ kind: 'auth-file-list', shape });
      expect(await client.list().catch((error: unknown) => error)).toBeInstanceOf(GatewayError);
    });
  }
});

describe('targets', () => {
  test('an account is found by its known members, on old and new gateways', async () => {
    const { targets } = await start();
    for (const filters of [true, false]) {
      rig.simulator.setListFilters(filters);
      const pair = await found(targets.credential(identity('pair.json', { accountSnapshot: 'b@example.test' })));
      expect([pair.scope, pair.selector]).toEqual(['credential', 'pair-b']);
    }
  });

  test('an ambiguous account is not changed', async () => {
    const { targets } = await start();
    const problem = async (of: AccountIdentity) => {
      const result = await targets.credential(of);
      return result.found ? null : result.problem;
    };
    expect(await problem(identity('pair.json'))).toBe('ambiguous');
    expect(await problem(identity('src.json', { accountSnapshot: 'src@example.test' }))).toBe('ambiguous');
    expect(await problem(identity('one.json', { accountSnapshot: 'other@example.test' }))).toBe('identity_mismatch');
    expect(await problem(identity('gone.json'))).not.toBeNull();
    rig.simulator.fault({ kind: 'http', match: { path: '/v0/management/auth-files' }, respond: { status: 500 } });
    expect(await problem(identity('one.json'))).toBe('unavailable');
  });
});

describe('changes', () => {
  test('a confirmed one returns; a plugin account is changed by its file', async () => {
    const { targets, changes } = await start();
    await changes.setDisabled(await found(targets.credential(identity('one.json'))), true);
    expect(isDisabled('one.json')).toBe(true);
    await changes.setDisabled(await found(targets.credential(identity('virtual.json'))), true);
    const names = rig.simulator.requests({ method: 'PATCH' }).map(({ body }) => JSON.parse(body).name);
    expect(names).toEqual(['one.json', 'virtual-child', 'virtual.json']);
  });

  for (const answer of ['text', 'too-large', 'unconfirmed', 'partial-quiet', 'failed-list', 'server-error'] as const) {
    test.each([true, false])(`${answer} is no confirmation, whether it happened (%p) or not`, async (applies) => {
      const { targets, changes } = await start();
      const target = await found(targets.credential(identity('one.json')));
      rig.simulator.fault({ kind: 'mutation', answer, applies });
      expect((await failureOf(changes.setDisabled(target, true))).mayHaveHappened).toBe(applies);
    });
  }

  test('a refused change is not looked up', async () => {
    const { targets, changes } = await start();
    const target = await found(targets.credential(identity('one.json')));
    rig.simulator.fault({ kind: 'mutation', answer: 'conflict', applies: false });
    rig.simulator.hook({ on: 'status', actions: [{ do: 'disable', account: 'one.json' }] });
    expect((await failureOf(changes.setDisabled(target, true))).mayHaveHappened).toBe(false);
  });

  test.each([true, false])('a manual one is looked up also when it is refused (happened: %p)', async (applies) => {
    const { targets, changes } = await start();
    const target = await found(targets.credential(identity('one.json')));
    rig.simulator.fault({ kind: 'mutation', answer: 'conflict', applies });
    const failure = await failureOf(changes.setDisabled(target, true, { by: 'person' }));
    expect(failure.mayHaveHappened).toBe(applies);
  });

  test('when the look-up fails too, the result is unknown', async () => {
    const { targets, changes } = await start();
    const target = await found(targets.credential(identity('one.json')));
    rig.simulator.fault({ kind: 'mutation', answer: 'empty-object', applies: false });
    rig.simulator.fault({ kind: 'http', match: { path: '/v0/management/auth-files' }, respond: { status: 500 } });
    expect((await failureOf(changes.setDisabled(target, true))).mayHaveHappened).toBe(true);
  });

  test.each([502, 504])('a proxy that returns %i has no answer of the gateway', async (status) => {
    const { targets, changes } = await start();
    const target = await found(targets.credential(identity('one.json')));
    rig.simulator.fault({ kind: 'mutation', answer: { status, body: 'no answer' } });
    await changes.setDisabled(target, true);
    expect(isDisabled('one.json')).toBe(true);
  });

  test('without an answer a look-up decides', async () => {
    const { targets, changes } = await start();
    const target = await found(targets.credential(identity('one.json')));
    rig.simulator.fault({ kind: 'mutation', answer: 'reset' });
    await changes.setDisabled(target, true);
    expect(isDisabled('one.json')).toBe(true);
    rig.simulator.fault({ kind: 'mutation', answer: 'reset', applies: false });
    expect((await failureOf(changes.setDisabled(target, false))).mayHaveHappened).toBe(true);
  });

  test('a deletion without an answer is looked up, too', async () => {
    const { targets, changes } = await start();
    rig.simulator.fault({ kind: 'mutation', answer: 'reset' });
    await changes.deleteFile(await found(targets.onlyCredential(identity('one.json'))));
    expect(isDisabled('one.json')).toBeUndefined();
    const whole = await targets.onlyCredential(identity('pair.json', { accountSnapshot: 'a@example.test' }));
    expect(whole).toEqual({ found: false, problem: 'ambiguous' });
  });
});
