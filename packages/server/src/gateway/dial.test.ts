import { afterEach, expect, test } from 'bun:test';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { addressOf } from './address.ts';
import { dial } from './dial.ts';

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

/** A port without TLS that does this with what it receives. */
async function failureAt(onData: (client: Socket, text: string) => void): Promise<unknown> {
  const sockets: Socket[] = [];
  const server = createServer((client) => {
    sockets.push(client);
    client.on('error', () => {});
    client.on('data', (bytes) => onData(client, bytes.toString('latin1')));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return dial(addressOf(`https://127.0.0.1:${port}`), { timeoutMs: 1_000 }).catch((error: unknown) => error);
}

const answerLine = (client: Socket, text: string) => {
  if (text.endsWith('\r\n\r\n')) client.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
};

test('a plain server that waits for a whole line is told from one that is silent, and neither from a firewall', async () => {
  expect(await failureAt(answerLine)).toMatchObject({ kind: 'speaks_plain', unsent: true, down: true });
  // The probe gives up after three seconds.
  const silent = await failureAt((client, text) => {
    if (text.startsWith('HEAD')) client.destroy();
  });
  expect(silent).toMatchObject({ kind: 'tls_silent', unsent: true, message: expect.stringContaining('TLS handshake') });
});

test('a connection that is closed at once cannot have carried anything', async () => {
  expect(await failureAt((client) => client.destroy())).toMatchObject({
    kind: 'dial_closed',
    unsent: true,
    message: expect.stringContaining('closed the connection immediately'),
  });
});
