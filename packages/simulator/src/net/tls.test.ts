import { expect, test } from 'bun:test';
import { X509Certificate } from 'node:crypto';
import tls from 'node:tls';
import { command, KEY } from '../testing/raw-client.ts';
import { simulatorStarter } from '../testing/start.ts';
import type { Simulator, SimulatorOptions } from '../types.ts';

const startWith = simulatorStarter({});
const start = (tls: SimulatorOptions['tls']): Promise<Simulator> => startWith({ tls: tls ?? true });

/** Sends over TLS and reads until this many bytes arrived or the connection ended. */
function exchange(running: Simulator, text: string, options: tls.ConnectionOptions, bytes: number): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = tls.connect({ host: running.host, port: running.port, servername: 'localhost', ...options }, () =>
      socket.write(text),
    );
    socket.on('data', (piece) => {
      answer += piece.toString();
      if (answer.length >= bytes) socket.end();
    });
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });
}

test('the certificate is self-signed, for localhost and 127.0.0.1', async () => {
  const running = await start(true);
  const certificate = new X509Certificate(running.certificate);
  expect(certificate.verify(certificate.publicKey)).toBe(true);
  expect([certificate.checkHost('localhost'), certificate.checkIP('127.0.0.1')]).toEqual(['localhost', '127.0.0.1']);
  expect(running.url).toStartWith('https://');
});

test('it is refused unless trusted', async () => {
  const running = await start(true);
  await expect(fetch(`${running.url}/healthz`)).rejects.toThrow();
  const trusting = await fetch(`${running.url}/healthz`, { tls: { ca: running.certificate } });
  expect(await trusting.json()).toEqual({ status: 'ok' });
  const careless = await fetch(`${running.url}/healthz`, { tls: { rejectUnauthorized: false } });
  expect(careless.status).toBe(200);
});

test('a certificate for another host is refused by name', async () => {
  const running = await start({ hostName: 'other.example.test' });
  await expect(fetch(`${running.url}/healthz`, { tls: { ca: running.certificate } })).rejects.toThrow();
});

test('RESP is spoken without ALPN', async () => {
  const running = await start(true);
  expect(await exchange(running, command('AUTH', KEY), { ca: running.certificate }, 5)).toBe('+OK\r\n');
});

test('a client that offers ALPN gets HTTP, whatever it sends', async () => {
  const running = await start(true);
  const options = { ca: running.certificate, ALPNProtocols: ['h2', 'http/1.1'] };
  expect(await exchange(running, command('AUTH', KEY), options, 15)).toStartWith('HTTP/1.1 400');
});

test('without ALPN on the server a client that offers it may speak RESP', async () => {
  const running = await start({ alpn: false });
  const options = { ca: running.certificate, ALPNProtocols: ['http/1.1'] };
  expect(await exchange(running, command('AUTH', KEY), options, 5)).toBe('+OK\r\n');
});
