import { connect as connectPlain } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { ERRORS } from '@manager/core/contract/errors';
import { type GatewayAddress, serverNameOf } from './address.ts';
import { GatewayError, type GatewayErrorKind } from './errors.ts';

const PROBE_MS = 3_000;
/** What a request in plain text to a TLS port looks like: no answer, a TLS alert, or an HTTP error. */
const FIRST_EXCHANGE: ReadonlySet<GatewayErrorKind> = new Set([
  'closed',
  'not_http',
  'protocol',
  'unsupported',
  'status',
]);
const BAD_REQUEST = 400;

/**
 * Names the cause of a failed first exchange when it is TLS on a port that the URL calls plain; any other failure stays as it is. The
 * probe sends no key. A URL with `https://` needs none: there the handshake itself fails.
 */
export async function explainFailure(address: GatewayAddress, error: GatewayError): Promise<GatewayError> {
  if (address.secure || !FIRST_EXCHANGE.has(error.kind)) return error;
  // Every other status comes from a server that understood the request.
  if (error.status !== 0 && error.status !== BAD_REQUEST) return error;
  if (!(await speaksTls(address))) return error;
  return new GatewayError('speaks_tls', ERRORS.gateway_speaks_tls.message, { cause: error });
}

/** Whether a port completes a TLS handshake, with whatever certificate. */
function speaksTls(address: GatewayAddress): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connectTls({
      host: address.host,
      port: address.port,
      ...serverNameOf(address),
      rejectUnauthorized: false,
    });
    const settle = (answer: boolean) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(answer);
    };
    const timer = setTimeout(() => settle(false), PROBE_MS);
    socket.on('secureConnect', () => settle(true));
    socket.on('error', () => settle(false));
    socket.on('close', () => settle(false));
  });
}

/** Whether a port answers HTTP in plain text. A TLS port may do so to say that it expects TLS, always with 400. */
export function speaksPlainHttp(address: GatewayAddress): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connectPlain({ host: address.host, port: address.port });
    const settle = (answer: boolean) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(answer);
    };
    const timer = setTimeout(() => settle(false), PROBE_MS);
    socket.on('connect', () => socket.write(`HEAD / HTTP/1.1\r\nHost: ${address.host}\r\nConnection: close\r\n\r\n`));
    socket.on('data', (bytes) => settle(/^HTTP\/1\.[01] (?!400)\d{3}/.test(bytes.toString('latin1'))));
    socket.on('error', () => settle(false));
    socket.on('close', () => settle(false));
  });
}
