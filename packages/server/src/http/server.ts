import http from 'node:http';
import { AppError } from '@manager/core/contract/errors';
import type { WebSocketHandler } from 'bun';
import type { HostPort } from '../platform/config/config.ts';
import type { FindCaller } from './caller.ts';
import { jsonResponse } from './json.ts';
import type { Log } from './log.ts';
import { type BodyEnd, observeBody } from './observe-body.ts';
import { routingPath } from './path.ts';
import type { Router } from './router.ts';

/** Identity lists of auth-file requests are in headers: 1 MiB of them is 3 MiB when URL-encoded. */
const MAX_HEADER_BYTES = 4 * 1024 * 1024;
/** Every route sets its own limit, because the runtime's own answer would be an empty 413. */
const NO_BODY_LIMIT = 2 ** 50;
/** Ends dead keep-alive sockets; a request in progress has no timeout. */
const IDLE_SECONDS = 120;
/** The connection of a broken answer is closed, even if its client reads nothing. */
const BROKEN_SECONDS = 1;
const DRAIN_MS = 10_000;
const DRAIN_POLL_MS = 20;
const LOGGED_PATH_LENGTH = 2048;

export interface HttpServerOptions<Socket> {
  readonly address: HostPort;
  readonly router: Router;
  readonly log: Log;
  readonly findCaller: FindCaller;
  /** Handlers of the sockets that a route upgrades. */
  readonly webSocket?: WebSocketHandler<Socket>;
}

export interface HttpServer {
  /** As bound: a configured port 0 is replaced by the actual one. */
  readonly address: HostPort;
  /** Refuses new connections at once, lets requests in progress end (at most 10 s), then closes every socket. */
  stop(drainMs?: number): Promise<void>;
}

/** The address cannot be bound. The message is for the operator and contains it. */
class ListenError extends Error {
  override readonly name = 'ListenError';
}

/** @throws ListenError when the address cannot be bound. */
export function startHttpServer<Socket>(options: HttpServerOptions<Socket>): HttpServer {
  const { address, router, log } = options;
  // The runtime's own limit of 16 KiB is read when the listener is created.
  Object.assign(http, { maxHeaderSize: MAX_HEADER_BYTES });
  let draining = false;

  async function serve(request: Request, server: Bun.Server<unknown>): Promise<Response | undefined> {
    server.timeout(request, 0);
    const startedAt = performance.now();
    const caller = options.findCaller(request.headers, server.requestIP(request)?.address ?? '');
    const { response, streams } = await router(request, { server, caller });
    const logLine = (status: number, end: BodyEnd) =>
      log.info(
        {
          method: request.method,
          path: routingPath(request.url).slice(0, LOGGED_PATH_LENGTH),
          status,
          durationMs: Math.round(performance.now() - startedAt),
          remoteAddress: caller.address,
          ...(end === 'sent' ? {} : { body: end }),
        },
        'request',
      );
    if (response === undefined) {
      logLine(101, 'sent');
      return undefined;
    }
    if (draining) response.headers.set('Connection', 'close');
    if (streams) {
      return observeBody(response, (end) => {
        logLine(response.status, end);
        if (end === 'failed') server.timeout(request, BROKEN_SECONDS);
      });
    }
    logLine(response.status, 'sent');
    return response;
  }

  const server = listening(address, () =>
    Bun.serve({
      hostname: address.host,
      port: address.port,
      development: false,
      // Outside development mode the runtime shares ports: a second manager would listen silently instead of failing.
      reusePort: false,
      maxRequestBodySize: NO_BODY_LIMIT,
      idleTimeout: IDLE_SECONDS,
      fetch: (request: Request, bunServer: Bun.Server<Socket>) => serve(request, bunServer as Bun.Server<unknown>),
      websocket: options.webSocket ?? { message() {} },
      error(error: Error) {
        log.error({ err: error }, 'request failed outside its route');
        return jsonResponse(new AppError('internal_error').toBody(), 500);
      },
    }),
  );

  return {
    address: { host: address.host, port: server.port ?? address.port },
    async stop(drainMs = DRAIN_MS) {
      draining = true;
      void server.stop();
      const deadline = performance.now() + drainMs;
      while (server.pendingRequests > 0 && performance.now() < deadline) await Bun.sleep(DRAIN_POLL_MS);
      await server.stop(true);
    },
  };
}

function listening<Server>({ host, port }: HostPort, start: () => Server): Server {
  try {
    return start();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    const address = `${host.includes(':') ? `[${host}]` : host}:${port}`;
    const reason = code === 'EADDRINUSE' ? 'is in use' : `cannot be listened on (${code})`;
    throw new ListenError(`the address ${address} ${reason}; set HTTP_ADDR to another address`, { cause: error });
  }
}
