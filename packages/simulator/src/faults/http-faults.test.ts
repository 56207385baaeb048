import { describe, expect, test } from 'bun:test';
import { connectRaw, KEY, manage, popHttp } from '../testing/raw-client.ts';
import { simulatorStarter } from '../testing/start.ts';
import type { HttpFault } from './fault-types.ts';

const start = simulatorStarter();

const QUEUE = '/v0/management/usage-queue';

describe('answers in place of the queue', () => {
  const cases: readonly [string, NonNullable<HttpFault['respond']>, string][] = [
    ['404', { status: 404 }, ''],
    ['405', { status: 405 }, ''],
    ['501', { status: 501 }, ''],
    ['500 with JSON', { status: 500, body: { error: 'x' } }, '{"error":"x"}'],
    ['502 with HTML', { status: 502, headers: { 'Content-Type': 'text/html' }, body: '<html>' }, '<html>'],
    ['503 without body', { status: 503 }, ''],
    ['200 with an empty body', { status: 200, body: '' }, ''],
    ['200 with truncated JSON', { status: 200, body: '[{"a":' }, '[{"a":'],
    ['200 with an object', { status: 200, body: { items: [] } }, '{"items":[]}'],
  ];
  for (const [name, respond, text] of cases) {
    test(`${name}: nothing is popped`, async () => {
      const running = await start();
      await running.publish('{"n":1}');
      running.fault({ kind: 'http', match: { path: QUEUE }, respond });
      expect(await manage(running, 'GET', '/config')).toMatchObject({ status: 200 });
      expect(await manage(running, 'GET', '/usage-queue')).toMatchObject({ status: respond.status, text });
      expect(running.queueLength()).toBe(1);
      expect(await popHttp(running, 1)).toEqual([{ n: 1 }]);
    });
  }

  test('every kind of element', async () => {
    const running = await start();
    for (const text of ['"{\\"a\\":1}"', 'no json', '42', '[1]', 'null', '{"a":{"b":1}}']) await running.publish(text);
    expect(await popHttp(running, 10)).toEqual(['{"a":1}', 'no json', 42, [1], null, { a: { b: 1 } }]);
  });
});

describe('changes of the real answer', () => {
  test('truncate announces more than it sends; the events are gone', async () => {
    const running = await start();
    await running.publish('{"n":1}');
    running.fault({ kind: 'http', match: { path: QUEUE }, answer: 'truncate' });
    await expect(manage(running, 'GET', '/usage-queue')).rejects.toThrow();
    expect(running.queueLength()).toBe(0);
    expect(running.requests({ path: QUEUE })).toMatchObject([{ consumedEvents: 1, finished: false, aborted: false }]);
  });

  test('truncate-quietly ends well-formed HTTP with broken JSON', async () => {
    const running = await start();
    await running.publish('{"n":1}');
    running.fault({ kind: 'http', match: { path: QUEUE }, answer: 'truncate-quietly' });
    expect(await manage(running, 'GET', '/usage-queue')).toMatchObject({ status: 200, text: '[{"n' });
  });

  test('gzip', async () => {
    const running = await start();
    running.fault({ kind: 'http', answer: 'gzip' });
    const answer = await manage(running, 'GET', '/debug');
    expect([answer.body, answer.headers.get('content-encoding')]).toEqual([{ debug: false }, 'gzip']);
  });

  test('hang never answers, and notices when the client leaves', async () => {
    const running = await start();
    running.fault({ kind: 'http', answer: 'hang' });
    const abort = new AbortController();
    const pending = fetch(`${running.url}/healthz`, { signal: abort.signal });
    while (running.requests().length === 0) await Bun.sleep(1);
    await Bun.sleep(10);
    abort.abort();
    await expect(pending).rejects.toThrow();
    while (running.requests()[0]?.aborted !== true) await Bun.sleep(1);
    expect(running.requests()).toMatchObject([{ aborted: true, finished: false }]);
  });

  test('delay waits by the clock', async () => {
    const running = await start();
    running.fault({ kind: 'http', match: { path: '/v0/management/config' }, delayMs: 29_000 });
    let isDone = false;
    const pending = manage(running, 'GET', '/config').then((answer) => {
      isDone = true;
      return answer;
    });
    while (running.requests().length === 0) await Bun.sleep(1);
    running.advance(28_999);
    await Bun.sleep(10);
    expect(isDone).toBe(false);
    running.advance(1);
    expect((await pending).status).toBe(200);
  });

  test('close-before-reply: the pop has run', async () => {
    const running = await start();
    await running.publish('{"n":1}');
    running.fault({ kind: 'close-before-reply', on: 'HTTP', match: { path: QUEUE } });
    await expect(manage(running, 'GET', '/usage-queue')).rejects.toThrow();
    expect(running.queueLength()).toBe(0);
  });

  test('a redirect loop', async () => {
    const running = await start();
    const respond = { status: 302, headers: { Location: '/v0/management/config' } };
    running.fault({ kind: 'http', match: { path: '/v0/management/*' }, respond, times: 'always' });
    await expect(fetch(`${running.url}/v0/management/config`)).rejects.toThrow();
  });
});

describe('the auth-file list', () => {
  test('other wrapper, bare array, duplicate names, missing index', async () => {
    const running = await start();
    running.fault({ kind: 'auth-file-list', shape: 'wrapper', key: 'items' });
    expect((await manage(running, 'GET', '/auth-files')).body).toMatchObject({ items: expect.any(Array) });
    running.fault({ kind: 'auth-file-list', shape: 'bare-array' });
    expect((await manage(running, 'GET', '/auth-files')).body).toBeArrayOfSize(9);
    running.fault({ kind: 'auth-file-list', shape: 'duplicate-names' });
    expect((await manage(running, 'GET', '/auth-files')).body).toMatchObject({ files: { length: 18 } });
    running.fault({ kind: 'auth-file-list', shape: 'missing-index' });
    expect((await manage(running, 'GET', '/auth-files')).text).not.toContain('auth_index');
    expect((await manage(running, 'GET', '/auth-files')).body).toMatchObject({ files: { length: 9 } });
  });

  test('64 MiB', async () => {
    const running = await start();
    running.fault({ kind: 'auth-file-list', shape: 'huge' });
    expect((await manage(running, 'GET', '/auth-files')).text.length).toBeGreaterThan(64 * 1024 * 1024);
  });
});

describe('api-call', () => {
  const url = 'https://chatgpt.com/backend-api/wham/usage';
  const call = { auth_index: 'e645679a8a8d0dab', method: 'get', url, header: { Authorization: 'Bearer $TOKEN$' } };
  test('an inner failure keeps the outer 200', async () => {
    const running = await start();
    for (const status of [401, 402, 429, 500]) {
      running.fault({ kind: 'api-call', result: { status_code: status, body: 'not JSON' } });
      expect(await manage(running, 'POST', '/api-call', call)).toMatchObject({
        status: 200,
        body: { status_code: status, body: 'not JSON' },
      });
    }
    expect((await manage(running, 'POST', '/api-call', call)).body).toMatchObject({ status_code: 200 });
  });

  test('literal token, failure, and a timeout of 60 s', async () => {
    const running = await start();
    running.fault({ kind: 'api-call', url: 'https://chatgpt.com/*', result: 'literal-token' });
    expect((await manage(running, 'POST', '/api-call', call)).body).toMatchObject({ status_code: 401 });
    running.fault({ kind: 'api-call', result: 'request failed' });
    expect(await manage(running, 'POST', '/api-call', call)).toMatchObject({
      status: 502,
      body: { error: 'request failed' },
    });
    running.fault({ kind: 'api-call', result: 'timeout' });
    running.clearRequests();
    const pending = manage(running, 'POST', '/api-call', call);
    while (running.requests()[0]?.bodyBytes === undefined || running.requests()[0]?.bodyBytes === 0) await Bun.sleep(1);
    await Bun.sleep(5);
    running.advance(60_000);
    expect((await pending).status).toBe(502);
  });
});

describe('auth files', () => {
  test('partial delete and upload name what failed', async () => {
    const running = await start({ authFiles: 3 });
    const [first = '', second = ''] = running.authFiles().map((row) => String(row.name));
    running.fault({ kind: 'partial', on: 'delete', names: [second], error: 'busy' });
    expect(await manage(running, 'DELETE', '/auth-files', { names: [first, second] })).toMatchObject({
      status: 207,
      body: { status: 'partial', deleted: 1, files: [first], failed: [{ name: second, error: 'busy' }] },
    });
    running.fault({ kind: 'partial', on: 'upload', names: ['b.json'] });
    const form = new FormData();
    for (const name of ['a.json', 'b.json', 'c.txt']) form.append(name, new File(['{"type":"codex"}'], name));
    const response = await fetch(`${running.url}/v0/management/auth-files`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${KEY}` },
      body: form,
    });
    expect([response.status, await response.json()]).toEqual([
      207,
      {
        status: 'partial',
        uploaded: 1,
        files: ['a.json'],
        failed: [
          { name: 'b.json', error: 'failed to write file' },
          { name: 'c.txt', error: 'file must be .json' },
        ],
      },
    ]);
  });

  test('vanished after the list', async () => {
    const running = await start({ authFiles: 1 });
    const name = String(running.authFiles()[0]?.name);
    running.fault({ kind: 'vanished-auth-file', name, times: 3 });
    expect((await manage(running, 'PATCH', '/auth-files/status', { name, disabled: true })).status).toBe(404);
    expect((await manage(running, 'GET', `/auth-files/download?name=${name}`)).status).toBe(404);
    expect((await manage(running, 'DELETE', `/auth-files?name=${name}`)).status).toBe(404);
    expect((await manage(running, 'DELETE', `/auth-files?name=${name}`)).status).toBe(200);
  });

  test('a save that fails is a 500 whose value is already in force', async () => {
    const running = await start();
    running.fault({ kind: 'save-failure', text: 'disk full' });
    expect(await manage(running, 'PUT', '/debug', { value: true })).toMatchObject({
      status: 500,
      body: { error: 'failed to save config: disk full' },
    });
    expect((await manage(running, 'GET', '/debug')).body).toEqual({ debug: true });
  });
});

test('inline commands and other bytes that are no HTTP get a 400', async () => {
  const running = await start();
  for (const input of ['PING\r\n', '\x00\x01\x02\r\n', 'GET /\r\n\r\n']) {
    const client = await connectRaw(running);
    client.send(input);
    expect(await client.rest()).toStartWith('HTTP/1.1 400 Bad Request\r\n');
  }
});
