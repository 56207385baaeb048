import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { accountFile, sharedFile } from '../accounts/account-files.ts';
import type { JsonObject } from '../json.ts';
import { startSimulator } from '../simulator.ts';
import { manage, popHttp } from '../testing/raw-client.ts';
import type { Simulator } from '../types.ts';

const A = 'codex-a@example.test.json';
const B = 'codex-b@example.test.json';

let simulator: Simulator;

beforeEach(async () => {
  const authFiles = ['a', 'b'].map((name) => accountFile({ provider: 'codex', email: `${name}@example.test` }));
  simulator = await startSimulator({ clock: 'controlled', authFiles });
});

afterEach(() => simulator.stop());

const status = (name: string, disabled: boolean): ReturnType<typeof manage> =>
  manage(simulator, 'PATCH', '/auth-files/status', { name, disabled });
const list = async (query = ''): Promise<JsonObject[]> =>
  ((await manage(simulator, 'GET', `/auth-files${query}`)).body as { files: JsonObject[] }).files;
const disabledNow = (): unknown[] => simulator.authFiles().map(({ disabled }) => disabled);

describe('changes at once', () => {
  test('disable and enable show in every member, and in the journal', async () => {
    simulator.operate({ do: 'disable', account: A });
    expect((await list())[0]).toMatchObject({ disabled: true, status: 'disabled' });
    simulator.operate({ do: 'enable', account: String((await list())[0]?.auth_index) });
    expect((await list())[0]).toMatchObject({ disabled: false, status: 'active' });
    expect(simulator.mutations({ by: 'operator' }).map(({ kind, changes }) => [kind, changes[0]?.what])).toEqual([
      ['status', 'disabled'],
      ['status', 'enabled'],
    ]);
    expect(() => simulator.operate({ do: 'delete', account: 'none' })).toThrow('no account none');
  });

  test('replace puts another account at the same path; add makes siblings; delete takes the file', async () => {
    const [before] = await list();
    const other = accountFile({ provider: 'codex', name: A, email: 'z@example.test', account: { state: 'revoked' } });
    simulator.operate({ do: 'replace', account: A, by: other });
    expect((await list())[0]).toMatchObject({ auth_index: String(before?.auth_index), account: 'z@example.test' });
    expect(simulator.account(A)).toMatchObject({ state: 'revoked' });
    const [, child] = sharedFile({ name: A, provider: 'codex', children: 1 });
    if (child !== undefined) simulator.operate({ do: 'add', file: child });
    expect((await list(`?name=${A}`)).length).toBe(2);
    simulator.operate({ do: 'delete', account: A });
    expect((await list()).map(({ name }) => name)).toEqual([B]);
  });

  test('account, fault, clock and events', async () => {
    const before = simulator.now();
    simulator.operate({ do: 'account', account: A, change: { state: 'expired' } });
    simulator.operate({ do: 'fault', fault: { kind: 'mutation', answer: 'text' } });
    simulator.operate({ do: 'advance', ms: 500 });
    simulator.operate({ do: 'publish', account: A, event: { kind: 'overloaded' } });
    expect(simulator.account(A)?.state).toBe('expired');
    expect((await status(A, true)).text).toBe('ok');
    expect(simulator.now()).toBe(before + 500);
    expect(await popHttp(simulator, 10)).toMatchObject([{ failed: true, fail: { status_code: 503 } }]);
  });

  test('a refreshed 401, and successes without an event', async () => {
    simulator.operate({ do: 'publish-refreshed', account: A });
    simulator.operate({ do: 'succeed-silently', account: A, count: 2 });
    await Bun.sleep(0);
    const [refused, repeated, ...others] = await popHttp(simulator, 10);
    expect([refused, repeated]).toMatchObject([{ failed: true, fail: { status_code: 401 } }, { failed: false }]);
    expect(others).toEqual([]);
    expect(simulator.authFiles().find(({ id }) => id === A)).toMatchObject({ success: 3, failed: 1 });
  });
});

describe('hooks', () => {
  test('after the list: the caller acts on a list that is no longer true', async () => {
    const id = simulator.hook({ on: 'list', actions: [{ do: 'disable', account: A }] });
    expect(simulator.hookFired(id)).toBe(0);
    expect((await list()).map(({ disabled }) => disabled)).toEqual([false, false]);
    expect(disabledNow()).toEqual([true, false]);
    expect(simulator.hookFired(id)).toBe(1);
    simulator.operate({ do: 'enable', account: A });
    await list();
    expect(disabledNow()).toEqual([false, false]);
  });

  test('before a patch: the account is gone when it arrives', async () => {
    simulator.hook({ on: 'status', when: 'before', account: A, actions: [{ do: 'delete', account: A }] });
    expect((await status(B, true)).status).toBe(200);
    expect(await status(A, true)).toMatchObject({ status: 404, body: { error: 'auth file not found' } });
  });

  test('after a patch: it was answered as done, and is undone', async () => {
    simulator.hook({ on: 'mutation', disabled: true, actions: [{ do: 'enable', account: A }] });
    expect(await status(A, false)).toMatchObject({ status: 200 });
    expect(await status(A, true)).toMatchObject({ body: { status: 'ok', disabled: true } });
    expect(disabledNow()).toEqual([false, false]);
    expect(simulator.mutations().map(({ by, changes }) => [by, changes[0]?.what])).toEqual([
      ['caller', 'enabled'],
      ['caller', 'disabled'],
      ['operator', 'enabled'],
    ]);
  });

  test('from the nth on, a number of times, by the index of an api-call', async () => {
    const [, second] = await list();
    const call = (auth_index: unknown): ReturnType<typeof manage> =>
      manage(simulator, 'POST', '/api-call', { auth_index, method: 'GET', url: 'https://llm.example.test/' });
    const id = simulator.hook({ on: 'api-call', account: B, nth: 2, times: 2, run: () => simulator.advance(10) });
    const before = simulator.now();
    for (let count = 0; count < 5; count += 1) await call(second?.auth_index);
    await call('other');
    expect([simulator.hookFired(id), simulator.now() - before]).toEqual([2, 20]);
  });

  test('a call is kept until it is released, and others pass meanwhile', async () => {
    const id = simulator.hook({ on: 'status', when: 'before', hold: true });
    let answered = false;
    const held = status(A, true).then(() => {
      answered = true;
    });
    while (simulator.hookFired(id) !== 1) await Bun.sleep(1);
    expect((await status(B, true)).status).toBe(200);
    expect([answered, disabledNow()]).toEqual([false, [false, true]]);
    simulator.releaseHook(id);
    await held;
    expect(disabledNow()).toEqual([true, true]);
    const other = simulator.hook({ on: 'any', hold: true, times: 'always' });
    const listing = list();
    while (simulator.hookFired(other) !== 1) await Bun.sleep(1);
    simulator.clearHooks();
    expect((await listing).length).toBe(2);
    expect(simulator.hookFired(other)).toBeNull();
  });

  test('connections that end in the middle', async () => {
    simulator.hook({ on: 'status', actions: [{ do: 'disconnect' }] });
    await expect(status(A, true)).rejects.toThrow();
    expect(disabledNow()).toEqual([true, false]);
  });
});
