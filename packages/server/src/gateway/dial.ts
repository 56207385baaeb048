import { connect as connectPlain, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { ERRORS } from '@manager/core/contract/errors';
import { type GatewayAddress, serverNameOf } from './address.ts';
import { GatewayError, transportError } from './errors.ts';
import { speaksPlainHttp } from './port-protocol.ts';

export interface DialOptions {
  readonly timeoutMs: number;
  readonly tlsSkipVerify?: boolean;
  readonly signal?: AbortSignal;
}

/**
 * Opens a TCP or TLS connection. No ALPN is offered: a port with two protocols takes a connection with a negotiated `http/1.1`
 * for HTTP.
 *
 * @throws GatewayError
 */
export async function dial(address: GatewayAddress, options: DialOptions): Promise<Socket> {
  try {
    return await open(address, options);
  } catch (error) {
    // Most servers answer a TLS greeting in plain text, which has its own error; some close, or wait for the rest of a line.
    const isSuspect = error instanceof GatewayError && (error.kind === 'dial_closed' || error.kind === 'tls_silent');
    if (!isSuspect || !address.secure || options.signal?.aborted === true || !(await speaksPlainHttp(address)))
      throw error;
    throw new GatewayError('speaks_plain', ERRORS.gateway_speaks_plain_text.message, { cause: error });
  }
}

function open(address: GatewayAddress, options: DialOptions): Promise<Socket> {
  return new Promise((resolve, reject) => {
    if (options.signal?.aborted === true) {
      reject(new GatewayError('dial_closed', 'stopped'));
      return;
    }
    const target = { host: address.host, port: address.port };
    const socket: Socket = address.secure
      ? connectTls({ ...target, ...serverNameOf(address), rejectUnauthorized: options.tlsSkipVerify !== true })
      : connectPlain(target);
    const settle = (error: GatewayError | null) => {
      clearTimeout(timer);
      socket.off('error', onError);
      socket.off('close', onClose);
      socket.off(connected, onConnected);
      options.signal?.removeEventListener('abort', onAbort);
      if (error === null) return resolve(socket);
      // A later failure of the socket must not end the process.
      socket.on('error', () => {});
      socket.destroy();
      reject(error);
    };
    const connected = address.secure ? 'secureConnect' : 'connect';
    const onError = (error: unknown) => settle(dialError(error));
    const onClose = () => settle(new GatewayError('dial_closed', CLOSED));
    const onConnected = () => settle(null);
    const onAbort = () => settle(new GatewayError('dial_closed', 'stopped'));
    let isConnected = false;
    const timer = setTimeout(
      () => settle(isConnected ? new GatewayError('tls_silent', SILENT) : new GatewayError('dial_timeout', UNANSWERED)),
      options.timeoutMs,
    );
    socket.once('connect', () => {
      isConnected = true;
    });
    options.signal?.addEventListener('abort', onAbort, { once: true });
    socket.on('error', onError);
    socket.on('close', onClose);
    socket.on(connected, onConnected);
  });
}

const CLOSED = 'the gateway closed the connection immediately';
const UNANSWERED = 'the gateway did not respond to the connection attempt';
const SILENT =
  'the gateway accepted the connection and did not answer the TLS handshake; check scheme and port of the URL';

function dialError(error: unknown): GatewayError {
  const known = transportError(error);
  // Nothing but the handshake was sent.
  if (known.kind === 'tls_broken') return new GatewayError('tls_refused', known.message, { cause: error });
  if (known.kind !== 'closed') return known;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return code === 'ETIMEDOUT'
    ? new GatewayError('dial_timeout', UNANSWERED, { cause: error })
    : new GatewayError('dial_closed', code === '' ? CLOSED : `${CLOSED} (${code})`, { cause: error });
}
