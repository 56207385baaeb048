import { afterAll, afterEach, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { until } from '@manager/core/testing/until';
import { selfSigned } from '../../packages/simulator/src/net/certificate.ts';
import { ManagerProcess, temporaryFolder } from '../support/manager-process.ts';
import { handshakeThrough, listen, send, setup } from '../support/refusals.ts';
import { readStatus } from '../support/status.ts';
import { boundTo } from '../support/test-gateway.ts';

// What the manager says of a connection that fails, and what it does not say, through the executable.

setDefaultTimeout(180_000);

const cleanups: (() => unknown)[] = [];
const folders: string[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

async function startManager(env: Readonly<Record<string, string>> = {}): Promise<ManagerProcess> {
  const manager = await ManagerProcess.start({ env });
  cleanups.push(() => manager.remove());
  return manager;
}

async function portOf(server: Server): Promise<number> {
  cleanups.push(() => server.close());
  return listen(server);
}

/** A port that answers every request with the current bytes and closes. */
async function startRaw(): Promise<{ url: string; answer: string | Buffer; stop(): Promise<unknown> }> {
  const server = createServer((client) => {
    client.on('error', () => {});
    client.once('data', () => client.end(raw.answer));
  });
  const stop = () => new Promise((resolve) => server.close(resolve));
  const raw = { url: '', answer: '' as string | Buffer, stop };
  raw.url = `http://127.0.0.1:${await portOf(server)}`;
  return raw;
}

test('no query, path or answer of a failed call reaches log or status', async () => {
  const gateway = await startRaw();
  const manager = await startManager(boundTo(gateway, 'http'));
  const answers = [
    '',
    'HTTP/1.1 200 OK\r\nContent-Length: 10000\r\n\r\nhalf',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\nhalf',
    'HTTP/1.1 401 No\r\nContent-Length: 10000\r\n\r\nhalf',
    'HTTP/1.1 200 OK\r\nX-A: a\rSet-Cookie: z=1\r\n\r\n',
    'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nabc',
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nZZZ\r\n',
    Buffer.from([0x15, 3, 3, 0, 2, 2, 40]),
  ];
  const ask = async (call: number) => {
    const secret = `secret-${call}`;
    const plain = { headers: { Authorization: '' } };
    const handshake = { Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Key': 'AAAAAAAAAAAAAAAAAAAAAA==' };
    const asked = await Promise.allSettled([
      manager.fetch(`/v0/management/oauth-callback?code=${secret}&state=1`, plain),
      manager.fetch(`/v0/management/api-keys?value=${secret}`, { method: 'DELETE' }),
      manager.fetch(`/v0/management/auth-files/${secret};p=${secret}?name=${secret}`, { method: 'PUT', body: '{}' }),
      manager.fetch(`/v0/management/auth-files?name=${secret}`, { method: 'DELETE' }),
      manager.fetch(`/v0/management/config?x=${secret}`),
      manager.fetch(`/v0/resource/plugins/x?sid=${secret}`),
      manager.fetch(`/v1/models?sid=${secret}`, plain),
      manager.fetch(`/v0/resource/plugins/x?sid=${secret}`, { headers: handshake }),
    ]);
    for (const result of asked) {
      const text = result.status === 'fulfilled' ? await result.value.text().catch(() => '') : '';
      expect(text).not.toContain(secret);
    }
  };
  for (const answer of answers) {
    gateway.answer = answer;
    await ask(answers.indexOf(answer));
  }
  await gateway.stop();
  await ask(answers.length);
  await manager.fetch('/v0/management/the-last-one');
  await manager.printed('/v0/management/the-last-one');
  const failures = manager.output.split('\n').filter((line) => line.includes('"err"'));
  expect(failures.length).toBeGreaterThan(answers.length);
  for (const line of failures) expect(line).not.toContain('secret-');
  expect(manager.output).not.toMatch(/[?&]\w+=secret-/);
  expect(JSON.stringify(await readStatus(manager))).not.toContain('secret-');
});

describe('an answer that is no HTTP', () => {
  const NOT_HTTP = { status: 502, code: 'gateway_answer_not_http' };
  const answers: readonly (readonly [name: string, bytes: string])[] = [
    ['the greeting of another service', 'SSH-2.0-OpenSSH_9.2\r\n'],
    ['an error of another service', '-ERR unknown command\r\n'],
    ['a malformed header', 'HTTP/1.1 200 OK\r\nX-A: a\rSet-Cookie: z=1\r\n\r\n'],
    ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nabc'],
    ['2 MB of headers', `HTTP/1.1 200 OK\r\n${`X-A: ${'a'.repeat(1000)}\r\n`.repeat(2000)}\r\n`],
    ['an upgrade that nobody asked for', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n'],
    ['an unknown transfer encoding', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: strange\r\n\r\nabc'],
  ];

  test('is named at setup, for the collector, and for forwarded calls, which may have been carried out', async () => {
    const gateway = await startRaw();
    const [open, bound] = await Promise.all([startManager(), startManager(boundTo(gateway, 'http'))]);
    const carriedOut = 'the request may have been carried out';
    for (const [name, bytes] of answers) {
      gateway.answer = bytes;
      const refused = await setup(open, gateway.url);
      const read = await send(bound, 'GET', '/v0/management/logs');
      const changed = await send(bound, 'PUT', '/v0/management/debug', { value: true });
      const told = [refused, read, changed].map(({ error }) => [
        error.includes('does not speak HTTP as a gateway does'),
        error.includes(carriedOut),
      ]);
      expect([name, ...told]).toEqual([name, [true, false], [true, false], [true, true]]);
      for (const answer of [refused, read, changed]) expect(answer).toMatchObject(NOT_HTTP);
    }
    await until(async () => (await readStatus(bound)).collector.lastError.includes('does not speak HTTP'), 'the cause');
    for (const [, bytes] of answers.slice(0, 2)) {
      gateway.answer = bytes;
      expect(await handshakeThrough(bound)).toMatchObject(NOT_HTTP);
    }
    // A page in place of a WebSocket is an answer too.
    gateway.answer = 'HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok';
    expect(await handshakeThrough(bound)).toMatchObject({ status: 502, code: 'websocket_refused' });
    // And so is no answer at all, or a status that cannot be passed on.
    for (const bytes of [
      '',
      'HTTP/1.1 999 Odd\r\nContent-Length: 0\r\n\r\n',
      'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx',
    ]) {
      gateway.answer = bytes;
      const read = await send(bound, 'GET', '/v0/management/logs');
      const changed = await send(bound, 'DELETE', '/v0/management/api-keys?index=0');
      expect([read.status, changed.status]).toEqual([502, 502]);
      expect(read.error).not.toMatch(/cannot be reached|carried out/);
      expect(changed.error).toContain(carriedOut);
    }
    gateway.answer = 'HTTP/1.1 304 Not Modified\r\n\r\n';
    expect((await setup(open, gateway.url)).error).not.toContain('redirect');
    await gateway.stop();
    const unsent = await send(bound, 'PUT', '/v0/management/debug', { value: true });
    expect(unsent.error).not.toContain(carriedOut);
  });
});

describe('a TLS connection that fails', () => {
  /** A TLS port with a certificate; `clients` = it demands one from them too. */
  async function startTls({ key, certificate }: ReturnType<typeof selfSigned>, clients = false): Promise<string> {
    const server = createTlsServer({ key, cert: certificate, requestCert: clients, rejectUnauthorized: clients });
    server.on('tlsClientError', () => {});
    return `https://localhost:${await portOf(server)}`;
  }

  /** Answers every TLS greeting with the alert "handshake failure". */
  async function startRefusing(): Promise<string> {
    const alert = Buffer.from([0x15, 3, 3, 0, 2, 2, 40]);
    const server = createServer((client) => {
      client.on('error', () => {});
      client.once('data', () => client.end(alert));
    });
    return `https://localhost:${await portOf(server)}`;
  }

  test('is named by its cause at setup', async () => {
    const other = selfSigned('other.example');
    const expired = selfSigned('localhost', { from: 2020, to: 2021 });
    const early = selfSigned('localhost', { from: 2040, to: 2049 });
    const right = selfSigned('localhost');
    const folder = temporaryFolder();
    folders.push(folder);
    const file = join(folder, 'authorities.pem');
    writeFileSync(file, [other, expired, early, right].map(({ certificate }) => certificate).join(''));
    const manager = await startManager({ NODE_EXTRA_CA_CERTS: file });
    expect(manager.output).not.toContain('NODE_EXTRA_CA_CERTS');
    const failed = { status: 502, code: 'gateway_tls_failed' };
    const cases = [
      [await startTls(other), false, { code: 'gateway_certificate_other_host' }, 'for another host'],
      [await startTls(expired), false, { code: 'gateway_certificate_expired' }, 'has expired or is not valid yet'],
      [await startTls(early), false, { code: 'gateway_certificate_expired' }, 'CERT_NOT_YET_VALID'],
      [await startRefusing(), false, failed, '(alert: handshake failure)'],
      [await startRefusing(), true, failed, '(alert: handshake failure)'],
      [await startTls(right, true), false, failed, 'mutual TLS'],
    ] as const;
    for (const [url, tlsSkipVerify, refusal, words] of cases) {
      const answer = await setup(manager, url, { tlsSkipVerify });
      expect(answer.error).not.toMatch(/NODE_EXTRA_CA_CERTS|skip/);
      expect(answer).toMatchObject({ status: 502, ...refusal, error: expect.stringContaining(words) });
    }
  });

  test('is named by its cause for the collector, proxied calls and WebSockets', async () => {
    const manager = await startManager(boundTo({ url: await startRefusing() }));
    const refusal = { status: 502, code: 'gateway_tls_failed', error: expect.stringContaining('alert: handshake') };
    expect(await send(manager, 'PUT', '/v0/management/debug', { value: true })).toMatchObject(refusal);
    expect(await handshakeThrough(manager)).toMatchObject(refusal);
    await until(async () => (await readStatus(manager)).collector.lastError.includes('alert: handshake'), 'the alert');
  });
});
