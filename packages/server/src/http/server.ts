import type { Socket } from 'bun';
import type { HostPort } from '../platform/config/config.ts';
import { createGarbageCollector } from '../platform/garbage.ts';
import { addressGroup, plainAddress } from './address.ts';
import type { FindCaller } from './caller.ts';
import { connectionLimit, createAdmission, descriptorLimit, type Guest } from './listener/admission.ts';
import { createBodyMemory } from './listener/body-memory.ts';
import { createHeadMemory } from './listener/head-memory.ts';
import { Peer } from './listener/peer.ts';
import { createRefuser } from './listener/refuse.ts';
import { type ConnectionTimes, type Router, serveConnection } from './listener/serve-connection.ts';
import type { Log } from './log.ts';

const TIMES: ConnectionTimes = { headMs: 10_000, idleMs: 120_000, pieceMs: 15_000, lingerMs: 2_000 };
const SWEEP_MS = 1_000;
const DRAIN_MS = 10_000;
const DRAIN_POLL_MS = 20;
/** One line of the log for many connections that were given up. */
const GIVEN_UP_LOG_MS = 60_000;

export interface HttpServerOptions {
  readonly address: HostPort;
  readonly router: Router;
  readonly log: Log;
  readonly findCaller: FindCaller;
  /** Default: what the limit of file descriptors allows. */
  readonly connectionLimit?: number;
  readonly times?: Partial<ConnectionTimes>;
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

/**
 * The manager's own HTTP/1.1 listener. The runtime's one drops the length of streamed answers, closes refused uploads so that their
 * answer is lost, and knows neither connections nor unfinished bodies.
 *
 * @throws ListenError when the address cannot be bound.
 */
export function startHttpServer(options: HttpServerOptions): HttpServer {
  const { address, log } = options;
  const now = () => performance.now();
  const times = { ...TIMES, ...options.times };
  let stopping = false;
  let sweeper: Timer | null = null;
  let lastLoggedAt = Number.NEGATIVE_INFINITY;
  let closed = 0;
  let refused = 0;
  const collectGarbageOf = createGarbageCollector();
  const admission = createAdmission({
    limit: options.connectionLimit ?? connectionLimit(descriptorLimit()),
    onGivenUp(peer) {
      closed += 1;
      warnOfMany(peer);
    },
  });
  const refuse = createRefuser(times.lingerMs);

  function warnOfMany({ address: remoteAddress }: Peer): void {
    if (now() - lastLoggedAt < GIVEN_UP_LOG_MS) return;
    log.warn(
      { remoteAddress, closed, refused },
      'too many connections: those that wait longest for their client are closed, and new ones are refused',
    );
    lastLoggedAt = now();
    closed = 0;
    refused = 0;
  }

  const deps = {
    router: options.router,
    findCaller: options.findCaller,
    log,
    admission,
    bodyMemory: createBodyMemory(),
    heads: createHeadMemory(),
    times,
    now,
    date: httpDate(Date.now),
    isStopping: () => stopping,
  };

  function accept(socket: Socket<Peer | undefined>): void {
    const peer = new Peer(socket, now);
    const group = addressGroup(plainAddress(peer.address));
    const guest: Guest = { peer, group, phase: 'idle' };
    if (stopping || !admission.admit(guest)) {
      refused += 1;
      if (!stopping) warnOfMany(peer);
      refuse(socket);
      return;
    }
    socket.data = peer;
    socket.setNoDelay(true);
    socket.setKeepAlive(true, KEEP_ALIVE_MS);
    sweeper ??= setInterval(sweep, SWEEP_MS);
    peer.onClosed = () => admission.left(guest);
    void serveConnection(guest, deps);
  }

  function sweep(): void {
    const at = now();
    for (const { peer } of admission.guests) peer.expire(at);
    if (admission.guests.size > 0 || sweeper === null) return;
    clearInterval(sweeper);
    sweeper = null;
  }

  const server = listening(address, () =>
    Bun.listen<Peer | undefined>({
      hostname: address.host || '0.0.0.0',
      port: address.port,
      socket: {
        open: accept,
        data(socket, bytes) {
          // Strangers may send as fast as they can.
          if (socket.data?.isOperator === false) collectGarbageOf(bytes.length);
          socket.data?.received(bytes);
        },
        drain: (socket) => socket.data?.drained(),
        close: (socket) => socket.data?.closed(),
        error: (socket) => socket.data?.closed(),
      },
    }),
  );

  return {
    address: { host: address.host, port: server.port },
    async stop(drainMs = DRAIN_MS) {
      stopping = true;
      server.stop();
      const deadline = now() + drainMs;
      for (;;) {
        for (const { peer, phase } of admission.guests) if (phase === 'idle' || phase === 'tunnel') peer.end();
        if (admission.guests.size === 0 || now() >= deadline) break;
        await Bun.sleep(DRAIN_POLL_MS);
      }
      for (const { peer } of admission.guests) peer.reset();
      server.stop(true);
      if (sweeper !== null) clearInterval(sweeper);
    },
  };
}

/** Dead clients answer no probes of the system. */
const KEEP_ALIVE_MS = 60_000;

/** The date of answers, formatted once a second. */
function httpDate(now: () => number): () => string {
  let second = -1;
  let text = '';
  return () => {
    const current = Math.floor(now() / 1000);
    if (current !== second) [second, text] = [current, new Date(current * 1000).toUTCString()];
    return text;
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
