import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import type { JsonObject } from '../json.ts';
import { startSimulator } from '../simulator.ts';
import { manage } from '../testing/raw-client.ts';
import type { Simulator } from '../types.ts';
import { accountFile, makeAccountFiles, sharedFile } from './account-files.ts';
import type { AuthFileSpec } from './auth-file-spec.ts';
import { accountIdOf } from './id-token.ts';

let simulator: Simulator;

beforeEach(async () => {
  simulator = await startSimulator({ clock: 'controlled', authFiles: [] });
});

afterEach(() => simulator.stop());

function addAll(files: readonly AuthFileSpec[]): void {
  for (const file of files) simulator.addAuthFile(file);
}

const call = (method: string, path: string, body?: unknown): ReturnType<typeof manage> =>
  manage(simulator, method, path, body);
const listed = async (query = ''): Promise<JsonObject[]> =>
  ((await call('GET', `/auth-files${query}`)).body as { files: JsonObject[] }).files;
const states = async (): Promise<unknown[]> => (await listed()).map(({ id, disabled }) => [id, disabled]);
const status = (name: string, disabled: boolean, auth_index?: string): ReturnType<typeof manage> =>
  call('PATCH', '/auth-files/status', { name, disabled, ...(auth_index === undefined ? {} : { auth_index }) });
const VIRTUAL = 'plugin virtual auth cannot be modified directly; edit or delete the source auth file';

test('a number of each provider, the same for the same seed', () => {
  const counts = { codex: 3, xai: 2, claude: 1, 'gemini-cli': 1, antigravity: 1, kimi: 1 };
  const files = makeAccountFiles(counts, { seed: 4 });
  expect(files.length).toBe(9);
  expect(files).toEqual(makeAccountFiles(counts, { seed: 4 }));
  expect(files).not.toEqual(makeAccountFiles(counts, { seed: 5 }));
  expect(new Set(files.map(({ authIndex }) => authIndex)).size).toBe(9);
  expect(files.every(({ email }) => email?.endsWith('@example.test') === true)).toBe(true);
  expect(files.filter(({ account }) => account === undefined).map(({ type }) => type)).toEqual(['gemini-cli']);
  const [first] = makeAccountFiles({ codex: 1 }, { each: () => ({ disabled: true, account: { state: 'revoked' } }) });
  expect(first).toMatchObject({ disabled: true, account: { provider: 'codex', state: 'revoked' } });
});

describe('identity tokens', () => {
  const id = accountIdOf('codex:river@example.test');
  const claims = { chatgpt_account_id: id, plan_type: 'plus' };
  const base = { provider: 'codex', email: 'river@example.test' };

  test('as object, as JSON text, as token, or absent', async () => {
    addAll([
      accountFile({ ...base, name: 'a.json' }),
      accountFile({ ...base, name: 'b.json', idToken: 'json-text' }),
      accountFile({ ...base, name: 'c.json', idToken: 'jwt', idTokenIn: 'metadata' }),
      accountFile({ ...base, name: 'd.json', idToken: 'none' }),
    ]);
    const [object, text, token, none] = await listed();
    expect(object?.id_token).toEqual(claims);
    expect(JSON.parse(String(text?.id_token))).toEqual(claims);
    const { id_token } = (token?.metadata ?? {}) as JsonObject;
    const jwt = String(id_token).split('.');
    expect(jwt.length).toBe(3);
    expect(JSON.parse(Buffer.from(jwt[1] ?? '', 'base64url').toString())).toEqual(claims);
    expect([none?.id_token, none?.metadata]).toEqual([undefined, undefined]);
  });

  test('an upload with another account at the same path changes who the row is', async () => {
    addAll([accountFile({ ...base, name: 'a.json' })]);
    const [before] = await listed();
    const other = accountFile({ provider: 'codex', name: 'a.json', email: 'lake@example.test', plan: 'team' });
    await call('POST', '/auth-files?name=a.json', other.content);
    const [after] = await listed();
    expect(after).toMatchObject({
      auth_index: before?.auth_index as string,
      account: 'lake@example.test',
      id_token: { chatgpt_account_id: accountIdOf('codex:lake@example.test'), plan_type: 'team' },
    });
    expect(simulator.account('a.json')).toBeNull();
  });
});

describe('several accounts in one file', () => {
  test('with a source row: it selects the whole file, its children only themselves', async () => {
    addAll(sharedFile({ name: 'shared.json', provider: 'codex', children: 2 }));
    const rows = await listed('?name=shared.json');
    expect(rows.map(({ id }) => id)).toEqual(['shared.json', 'shared#1', 'shared#2']);
    expect(new Set(rows.map(({ auth_index }) => auth_index)).size).toBe(3);
    await status('shared.json', true);
    expect(await states()).toEqual([
      ['shared.json', true],
      ['shared#1', true],
      ['shared#2', true],
    ]);
    await status('shared#1', false);
    expect(await states()).toEqual([
      ['shared.json', true],
      ['shared#1', false],
      ['shared#2', true],
    ]);
  });

  test('without one: each by its id, by the name the first, or the one of the index', async () => {
    addAll(sharedFile({ name: 'pair.json', provider: 'codex', children: 2, sourceRow: false }));
    const [, second] = await listed();
    await status('pair#2', true);
    expect(await states()).toEqual([
      ['pair#1', false],
      ['pair#2', true],
    ]);
    await status('pair.json', false, String(second?.auth_index));
    await status('pair.json', true);
    expect(await states()).toEqual([
      ['pair#1', true],
      ['pair#2', false],
    ]);
  });

  test('rows of a plugin refuse with 409; by the file name all of them change', async () => {
    addAll(sharedFile({ name: 'plugin.json', provider: 'codex', children: 2, sourceRow: false, virtual: true }));
    const refusal = { status: 409, body: { error: VIRTUAL } };
    expect(await status('plugin#1', true)).toMatchObject(refusal);
    expect(await call('DELETE', '/auth-files?name=plugin%231')).toMatchObject(refusal);
    expect(await call('PATCH', '/auth-files/fields', { name: 'plugin#1', note: 'n' })).toMatchObject(refusal);
    expect(await status('plugin.json', true)).toMatchObject({ status: 200, body: { status: 'ok', disabled: true } });
    expect(await states()).toEqual([
      ['plugin#1', true],
      ['plugin#2', true],
    ]);
  });

  test('deleting one account takes its siblings with it', async () => {
    addAll(sharedFile({ name: 'pair.json', provider: 'codex', children: 2, sourceRow: false }));
    expect(await call('DELETE', '/auth-files?name=pair%232')).toMatchObject({ status: 200 });
    expect(await listed()).toEqual([]);
    expect(simulator.mutations({ kind: 'delete' })[0]?.changes.map(({ id }) => id)).toEqual(['pair#1', 'pair#2']);
  });
});

describe('the list', () => {
  test('is filtered by name or id, unless filters are off', async () => {
    addAll([...makeAccountFiles({ codex: 3 }), ...sharedFile({ name: 's.json', provider: 'xai', children: 1 })]);
    expect((await listed('?name=s.json')).length).toBe(2);
    expect((await listed('?name=s%231')).length).toBe(1);
    simulator.setListFilters(false);
    expect((await listed('?name=s%231')).length).toBe(5);
    simulator.setListFilters(true);
    expect((await listed('?name=none.json')).length).toBe(0);
  });

  test('has every shape a reader must take or refuse', async () => {
    addAll([
      accountFile({ provider: 'xai', email: 'a@example.test', disabled: true }),
      accountFile({ provider: 'xai', email: 'b@example.test' }),
    ]);
    const shaped = async (shape: Parameters<Simulator['fault']>[0]): Promise<unknown> => {
      simulator.fault(shape);
      return (await call('GET', '/auth-files')).body;
    };
    const rows = async (shape: 'missing-id'): Promise<JsonObject[]> =>
      ((await shaped({ kind: 'auth-file-list', shape })) as { files: JsonObject[] }).files;
    expect(await shaped({ kind: 'auth-file-list', shape: 'wrapper', key: 'items' })).toHaveProperty('items');
    expect(await shaped({ kind: 'auth-file-list', shape: 'single' })).toMatchObject({
      name: 'xai-a@example.test.json',
    });
    expect(await shaped({ kind: 'auth-file-list', shape: 'no-rows' })).toEqual({});
    expect(await shaped({ kind: 'auth-file-list', shape: 'not-json' })).toBeUndefined();
    const members = async (shape: string, name: string): Promise<unknown[]> =>
      (await rows(shape as 'missing-id')).map((row) => row[name]);
    expect(await members('missing-id', 'id')).toEqual([undefined, undefined]);
    expect(await members('numeric-index', 'auth_index')).toEqual([1, 2]);
    expect(await members('disabled-as-text', 'disabled')).toEqual(['true', 'false']);
    expect(await members('disabled-as-number', 'disabled')).toEqual([1, 0]);
    expect(await members('disabled-as-status', 'status')).toEqual(['inactive', 'active']);
    expect(await members('provider-spelling', 'provider')).toEqual(['X_AI', 'X_AI']);
    expect(await members('camel-case', 'fileName')).toEqual(['xai-a@example.test.json', 'xai-b@example.test.json']);
    const huge = await shaped({ kind: 'auth-file-list', shape: 'huge-first', bytes: 2 * 1024 * 1024 });
    expect((huge as { files: JsonObject[] }).files.map(({ name }) => name)).toEqual([
      'padding-0.json',
      'padding-1.json',
      'xai-a@example.test.json',
      'xai-b@example.test.json',
    ]);
  });
});
