import type { Socket } from 'node:net';
import { AppError } from '@manager/core/contract/errors';
import { addressOf } from '../../gateway/address.ts';
import { dial } from '../../gateway/dial.ts';
import { GatewayError } from '../../gateway/errors.ts';
import type { Peer } from '../listener/peer.ts';
import type { Exchange } from '../listener/serve-connection.ts';
import { CONNECT_TIMEOUT_MS } from './dial.ts';
import { unreached } from './forward.ts';

const MAX_HEAD_BYTES = 64 * 1024;
const HEAD_END = '\r\n\r\n';

/**
 * Sends the caller's handshake to the gateway. When the gateway accepts it, the two connections become one: messages, close codes and
 * compression are between the caller and the gateway.
 *
 * @returns undefined once the connection of the caller is taken over.
 * @throws AppError with the gateway's status when it refuses the handshake, 502 with the cause when it cannot be reached.
 */
export async function bridgeWebSocket(options: {
  readonly request: Request;
  readonly exchange: Exchange;
  readonly url: string;
  readonly headers: Headers;
  readonly tlsSkipVerify: boolean;
}): Promise<undefined> {
  const { request, exchange } = options;
  if (!request.headers.has('sec-websocket-key')) throw new AppError('websocket_handshake_invalid');
  const { signal } = request;
  const { tlsSkipVerify } = options;
  const url = new URL(options.url);
  let gateway: Socket;
  let answer: { readonly head: string; readonly rest: Buffer };
  try {
    gateway = await dial(addressOf(options.url), { timeoutMs: CONNECT_TIMEOUT_MS, tlsSkipVerify, signal });
    gateway.setNoDelay(true);
    gateway.write(handshake(url, options.headers), 'latin1');
    answer = await readHead(gateway, signal);
  } catch (cause) {
    throw await unreached(url, cause);
  }
  const { head, rest } = answer;
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0);
  if (status !== 101) {
    gateway.destroy();
    throw await refusal(url, status);
  }
  join(exchange.takeOver(), gateway, Buffer.concat([Buffer.from(acceptance(head), 'latin1'), rest]));
  return undefined;
}

/** A port that expects TLS refuses every handshake with 400. */
async function refusal(url: URL, status: number): Promise<AppError> {
  const refused = status >= 400 && status <= 599;
  const error = await unreached(url, new GatewayError('closed', 'no WebSocket', { status: refused ? status : 0 }));
  return refused && error.code === 'gateway_unreachable' ? new AppError('websocket_refused', { status }) : error;
}

function handshake({ host, pathname, search }: URL, headers: Headers): string {
  let text = `GET ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n`;
  for (const [name, value] of headers) text += `${name}: ${value}\r\n`;
  return `${text}\r\n`;
}

function readHead(gateway: Socket, signal: AbortSignal): Promise<{ readonly head: string; readonly rest: Buffer }> {
  return new Promise((resolve, reject) => {
    let received: Buffer = Buffer.alloc(0);
    const settle = (result: { head: string; rest: Buffer } | null) => {
      gateway.removeAllListeners('data');
      gateway.off('close', onClose);
      signal.removeEventListener('abort', onClose);
      if (result !== null) return resolve(result);
      gateway.destroy();
      reject(new GatewayError('closed', 'the gateway closed the WebSocket handshake'));
    };
    const onClose = () => settle(null);
    gateway.on('error', () => {});
    gateway.on('close', onClose);
    signal.addEventListener('abort', onClose, { once: true });
    gateway.on('data', (bytes: Buffer) => {
      received = Buffer.concat([received, bytes]);
      const end = received.indexOf(HEAD_END);
      if (end < 0 && received.length <= MAX_HEAD_BYTES) return;
      gateway.pause();
      if (end < 0) return settle(null);
      const head = received.toString('latin1', 0, end);
      settle({ head, rest: received.subarray(end + HEAD_END.length) });
    });
  });
}

/** A browser takes a lone line feed inside a header for the beginning of another one. */
const OF_THE_PROTOCOL = /^sec-websocket-(accept|protocol|extensions):[\t\x20-\x7e]*$/i;

/** Of the gateway's head only what belongs to the protocol: other headers would be the gateway's on our origin. */
function acceptance(head: string): string {
  const own = head.split('\r\n').filter((line) => OF_THE_PROTOCOL.test(line));
  const lines = ['HTTP/1.1 101 Switching Protocols', 'Connection: Upgrade', 'Upgrade: websocket', ...own];
  return `${lines.join('\r\n')}${HEAD_END}`;
}

/** Bytes pass in both directions; a slow side holds back the other, and the end of one is the end of both. */
function join(caller: Peer, gateway: Socket, first: Buffer): void {
  const toCaller = async (bytes: Buffer) => {
    gateway.pause();
    try {
      await caller.write(bytes);
      gateway.resume();
    } catch {
      gateway.destroy();
    }
  };
  gateway.on('data', toCaller);
  gateway.on('end', () => caller.end());
  gateway.on('close', () => caller.end());
  void toCaller(first);
  void (async () => {
    for (;;) {
      const bytes = await caller.read(Number.POSITIVE_INFINITY);
      if (bytes === null) break;
      if (!gateway.write(bytes)) await drained(gateway);
    }
    gateway.end();
  })();
}

function drained(gateway: Socket): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      gateway.off('drain', done);
      gateway.off('close', done);
      resolve();
    };
    gateway.on('drain', done);
    gateway.on('close', done);
  });
}
