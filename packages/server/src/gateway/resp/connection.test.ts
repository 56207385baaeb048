import { afterAll, expect, test } from 'bun:test';
import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { selfSigned } from '@manager/simulator/net/certificate';
import { addressOf } from '../address.ts';
import { openRespConnection, type RespConnection } from './connection.ts';

const cleanups: (() => void)[] = [];
afterAll(() => {
  for (const cleanup of cleanups) cleanup();
});

/** A gateway that sends this as soon as somebody connects. */
async function connectTo(greeting: string): Promise<RespConnection> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => {});
    socket.write(greeting);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  cleanups.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return openRespConnection(addressOf(`http://127.0.0.1:${port}`), { now: Date.now, timeoutMs: 5_000 });
}

test('a gateway that answers what nobody asked is disconnected', async () => {
  const connection = await connectTo('+OK\r\n'.repeat(65));
  expect(await connection.ended).toMatchObject({
    kind: 'protocol',
    message: 'the gateway sent answers to no question',
  });
});

test('a gateway that demands a certificate from the manager is named, though TLS 1.3 connects first', async () => {
  const { key, certificate } = selfSigned('localhost');
  const server = createTlsServer({ key, cert: certificate, requestCert: true, rejectUnauthorized: true });
  server.on('tlsClientError', () => {});
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  cleanups.push(() => server.close());
  const { port } = server.address() as AddressInfo;
  const options = { now: Date.now, timeoutMs: 5_000, tlsSkipVerify: true };
  const connection = await openRespConnection(addressOf(`https://127.0.0.1:${port}`), options);
  expect(await connection.ended).toMatchObject({ kind: 'tls_broken', message: expect.stringContaining('mutual TLS') });
});

test('answers may be there before somebody waits for them', async () => {
  const connection = await connectTo(`${'+OK\r\n'.repeat(63)}+LAST\r\n`);
  let last = '';
  for (let count = 0; count < 64; count += 1) {
    const value = await connection.next(5_000);
    if (value.kind === 'simple') last = value.text;
  }
  expect(last).toBe('LAST');
  connection.close();
});

test('whoever streams gets as many values as arrive', async () => {
  const connection = await connectTo('+OK\r\n'.repeat(10_000));
  let count = 0;
  await new Promise<void>((resolve) => {
    connection.stream(() => {
      count += 1;
      if (count === 10_000) resolve();
    });
  });
  connection.close();
});
