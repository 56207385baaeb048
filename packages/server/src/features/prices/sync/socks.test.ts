import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { type Bridge, openSocksBridge } from './socks-bridge.ts';
import { type SocksServer, startSocks } from './testing/catalogues.ts';

let socks: SocksServer;
let bridge: Bridge;
let echo: Server;
let echoPort: number;
/** All that reached the echo. */
let echoed: string;

beforeEach(async () => {
  socks = await startSocks(null);
  bridge = await openSocksBridge({
    kind: 'socks',
    address: { host: '127.0.0.1', port: socks.port, secure: false, origin: '' },
    login: null,
  });
  echoed = '';
  // Echoes its input; `cut` breaks the connection.
  echo = createServer((socket: Socket) => {
    socket.on('error', () => {});
    socket.on('data', (data) => {
      echoed += data.toString('latin1');
      return data.includes('cut') ? socket.resetAndDestroy() : socket.write(data);
    });
  });
  await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve));
  const address = echo.address();
  echoPort = typeof address === 'object' && address !== null ? address.port : 0;
});
afterEach(async () => {
  await bridge.close();
  await socks.stop();
  echo.close();
});

/** All received bytes until the bridge closes or `until` has arrived. */
function talk(text: string, until: string, then = ''): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = '';
    let left = then;
    const socket = connect(Number(new URL(bridge.url).port), '127.0.0.1', () => socket.write(text));
    socket.on('data', (data) => {
      received += data.toString('latin1');
      if (received.includes('\r\n\r\n') && left !== '') {
        socket.write(left);
        left = '';
      }
      if (until !== '' && received.includes(until)) socket.destroy();
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(received));
  });
}

function authorization(): string {
  const { username, password } = new URL(bridge.url);
  return `Proxy-Authorization: Basic ${btoa(`${username}:${password}`)}\r\n`;
}

describe('the bridge to a SOCKS5 proxy', () => {
  test('tunnels bytes both ways', async () => {
    const head = `CONNECT echo.example.test:${echoPort} HTTP/1.1\r\n${authorization()}\r\nearly `;
    const received = await talk(head, 'late', 'late');
    expect(received).toBe('HTTP/1.1 200 Connection established\r\n\r\nearly late');
    expect(socks.targets).toEqual([`echo.example.test:${echoPort}`]);
  });

  test('forwards a plain request without the headers for the proxy', async () => {
    const head =
      `GET http://127.0.0.1:${echoPort}/a?b=1 HTTP/1.1\r\nHost: x\r\nProxy-Connection: keep-alive\r\n` +
      `Connection: keep-alive\r\n${authorization()}\r\n`;
    const received = await talk(head, 'close\r\n\r\n');
    expect(received).toBe('GET /a?b=1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect(socks.targets).toEqual([`127.0.0.1:${echoPort}`]);
  });

  test.each([
    ['no password', () => '', '407'],
    ['a wrong password', () => `Proxy-Authorization: Basic ${btoa('bridge:guess')}\r\n`, '407'],
  ])('lets nobody through with %s', async (_name, field, status) => {
    const received = await talk(`CONNECT 127.0.0.1:${echoPort} HTTP/1.1\r\n${field()}\r\n`, '');
    expect(received).toStartWith(`HTTP/1.1 ${status} `);
    expect(socks.targets).toEqual([]);
  });

  test.each(['CONNECT nowhere', 'CONNECT :', 'GET /path', 'GET ftp://a/b', 'nonsense'])('refuses %s', async (line) => {
    expect(await talk(`${line} HTTP/1.1\r\n${authorization()}\r\n`, '')).toStartWith('HTTP/1.1 400 ');
    expect(socks.targets).toEqual([]);
  });

  test('reports an unreachable target', async () => {
    expect(await talk(`CONNECT 127.0.0.1:1 HTTP/1.1\r\n${authorization()}\r\n`, '')).toStartWith('HTTP/1.1 502 ');
  });

  test('reports a proxy that is no SOCKS5 proxy or gone', async () => {
    await socks.stop();
    expect(await talk(`CONNECT 127.0.0.1:1 HTTP/1.1\r\n${authorization()}\r\n`, '')).toStartWith('HTTP/1.1 502 ');
  });

  test('closes a connection with its target, and all connections when it is closed', async () => {
    const head = `CONNECT 127.0.0.1:${echoPort} HTTP/1.1\r\n${authorization()}\r\n`;
    expect(await talk(head, 'never', 'cut')).toBe('HTTP/1.1 200 Connection established\r\n\r\n');
    const open = talk(head, 'never', 'hello');
    // A connection that is closed with unread bytes is reset.
    while (!echoed.endsWith('hello')) await Bun.sleep(5);
    await bridge.close();
    await open;
  });
});
