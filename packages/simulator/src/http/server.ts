import { type Clock, sleep } from '../clock.ts';
import type { HttpMatch } from '../faults/fault-types.ts';
import type { Faults } from '../faults/faults.ts';
import type { Connection } from '../net/connection.ts';
import { matchesPath, type Recorder } from '../recorder.ts';
import { Exchange } from './exchange.ts';
import { createRequestParser, headerOf, type RequestHead } from './request-parser.ts';

interface HttpDependencies {
  readonly faults: Faults;
  readonly recorder: Recorder;
  readonly clock: Clock;
  readonly handle: (exchange: Exchange) => Promise<void>;
}

/** On every answer. */
const CORS_HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Methods': 'GET, POST, PUT, PATCH, DELETE, OPTIONS',
  'Access-Control-Allow-Headers': '*',
  'Access-Control-Expose-Headers':
    'X-CPA-VERSION, X-CPA-COMMIT, X-CPA-BUILD-DATE, X-CPA-SUPPORT-PLUGIN, X-CPA-TRACE-ID, X-CPA-SAFE-MODE, ' +
    'X-SERVER-VERSION, X-SERVER-COMMIT, X-SERVER-BUILD-DATE, Location, Retry-After, X-Request-Id',
};

const BAD_REQUEST = Buffer.from(
  'HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n400 Bad Request',
);

/** Serves HTTP/1.1 on one connection, from its first byte. */
export function serveHttp(connection: Connection, dependencies: HttpDependencies): void {
  const { faults, recorder, clock } = dependencies;
  let exchange: Exchange | null = null;

  const parser = createRequestParser({
    head: (head) => begin(head),
    body: (bytes) => exchange?.onBody(bytes),
    bodyEnd: () => exchange?.onBodyEnd(),
    malformed() {
      connection.send(BAD_REQUEST);
      connection.close();
    },
  });
  connection.handler = {
    data: (bytes) => parser.push(bytes),
    // A client that closes its side has left: nobody would read the answer.
    end: () => connection.endNow(),
    closed: () => exchange?.onGone(),
  };

  function begin(head: RequestHead): void {
    const question = head.target.indexOf('?');
    const record = recorder.open({
      connectionId: connection.id,
      protocol: 'http',
      method: head.method,
      target: head.target,
      path: question < 0 ? head.target : head.target.slice(0, question),
      headers: head.headers,
      args: [],
    });
    const current = new Exchange({
      head,
      connection,
      record,
      recorder,
      dateText: () => new Date(clock.now()).toUTCString(),
      onDone(keepAlive) {
        if (keepAlive) queueMicrotask(() => parser.next());
      },
      detach: () => parser.detach(),
    });
    Object.assign(current.extraHeaders, CORS_HEADERS);
    exchange = current;
    if (headerOf(head.headers, 'expect').toLowerCase() === '100-continue')
      connection.send(Buffer.from('HTTP/1.1 100 Continue\r\n\r\n'));
    void process(current);
  }

  async function process(current: Exchange): Promise<void> {
    const applies = (fault: { readonly match?: HttpMatch }): boolean => matchesRequest(fault.match, current);
    const closing = faults.take('close-before-reply', (fault) => fault.on === 'HTTP' && applies(fault));
    if (closing?.runs === false) {
      connection.endNow();
      return;
    }
    const fault = faults.take('http', applies);
    if (fault?.delayMs !== undefined) await sleep(clock, fault.delayMs, current.gone.signal);
    if (current.gone.signal.aborted) return;
    if (fault?.respond !== undefined) {
      const { status, headers = {}, body } = fault.respond;
      if (typeof body === 'string') current.sendText(status, body, { 'Content-Type': 'text/plain', ...headers });
      else if (body === undefined) current.sendEmpty(status, headers);
      else current.sendJson(status, body, headers);
      return;
    }
    if (closing !== null) current.disturbance = 'hang';
    else if (fault?.answer !== undefined) current.disturbance = fault.answer;
    try {
      if (current.method === 'OPTIONS') current.sendEmpty(204);
      else await dependencies.handle(current);
    } catch (error) {
      if (!current.started) current.sendJson(500, { error: `simulator: ${String(error)}` });
      else connection.terminate();
    }
    if (closing !== null) connection.endNow();
  }
}

function matchesRequest(match: HttpMatch | undefined, exchange: Exchange): boolean {
  if (match === undefined) return true;
  if (match.method !== undefined && match.method.toUpperCase() !== exchange.method) return false;
  return match.path === undefined || matchesPath(match.path, exchange.path);
}
