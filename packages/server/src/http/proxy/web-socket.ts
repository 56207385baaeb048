import type { Socket } from 'node:net';
import { AppError, ERRORS } from '@manager/core/contract/errors';
import { addressOf } from '../../gateway/address.ts';
import { dial } from '../../gateway/dial.ts';
import { failedAnswer, GatewayError, transportError } from '../../gateway/errors.ts';
import { explainFailure } from '../../gateway/port-protocol.ts';
import type { Peer } from '../listener/peer.ts';
import type { Exchange } from '../listener/serve-connection.ts';
import { CONNECT_TIMEOUT_MS } from './dial.ts';
import { unanswered } from './forward.ts';

const MAX_HEAD_BYTES = 64 * 1024;
const HTTP_START = 'HTTP/1.';
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
    throw await unanswered(url, cause, request.method);
  }
  const { head, rest } = answer;
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(head)?.[1] ?? 0);
  if (status !== 101) {
    gateway.destroy();
    throw await refusal(url, status);
  }
  join(exchange.takeOver(), gateway, Buffer.concat([Buffer.from(acceptance(head), 'latin1'), rest]));
  return undefined;
}

/** With the status of the gateway where that is an error. A port that expects TLS refuses every handshake with 400. */
async function refusal(url: URL, status: number): Promise<AppError> {
  const refused = new GatewayError('status', 'the gateway refused the WebSocket handshake', { status });
  const error = await explainFailure(addressOf(url.href), refused);
  if (error !== refused) return failedAnswer(error);
  return new AppError('websocket_refused', status >= 400 && status <= 599 ? { status } : {});
}

function handshake({ host, pathname, search }: URL, headers: Headers): string {
  let text = `GET ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n`;
  for (const [name, value] of headers) text += `${name}: ${value}\r\n`;
  return `${text}\r\n`;
}

function readHead(gateway: Socket, signal: AbortSignal): Promise<{ readonly head: string; readonly rest: Buffer }> {
  return new Promise((resolve, reject) => {
    let received: Buffer = Buffer.alloc(0);
    const settle = (result: { head: string; rest: Buffer } | GatewayError) => {
      gateway.removeAllListeners('data');
      gateway.off('close', onClose);
      signal.removeEventListener('abort', onClose);
      if (!(result instanceof GatewayError)) return resolve(result);
      gateway.destroy();
      reject(result);
    };
    const onClose = () => settle(new GatewayError('closed', 'the gateway closed the WebSocket handshake'));
    const onError = (error: unknown) => {
      // A gateway that demands a client certificate says so only after the handshake of TLS 1.3.
      const known = transportError(error);
      if (known.kind === 'tls_broken') settle(known);
    };
    gateway.on('error', onError);
    gateway.on('close', onClose);
    signal.addEventListener('abort', onClose, { once: true });
    gateway.on('data', (bytes: Buffer) => {
      received = Buffer.concat([received, bytes]);
      const end = received.indexOf(HEAD_END);
      const isHttp = HTTP_START.startsWith(received.toString('latin1', 0, HTTP_START.length));
      if (end < 0 && isHttp && received.length <= MAX_HEAD_BYTES) return;
      gateway.pause();
      if (end < 0 || !isHttp) return settle(new GatewayError('not_http', ERRORS.gateway_answer_not_http.message));
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
