import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import type { JsonObject } from '../json.ts';
import { startSimulator } from '../simulator.ts';
import { eventLine } from '../testing/fixtures.ts';
import { KEY, manage, messageFrame, subscribed } from '../testing/raw-client.ts';
import type { Simulator } from '../types.ts';

let simulator: Simulator;

beforeEach(async () => {
  simulator = await startSimulator({ clock: 'controlled', startMs: Date.UTC(2026, 8, 1, 8, 5) });
});

afterEach(() => simulator.stop());

const call = (method: string, path: string, body?: unknown): ReturnType<typeof manage> =>
  manage(simulator, method, path, body);
const OK = { status: 200, body: { status: 'ok' } };
const bad = (error: string, status = 400): object => ({ status, body: { error } });

describe('auth files', () => {
  test('filters, and their absence in old versions', async () => {
    const index = 'e645679a8a8d0dab';
    expect((await call('GET', `/auth-files?auth_index=${index}`)).body).toMatchObject({ files: { length: 1 } });
    expect((await call('GET', '/auth-files?name=simplugin-source.json')).body).toMatchObject({ files: { length: 2 } });
    simulator.setProfile('v7.1.39');
    expect((await call('GET', `/auth-files?auth_index=${index}`)).body).toMatchObject({ files: { length: 9 } });
  });

  test('members an old version does not know are left out', async () => {
    simulator.setProfile('v6.9.38');
    const { text } = await call('GET', '/auth-files');
    for (const member of ['"success"', 'recent_requests', 'websockets', '"weight"', 'request_retry'])
      expect(text).not.toContain(member);
  });

  test('each published event counts for its account, delivered or not', async () => {
    const success = { ...eventLine(2), auth_index: '39e441f16ca65b37' };
    await simulator.publish(success, { count: 3 });
    simulator.setStats(false);
    await simulator.publish({ ...success, failed: true });
    simulator.advance(10 * 60_000);
    await simulator.publish(success);
    const { body } = await call('GET', '/auth-files?auth_index=39e441f16ca65b37');
    const [row] = (body as { files: { success: number; failed: number; recent_requests: JsonObject[] }[] }).files;
    expect([row?.success, row?.failed]).toEqual([46, 2]);
    expect(row?.recent_requests.slice(-2)).toEqual([
      { time: '08:00-08:10', success: 6, failed: 2 },
      { time: '08:10-08:20', success: 1, failed: 0 },
    ]);
    simulator.restart();
    expect((await call('GET', '/auth-files?auth_index=39e441f16ca65b37')).body).toMatchObject({
      files: [{ success: 0, failed: 0 }],
    });
  });

  test('status: shown at once in disabled, later in status; subscribers are notified', async () => {
    const client = await subscribed(simulator);
    const name = 'claude-amber@example.test.json';
    expect(await call('PATCH', '/auth-files/status', { name, disabled: true })).toMatchObject({
      status: 200,
      body: { status: 'ok', disabled: true },
    });
    const row = async (): Promise<unknown> => (await call('GET', `/auth-files?name=${encodeURIComponent(name)}`)).body;
    expect(await row()).toMatchObject({ files: [{ disabled: true, status: 'active' }] });
    simulator.advance(1000);
    expect(await row()).toMatchObject({ files: [{ disabled: true, status: 'disabled' }] });
    const refresh = messageFrame('{"refresh":true}');
    expect(await client.read(refresh.length)).toBe(refresh);
  });

  test('status of virtual rows and of configured keys', async () => {
    const virtual = 'plugin virtual auth cannot be modified directly; edit or delete the source auth file';
    expect(await call('PATCH', '/auth-files/status', { name: 'plugin-virtual-a', disabled: true })).toMatchObject(
      bad(virtual, 409),
    );
    const key = { name: 'gemini-api-key-1', auth_index: '0e415a4bf29267d3', disabled: true };
    expect(await call('PATCH', '/auth-files/status', key)).toMatchObject({
      body: { status: 'ok', disabled: true, via: 'config:excluded-models', excluded_pattern: '*' },
    });
    expect((await call('GET', '/gemini-api-key')).text).toContain('"excluded-models":["*"]');
    expect(await call('PATCH', '/auth-files/status', { ...key, disabled: false })).toMatchObject({ status: 200 });
    expect((await call('GET', '/gemini-api-key')).text).not.toContain('excluded-models');
    const unknown = { ...key, auth_index: '0000000000000000' };
    expect(await call('PATCH', '/auth-files/status', unknown)).toMatchObject(
      bad('config api key entry not found', 404),
    );
  });

  for (const [body, error] of [
    ['x', 'invalid request body'],
    [{ disabled: true }, 'name is required'],
    [{ name: 'a.json' }, 'disabled is required'],
  ] as const) {
    test(`status refuses: ${error}`, async () => {
      expect(await call('PATCH', '/auth-files/status', body)).toMatchObject(bad(error));
    });
  }

  test('fields', async () => {
    const name = 'codex-stone@example.test-team.json';
    const path = '/auth-files/fields';
    expect(
      await call('PATCH', path, { name, note: 'n', 'request-retry': 2, headers: { A: '1', B: '2' }, 'nested.deep': 1 }),
    ).toMatchObject(OK);
    expect(await call('PATCH', path, { name, headers: { A: '' }, weight: 4 })).toMatchObject(OK);
    const file = await call('GET', `/auth-files/download?name=${encodeURIComponent(name)}`);
    expect(file.body).toMatchObject({
      note: 'n',
      request_retry: 2,
      headers: { B: '2' },
      nested: { deep: 1 },
      weight: 4,
    });
    expect(await call('PATCH', path, { name, weight: null, priority: 0 })).toMatchObject(OK);
    expect((await call('GET', `/auth-files?name=${encodeURIComponent(name)}`)).text).not.toContain('"weight"');
    expect(await call('PATCH', path, { name })).toMatchObject(bad('no fields to update'));
    expect(await call('PATCH', path, { name, weight: 1.5 })).toMatchObject(bad('weight must be an integer'));
    expect(await call('PATCH', path, { name, 'a..b': 1 })).toMatchObject(bad('invalid field a..b'));
    expect(await call('PATCH', path, { name: 'none.json', note: '' })).toMatchObject(bad('auth file not found', 404));
  });

  test('upload, download, models, delete', async () => {
    expect(await call('POST', '/auth-files?name=new.json', { type: 'codex', email: 'n@example.test' })).toMatchObject(
      OK,
    );
    expect((await call('GET', '/auth-files?name=new.json')).body).toMatchObject({
      files: [{ type: 'codex', email: 'n@example.test' }],
    });
    const file = await call('GET', '/auth-files/download?name=new.json');
    expect([file.body, file.headers.get('content-disposition')]).toEqual([
      { type: 'codex', email: 'n@example.test' },
      'attachment; filename="new.json"',
    ]);
    expect((await call('GET', '/auth-files/models?name=new.json')).text).toContain('gpt-5.4');
    expect((await call('GET', '/auth-files/models?name=x')).body).toEqual({ models: [] });
    expect(await call('GET', '/auth-files/models')).toMatchObject(bad('name is required'));
    expect(await call('DELETE', '/auth-files?name=new.json')).toMatchObject(OK);
    expect(await call('DELETE', '/auth-files?name=new.json')).toMatchObject(bad('auth file not found', 404));
    expect(await call('GET', '/auth-files/download?name=../x.json')).toMatchObject(bad('invalid name'));
    expect(await call('GET', '/auth-files/download?name=x.txt')).toMatchObject(bad('name must end with .json'));
    expect((await call('POST', '/auth-files?name=a.json', '\uFEFF{}')).status).toBe(500);
    expect(await call('POST', '/auth-files?name=a/b.json', '{}')).toMatchObject(bad('invalid name'));
  });

  test('an uploaded file of a type that is no longer served is stored, but listed as no account', async () => {
    const content = JSON.stringify({ type: 'gemini', email: 'old@example.test' });
    expect((await call('POST', '/auth-files?name=retired.json', content)).status).toBe(200);
    const listed = async () => (await call('GET', '/auth-files')).text.includes('retired.json');
    expect(await listed()).toBe(false);
    expect((await call('GET', '/auth-files/download?name=retired.json')).status).toBe(200);
    simulator.setProfile('v7.1.39');
    expect(await listed()).toBe(true);
    simulator.setProfile('latest');
    expect((await call('DELETE', '/auth-files?name=retired.json')).status).toBe(200);
  });

  test('a re-uploaded file keeps its index and counters', async () => {
    const name = 'claude-amber@example.test.json';
    await call('POST', `/auth-files?name=${name}`, { type: 'claude', email: 'other@example.test' });
    expect((await call('GET', `/auth-files?name=${name}`)).body).toMatchObject({
      files: [{ auth_index: '39e441f16ca65b37', success: 42 }],
    });
  });

  test('deleting all, and a source file with its rows', async () => {
    expect(await call('DELETE', '/auth-files', { name: 'plugin-virtual-a' })).toMatchObject({ status: 409 });
    expect(await call('DELETE', '/auth-files', { name: 'simplugin-source.json' })).toMatchObject(OK);
    expect(await call('DELETE', '/auth-files?all=true')).toMatchObject({ body: { status: 'ok', deleted: 7 } });
    expect((await call('GET', '/auth-files')).body).toEqual({ files: [] });
  });

  test('vertex import', async () => {
    const form = new FormData();
    const account = { project_id: 'sim-project-9', client_email: 'svc@sim.example.test', private_key: 'none' };
    form.append('file', new File([JSON.stringify(account)], 'sa.json'));
    const response = await fetch(`${simulator.url}/v0/management/vertex/import`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${KEY}` },
      body: form,
    });
    expect(await response.json()).toEqual({
      status: 'ok',
      'auth-file': '/sim/auths/vertex-sim-project-9.json',
      project_id: 'sim-project-9',
      email: 'svc@sim.example.test',
      location: 'us-central1',
    });
    expect(await call('POST', '/vertex/import')).toMatchObject(bad('file required'));
  });
});
