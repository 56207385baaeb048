import { AppError } from '@manager/core/contract/errors';
import type { ServerWebSocket, WebSocketHandler } from 'bun';

/**
 * Limit of bytes waiting for a slow side. Neither side can be paused, and a dropped message would be an unnoticed gap.
 */
export const MAX_WAITING_BYTES = 16 * 1024 * 1024;

/** State of one bridged connection. */
export interface Bridge {
  readonly gateway: WebSocket;
  client: ServerWebSocket<Bridge> | null;
  /** Messages of the gateway from before the client was accepted. */
  waiting: (string | Uint8Array)[];
  closed: { code: number; reason: string } | null;
}

/**
 * Connects to the gateway with the caller's subprotocols, and only then accepts the caller with the one the gateway chose.
 * Messages pass one by one in both directions, close codes too.
 *
 * @returns undefined once the caller is upgraded.
 * @throws AppError with the gateway's status when it refuses the handshake, 502 when it cannot be reached.
 */
export async function bridgeWebSocket(options: {
  readonly request: Request;
  readonly server: Bun.Server<unknown>;
  readonly url: string;
  readonly headers: Headers;
}): Promise<undefined> {
  const protocols = (options.request.headers.get('sec-websocket-protocol') ?? '')
    .split(',')
    .map((protocol) => protocol.trim())
    .filter((protocol) => protocol !== '');
  const gateway = new WebSocket(options.url, {
    headers: Object.fromEntries(options.headers),
    protocols,
  } as Bun.WebSocketOptions as never);
  gateway.binaryType = 'arraybuffer';
  const bridge: Bridge = { gateway, client: null, waiting: [], closed: null };
  await opened(gateway, bridge, options.request.signal);
  const accepted = options.server.upgrade(options.request, {
    data: bridge,
    ...(gateway.protocol ? { headers: { 'Sec-WebSocket-Protocol': gateway.protocol } } : {}),
  });
  if (!accepted) {
    gateway.close(1001, 'caller is gone');
    throw new AppError('websocket_handshake_invalid');
  }
  return undefined;
}

function opened(gateway: WebSocket, bridge: Bridge, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => gateway.close(1001, 'caller is gone');
    signal.addEventListener('abort', abort, { once: true });
    gateway.onopen = () => {
      signal.removeEventListener('abort', abort);
      resolve();
    };
    gateway.onerror = (event) => {
      const message = 'message' in event ? String(event.message) : '';
      const status = Number(/Expected 101 status code: (\d{3})/.exec(message)?.[1] ?? Number.NaN);
      const refused = status >= 400 && status <= 599;
      reject(refused ? new AppError('websocket_refused', { status }) : new AppError('gateway_unreachable'));
    };
    gateway.onmessage = (event: MessageEvent<string | ArrayBuffer>) => {
      const message = typeof event.data === 'string' ? event.data : new Uint8Array(event.data);
      if (bridge.client) toCaller(bridge.client, message);
      else bridge.waiting.push(message);
    };
    gateway.onclose = (event) => {
      const closing = { code: sendableCode(event.code), reason: event.reason };
      bridge.closed = closing;
      bridge.client?.close(closing.code, closing.reason);
      // Settles a handshake that ended without an error event; later calls have no effect.
      reject(new AppError('gateway_unreachable', { message: 'the gateway closed the WebSocket handshake' }));
    };
  });
}

function toCaller(client: ServerWebSocket<Bridge>, message: string | Uint8Array): void {
  // A close frame would wait behind unread messages, so the caller is disconnected.
  if (client.send(message) === 0 || client.getBufferedAmount() > MAX_WAITING_BYTES) client.terminate();
}

function toGateway(client: ServerWebSocket<Bridge>, message: string | Buffer): void {
  const { gateway } = client.data;
  if (gateway.readyState !== WebSocket.OPEN) return;
  gateway.send(message);
  if (gateway.bufferedAmount <= MAX_WAITING_BYTES) return;
  client.close(1013, 'the gateway does not keep up');
  gateway.terminate();
}

/** Codes for "no code" or "broken" are not allowed in a close frame. */
function sendableCode(code: number): number {
  return code === 1005 ? 1000 : code === 1006 || code === 1015 ? 1011 : code;
}

/** Handlers of the callers' side, for `Bun.serve`. */
export const webSocketHandlers: WebSocketHandler<Bridge> = {
  idleTimeout: 0,
  maxPayloadLength: 64 * 1024 * 1024,
  // One message of any length still fits, so that only a slow side is disconnected.
  backpressureLimit: 64 * 1024 * 1024 + MAX_WAITING_BYTES,
  open(client) {
    const bridge = client.data;
    bridge.client = client;
    for (const message of bridge.waiting) toCaller(client, message);
    bridge.waiting = [];
    if (bridge.closed) client.close(bridge.closed.code, bridge.closed.reason);
  },
  message: toGateway,
  close(client, code, reason) {
    client.data.client = null;
    if (client.data.gateway.readyState === WebSocket.OPEN) client.data.gateway.close(sendableCode(code), reason);
  },
};
