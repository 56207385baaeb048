import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { accountFile } from '../accounts/account-files.ts';
import type { MutationAnswer } from '../faults/fault-types.ts';
import { startSimulator } from '../simulator.ts';
import { KEY, manage } from '../testing/raw-client.ts';
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
const disabledNow = (): unknown[] => simulator.authFiles().map(({ disabled }) => disabled);

describe('answers of a change', () => {
  for (const [answer, code, text] of [
    ['empty', 200, ''],
    ['text', 200, 'ok'],
    ['truncated', 200, '{"status":"o'],
    ['trailing', 200, '{"status":"ok"}{"status":"ok"}'],
    ['array', 200, '[]'],
    ['failed-list', 200, `{"status":"ok","failed":[{"name":"${A}","error":"sim: not written"}]}`],
    ['error-member', 200, '{"status":"ok","error":"sim: not written"}'],
    ['success-false', 200, '{"success":false}'],
    ['ok-false', 200, '{"ok":false}'],
    ['status-error', 200, '{"status":"error"}'],
    ['status-failed', 200, '{"status":"failed"}'],
    ['partial-quiet', 200, '{"status":"partial","deleted":1}'],
    ['success-true', 200, '{"success":true,"failed":[]}'],
    ['ok-true', 200, '{"ok":true,"error":null}'],
    ['status-success', 200, '{"status":"success"}'],
    ['unconfirmed', 200, '{"deleted":1}'],
    ['empty-object', 200, '{}'],
    ['partial', 207, `{"status":"partial","failed":[{"name":"${A}","error":"sim: not written"}]}`],
    ['bad-request', 400, '{"error":"invalid request body"}'],
    ['not-found', 404, '{"error":"auth file not found"}'],
    ['conflict', 409, '{"error":"sim: busy"}'],
    [
      'virtual-conflict',
      409,
      '{"error":"plugin virtual auth cannot be modified directly; edit or delete the source auth file"}',
    ],
    ['server-error', 500, '{"error":"sim: disk full"}'],
    ['unavailable', 503, '{"error":"core auth manager unavailable"}'],
    [{ status: 202, body: { queued: true } }, 202, '{"queued":true}'],
    [{ status: 204 }, 204, ''],
  ] as const satisfies readonly (readonly [MutationAnswer, number, string])[]) {
    test(`${JSON.stringify(answer)}, with and without the change`, async () => {
      for (const applies of [true, false]) {
        simulator.operate({ do: 'enable', account: A });
        simulator.fault({ kind: 'mutation', account: A, answer, applies });
        const got = await status(A, true);
        expect([got.status, got.text]).toEqual([code, text]);
        expect(disabledNow()).toEqual([applies, false]);
      }
      expect(await status(A, true)).toMatchObject({ status: 200, body: { status: 'ok', disabled: true } });
    });
  }

  test('more than 4 MiB that would be success', async () => {
    simulator.fault({ kind: 'mutation', answer: 'too-large' });
    const { text } = await status(A, true);
    expect(text.length).toBeGreaterThan(4 * 1024 * 1024);
    expect(JSON.parse(text).status).toBe('ok');
  });

  test('success without the change', async () => {
    simulator.fault({ kind: 'mutation', applies: false, times: 2 });
    expect(await status(A, true)).toMatchObject({ status: 200, body: { status: 'ok', disabled: true } });
    expect(await manage(simulator, 'DELETE', `/auth-files?name=${A}`)).toMatchObject({ body: { status: 'ok' } });
    expect(disabledNow()).toEqual([false, false]);
  });

  test('only for the account, the kind and the wish that are meant; after the first ones', async () => {
    simulator.fault({ kind: 'mutation', on: 'status', account: B, disabled: false, skip: 1, answer: 'text' });
    for (const call of [() => status(A, false), () => status(B, true), () => status(B, false)])
      expect((await call()).text).toContain('"status":"ok"');
    expect((await status(B, false)).text).toBe('ok');
    simulator.fault({ kind: 'mutation', on: 'fields', answer: 'empty' });
    expect((await manage(simulator, 'PATCH', '/auth-files/fields', { name: A, note: 'n' })).text).toBe('');
    simulator.fault({ kind: 'mutation', on: 'upload', answer: 'conflict', applies: false });
    expect((await manage(simulator, 'POST', '/auth-files?name=n.json', { type: 'codex' })).status).toBe(409);
    expect(simulator.authFiles().length).toBe(2);
  });
});

describe('a change without an answer', () => {
  test('applied, then the connection ends', async () => {
    simulator.fault({ kind: 'mutation', answer: 'reset' });
    await expect(status(A, true)).rejects.toThrow();
    expect(disabledNow()).toEqual([true, false]);
    expect(simulator.mutations()).toMatchObject([{ status: 0, answer: '', changes: [{ what: 'disabled' }] }]);
  });

  test('applied, then silence until the caller leaves', async () => {
    simulator.fault({ kind: 'mutation', answer: 'hang' });
    const abort = new AbortController();
    const call = patch(abort.signal);
    while (disabledNow()[0] !== true) await Bun.sleep(1);
    abort.abort();
    await expect(call).rejects.toThrow();
    while (simulator.activity().byKind.status?.inFlight !== 0) await Bun.sleep(1);
  });

  test('a slow one is applied although the caller has left', async () => {
    simulator.fault({ kind: 'mutation', delayBeforeMs: 40_000 });
    const abort = new AbortController();
    const call = patch(abort.signal);
    while (simulator.activity().byKind.status?.inFlight !== 1) await Bun.sleep(1);
    abort.abort();
    await expect(call).rejects.toThrow();
    expect(disabledNow()).toEqual([false, false]);
    simulator.advance(40_000);
    while (disabledNow()[0] !== true) await Bun.sleep(1);
  });

  test('waits before and after the change', async () => {
    simulator.fault({ kind: 'mutation', delayBeforeMs: 100, delayAfterMs: 200 });
    let answered = false;
    const call = status(A, true).then(() => {
      answered = true;
    });
    while (simulator.activity().byKind.status?.inFlight !== 1) await Bun.sleep(1);
    expect(disabledNow()[0]).toBe(false);
    simulator.advance(100);
    while (disabledNow()[0] !== true) await Bun.sleep(1);
    await Bun.sleep(5);
    expect(answered).toBe(false);
    simulator.advance(200);
    await call;
  });

  function patch(signal: AbortSignal): Promise<Response> {
    return fetch(`${simulator.url}/v0/management/auth-files/status`, {
      method: 'PATCH',
      headers: { Authorization: `Bearer ${KEY}` },
      body: JSON.stringify({ name: A, disabled: true }),
      signal,
    });
  }
});

describe('the journal', () => {
  test('records who requested what, what changed and what was answered', async () => {
    await manage(
      simulator,
      'PATCH',
      '/auth-files/status',
      { name: A, disabled: true },
      { 'User-Agent': 'manager', 'X-Extra': '1' },
    );
    simulator.advance(1000);
    await manage(simulator, 'POST', '/auth-files?name=new.json', { type: 'codex', disabled: true });
    await manage(simulator, 'PUT', '/debug', { value: true });
    await manage(simulator, 'DELETE', '/auth-files', { names: [B, 'none.json'] });
    const all = simulator.mutations();
    expect(all.map(({ kind, method, status, names }) => [kind, method, status, names])).toEqual([
      ['status', 'PATCH', 200, [A]],
      ['upload', 'POST', 200, ['new.json']],
      ['other', 'PUT', 200, []],
      ['delete', 'DELETE', 207, [B, 'none.json']],
    ]);
    const [first, second] = all;
    expect(first).toMatchObject({
      by: 'caller',
      authorization: `Bearer ${KEY}`,
      userAgent: 'manager',
      body: JSON.stringify({ name: A, disabled: true }),
      disabled: true,
      changes: [{ id: A, what: 'disabled', wasDisabled: false }],
      answer: '{"status":"ok","disabled":true}',
    });
    expect(first?.headers).toContainEqual(['X-Extra', '1']);
    expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBe(1000);
    expect(all[3]?.changes).toMatchObject([{ id: B, what: 'deleted' }]);
    expect(simulator.mutations({ account: String(all[3]?.changes[0]?.authIndex) }).length).toBe(1);
    expect(simulator.mutations({ kind: 'status', account: B })).toEqual([]);
    simulator.clearMutations();
    expect(simulator.mutations()).toEqual([]);
  });

  test('reading and api-calls are no changes; a refused key leaves no entry', async () => {
    await manage(simulator, 'GET', '/auth-files');
    await manage(simulator, 'POST', '/api-call', { method: 'GET', url: 'https://llm.example.test/' });
    await manage(simulator, 'PATCH', '/auth-files/status', {}, { Authorization: 'Bearer wrong' });
    expect(simulator.mutations()).toEqual([]);
  });

  test('changes of one file at the same time are counted', async () => {
    simulator.fault({ kind: 'mutation', delayBeforeMs: 100, times: 3 });
    const calls = [status(A, true), status(A, false), status(B, true)];
    while (simulator.activity().byKind.status?.inFlight !== 3) await Bun.sleep(1);
    simulator.advance(100);
    await Promise.all(calls);
    expect(simulator.activity().mutationsByFile).toEqual({
      [A]: { total: 2, inFlight: 0, maxInFlight: 2 },
      [B]: { total: 1, inFlight: 0, maxInFlight: 1 },
    });
  });
});
