import { createServer, type IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { type Clock, sleep } from '../clock.ts';
import type { HttpMatch } from '../faults/fault-types.ts';
import type { Faults } from '../faults/faults.ts';
import type { Connection } from '../net/connection.ts';
import { matchesPath, type Recorder } from '../recorder.ts';
import { Exchange } from './exchange.ts';

interface HttpDependencies {
  readonly faults: Faults;
  readonly recorder: Recorder;
  readonly clock: Clock;
  readonly handle: (exchange: Exchange) => Promise<void>;
}

const CORS_HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Methods': 'GET, POST, PUT, PATCH, DELETE, OPTIONS',
  'Access-Control-Allow-Headers': '*',
  'Access-Control-Expose-Headers':
    'X-CPA-VERSION, X-CPA-COMMIT, X-CPA-BUILD-DATE, X-CPA-SUPPORT-PLUGIN, X-CPA-TRACE-ID, X-CPA-SAFE-MODE, ' +
    'X-SERVER-VERSION, X-SERVER-COMMIT, X-SERVER-BUILD-DATE, Location, Retry-After, X-Request-Id',
};
const BAD_REQUEST =
  'HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n400 Bad Request';
const HEAD_LIMIT = 1024 * 1024;

/** Returns a handler that serves HTTP/1.1 on a connection, from its first byte. */
export function createHttpServer({ faults, recorder, clock, handle }: HttpDependencies): (from: Connection) => void {
  const connections = new WeakMap<Duplex, Connection>();
  const server = createServer(
    {
      maxHeaderSize: HEAD_LIMIT,
      requireHostHeader: false,
      // No timeouts: the simulator's clock decides about time.
      headersTimeout: 0,
      requestTimeout: 0,
      keepAliveTimeout: 0,
      shouldUpgradeCallback: (request) => request.headers.upgrade?.toLowerCase() === 'websocket',
    },
    (request, response) => begin(request, response, null),
  );
  server.on('upgrade', (request, socket, head) => {
    const connection = connections.get(socket);
    if (connection === undefined) return;
    const response = new ServerResponse(request);
    response.assignSocket(connection.socket);
    // Nothing reads requests any more: a refusal ends the connection.
    response.shouldKeepAlive = false;
    response.once('finish', () => connection.end());
    begin(request, response, head);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const isMalformed = error.code?.startsWith('HPE_') === true && error.code !== 'HPE_INVALID_EOF_STATE';
    if (isMalformed && socket.writable) socket.end(BAD_REQUEST);
    // A client that closes its side has left: the answer would not be read.
    else socket.destroy();
  });

  function begin(request: IncomingMessage, response: ServerResponse, upgradeHead: Buffer | null): void {
    const connection = connections.get(request.socket);
    if (connection === undefined) return;
    if (request.httpVersion === '0.9') {
      connection.socket.end(BAD_REQUEST);
      return;
    }
    const exchange = new Exchange({ request, response, connection, recorder, now: clock.now, upgradeHead });
    Object.assign(exchange.extraHeaders, CORS_HEADERS);
    void answer(exchange);
  }

  async function answer(exchange: Exchange): Promise<void> {
    const applies = (fault: { readonly match?: HttpMatch }): boolean => matchesRequest(fault.match, exchange);
    const closing = faults.take('close-before-reply', (fault) => fault.on === 'HTTP' && applies(fault));
    if (closing?.runs === false) {
      exchange.connection.end();
      return;
    }
    const fault = faults.take('http', applies);
    if (fault?.delayMs !== undefined) await sleep(clock, fault.delayMs, exchange.gone);
    if (exchange.isGone) return;
    if (fault?.respond !== undefined) {
      const { status, headers = {}, body } = fault.respond;
      if (typeof body === 'string') exchange.sendText(status, body, { 'Content-Type': 'text/plain', ...headers });
      else if (body === undefined) exchange.sendEmpty(status, headers);
      else exchange.sendJson(status, body, headers);
      return;
    }
    if (closing !== null) exchange.disturbance = 'hang';
    else if (fault?.answer !== undefined) exchange.disturbance = fault.answer;
    try {
      if (exchange.method === 'OPTIONS') exchange.sendEmpty(204);
      else await handle(exchange);
    } catch (error) {
      if (!exchange.started) exchange.sendJson(500, { error: `simulator: ${String(error)}` });
      else exchange.connection.reset();
    }
    if (closing !== null) exchange.connection.end();
  }

  return (connection) => {
    connections.set(connection.socket, connection);
    server.emit('connection', connection.socket);
  };
}

function matchesRequest(match: HttpMatch | undefined, exchange: Exchange): boolean {
  if (match === undefined) return true;
  if (match.method !== undefined && match.method.toUpperCase() !== exchange.method) return false;
  return match.path === undefined || matchesPath(match.path, exchange.path);
}
