import { randomBytes } from 'node:crypto';
import { createServer, type Socket } from 'node:net';
import type { ProxySetting } from './proxy-setting.ts';
import { connectThroughSocks, type SocksTarget } from './socks-connection.ts';

export interface Bridge {
  /** URL of an HTTP proxy, with its credentials. */
  readonly url: string;
  close(): Promise<void>;
}

interface ProxyRequest {
  readonly target: SocksTarget;
  /** Sent to the target first; empty for a tunnel. */
  readonly head: string;
}

const MAX_HEAD_BYTES = 64 * 1024;
const HEAD_END = '\r\n\r\n';
const HTTP_PORT = 80;

/**
 * `fetch` supports HTTP proxies only. This is one on the loopback address that passes every connection to a SOCKS5 proxy; it
 * requires a random password, so that no other program of the machine can use it.
 */
export async function openSocksBridge(proxy: Extract<ProxySetting, { readonly kind: 'socks' }>): Promise<Bridge> {
  const password = randomBytes(24).toString('hex');
  const authorization = `proxy-authorization: basic ${btoa(`bridge:${password}`)}`.toLowerCase();
  const sockets = new Set<Socket>();

  function follow(socket: Socket): void {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
  }

  async function serve(client: Socket): Promise<void> {
    follow(client);
    const gone = new AbortController();
    client.on('close', () => gone.abort());
    const { head, rest } = await readHead(client);
    if (!head.toLowerCase().split('\r\n').includes(authorization)) return refuse(client, 407);
    const request = parseRequest(head);
    if (request === null) return refuse(client, 400);

    const target = await connectThroughSocks(proxy.address, proxy.login, request.target, gone.signal);
    follow(target);
    if (request.head === '') client.write(`HTTP/1.1 200 Connection established${HEAD_END}`);
    else target.write(request.head);
    if (rest.length > 0) target.write(rest);
    client.pipe(target);
    target.pipe(client);
    client.on('close', () => target.destroy());
    // A broken connection must not look like the end of an answer.
    target.on('close', () => target.readableEnded || client.destroy());
    if (client.destroyed) target.destroy();
  }

  const server = createServer((client) => {
    serve(client).catch(() => refuse(client, 502));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://bridge:${password}@127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

function refuse(client: Socket, status: number): void {
  if (!client.destroyed) client.end(`HTTP/1.1 ${status} Refused\r\nContent-Length: 0\r\nConnection: close${HEAD_END}`);
}

/** `CONNECT host:port` for encrypted targets, a whole URL for plain ones. */
function parseRequest(head: string): ProxyRequest | null {
  const [line = '', ...fields] = head.split('\r\n');
  const [method = '', wanted = ''] = line.split(' ');
  if (method === 'CONNECT') {
    const url = URL.parse(`tunnel://${wanted}`);
    return url === null || url.port === '' ? null : { target: targetOf(url), head: '' };
  }
  const url = URL.parse(wanted);
  if (url?.protocol !== 'http:') return null;
  const kept = fields.filter((text) => !/^(?:proxy-[^:]*|connection):/i.test(text));
  return {
    target: targetOf(url),
    head: `${[`${method} ${url.pathname}${url.search} HTTP/1.1`, ...kept, 'Connection: close'].join('\r\n')}${HEAD_END}`,
  };
}

function targetOf(url: URL): SocksTarget {
  return { host: url.hostname.replace(/^\[|\]$/g, ''), port: url.port === '' ? HTTP_PORT : Number(url.port) };
}

function readHead(client: Socket): Promise<{ readonly head: string; readonly rest: Buffer }> {
  return new Promise((resolve, reject) => {
    let received: Buffer = Buffer.alloc(0);
    const onData = (data: Buffer) => {
      received = Buffer.concat([received, data]);
      const end = received.indexOf(HEAD_END);
      if (end < 0 && received.length <= MAX_HEAD_BYTES) return;
      client.off('data', onData);
      client.pause();
      if (end < 0) return reject(new Error('the head of the request is too large'));
      resolve({ head: received.toString('latin1', 0, end), rest: received.subarray(end + HEAD_END.length) });
    };
    client.on('data', onData);
    client.once('close', () => reject(new Error('the client is gone')));
  });
}
