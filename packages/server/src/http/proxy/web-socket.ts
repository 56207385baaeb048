import { AppError, ERRORS } from '@manager/core/contract/errors';
import type { ServerWebSocket, WebSocketHandler } from 'bun';
import { GatewayError } from '../../gateway/errors.ts';
import { unreached } from './forward.ts';

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
 * @throws AppError with the gateway's status when it refuses the handshake, 502 with the cause when it cannot be reached.
 */
export async function bridgeWebSocket(options: {
  readonly request: Request;
  readonly server: Bun.Server<unknown>;
  readonly url: string;
  readonly headers: Headers;
  readonly tlsSkipVerify: boolean;
  readonly protocols: string[];
}): Promise<undefined> {
  const gateway = new WebSocket(options.url, {
    headers: Object.fromEntries(options.headers),
    protocols: options.protocols,
    ...(options.tlsSkipVerify ? { tls: { rejectUnauthorized: false } } : {}),
  } as Bun.WebSocketOptions as never);
  gateway.binaryType = 'arraybuffer';
  const bridge: Bridge = { gateway, client: null, waiting: [], closed: null };
  await opened(gateway, bridge, options);
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

function opened(
  gateway: WebSocket,
  bridge: Bridge,
  { url, request: { signal } }: { readonly url: string; readonly request: Request },
): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => gateway.close(1001, 'caller is gone');
    signal.addEventListener('abort', abort, { once: true });
    gateway.onopen = () => {
      signal.removeEventListener('abort', abort);
      resolve();
    };
    let failed = false;
    gateway.onerror = (event) => {
      failed = true;
      const message = 'message' in event ? String(event.message) : '';
      const status = Number(/Expected 101 status code: (\d{3})/.exec(message)?.[1] ?? Number.NaN);
      const refused = status >= 400 && status <= 599;
      const cause = new GatewayError('closed', message, { status: refused ? status : 0 });
      // A port that expects TLS refuses every handshake with 400, or just closes.
      void unreached(new URL(url), /WRONG_VERSION_NUMBER/.test(message) ? speaksPlainText(cause) : cause).then(
        (error) =>
          reject(
            refused && error.code === 'gateway_unreachable' ? new AppError('websocket_refused', { status }) : error,
          ),
      );
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
      // Settles a handshake that ended without an error event; the event itself may settle it a moment later.
      if (!failed)
        reject(new AppError('gateway_unreachable', { message: 'the gateway closed the WebSocket handshake' }));
    };
  });
}

function speaksPlainText(cause: GatewayError): GatewayError {
  return new GatewayError('speaks_plain', ERRORS.gateway_speaks_plain_text.message, { cause });
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
