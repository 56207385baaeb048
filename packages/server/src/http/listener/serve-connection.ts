import { AppError } from '@manager/core/contract/errors';
import { addressGroup } from '../address.ts';
import type { Caller, FindCaller } from '../caller.ts';
import { jsonResponse } from '../json.ts';
import type { Log } from '../log.ts';
import { answerCutOff } from '../outcome.ts';
import { routingPath } from '../path.ts';
import type { Admission, Guest } from './admission.ts';
import { accountBody, type BodyMemory } from './body-memory.ts';
import { type Peer, PeerGone, PeerSilent } from './peer.ts';
import { readHead } from './read-head.ts';
import { RequestBody } from './request-body.ts';
import { HeadError, parseRequestHead, type RequestHead } from './request-head.ts';
import { type BodyEnd, NothingSent, writeAnswer } from './write-answer.ts';

/** What a handler may do with its connection. */
export interface Exchange {
  /** The request has the admin key: its connection is kept, and its body has a memory of its own. */
  proveOperator(): void;
  /**
   * The request goes on without the admin key.
   *
   * @throws AppError 431, 503
   */
  proceedAsStranger(): void;
  /** The connection itself, for another protocol. The handler answers nothing then. */
  takeOver(): Peer;
}

export interface RequestContext {
  readonly caller: Caller;
  readonly exchange: Exchange;
}

/** Answers every request; never throws. `undefined` after the connection was taken over. */
export type Router = (request: Request, context: RequestContext) => Promise<Response | undefined>;

export interface ConnectionTimes {
  /** Header of a request, from its first byte. */
  readonly headMs: number;
  /** A kept connection without a request. */
  readonly idleMs: number;
  /** Between two pieces of a body. */
  readonly pieceMs: number;
  /** For a client to notice that it was refused, before the connection is closed. */
  readonly lingerMs: number;
}

export interface ConnectionDeps {
  readonly router: Router;
  readonly findCaller: FindCaller;
  readonly log: Log;
  readonly admission: Admission;
  readonly bodyMemory: BodyMemory;
  readonly heads: HeadMemory;
  readonly times: ConnectionTimes;
  readonly now: () => number;
  readonly date: () => string;
  /** The manager stops: no further request of this connection. */
  readonly isStopping: () => boolean;
}

/** Unfinished heads in memory, whose callers are not known yet. */
export interface HeadMemory {
  grow(guest: Guest, bytes: number): void;
  release(guest: Guest): void;
}

/** Identity lists need more, but only with the admin key. */
const MAX_STRANGER_HEAD_BYTES = 64 * 1024;
const LOGGED_PATH_LENGTH = 2048;

/** Serves the requests of one connection, one after another, until it is closed. */
export async function serveConnection(guest: Guest, deps: ConnectionDeps): Promise<void> {
  const { peer } = guest;
  try {
    while (await serveNext(guest, deps)) {
      // Thousands of requests may have arrived at once, and others have their turn between them.
      if (peer.hasReceived) await othersTurn();
    }
  } catch (error) {
    if (error instanceof HeadError) return await refuse(peer, error, deps);
    if (!(error instanceof PeerGone || error instanceof PeerSilent)) {
      deps.log.error({ err: error }, 'a connection failed');
      peer.reset();
    }
    peer.end();
  }
}

function othersTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** True when the connection can have another request. */
async function serveNext(guest: Guest, deps: ConnectionDeps): Promise<boolean> {
  const { peer } = guest;
  const { times, now } = deps;
  guest.phase = 'idle';
  const isFirst = !peer.isOperator && !peer.hasServed;
  const bytes = await readHead(peer, {
    idleMs: isFirst ? times.headMs : times.idleMs,
    headMs: times.headMs,
    now,
    onBegin: () => {
      guest.phase = 'head';
      peer.isOperator = false;
    },
    onGrow: (size) => deps.heads.grow(guest, size),
  }).finally(() => deps.heads.release(guest));
  if (bytes === null) {
    peer.end();
    return false;
  }
  peer.hasServed = true;
  const head = parseRequestHead(bytes);
  return serveRequest(guest, head, bytes.length, deps);
}

async function serveRequest(
  guest: Guest,
  head: RequestHead,
  headBytes: number,
  deps: ConnectionDeps,
): Promise<boolean> {
  const { peer } = guest;
  const startedAt = deps.now();
  const gone = new AbortController();
  peer.onGone = () => gone.abort();
  if (peer.gone) gone.abort();
  guest.phase = 'body';
  const body = new RequestBody(peer, head, deps.times.pieceMs);
  const caller = deps.findCaller(head.headers, peer.address);
  const callers = addressGroup(caller.address);
  const account = deps.bodyMemory.open(callers);
  let endStranger = () => {};
  let takenOver = false;
  const exchange: Exchange = {
    proveOperator() {
      peer.isOperator = true;
      account.moveToOperator();
    },
    proceedAsStranger() {
      if (headBytes > MAX_STRANGER_HEAD_BYTES) throw new AppError('headers_too_large');
      endStranger = deps.admission.beginStranger(callers);
    },
    takeOver() {
      takenOver = true;
      return peer;
    },
  };
  const request = toRequest(head, body, gone.signal);
  accountBody(request, account);

  const log = (status: number, end: BodyEnd) =>
    deps.log.info(
      {
        method: head.method,
        path: routingPath(request.url).slice(0, LOGGED_PATH_LENGTH),
        status,
        durationMs: Math.round(deps.now() - startedAt),
        remoteAddress: caller.address,
        ...(end === 'sent' ? {} : { body: end }),
      },
      'request',
    );
  try {
    const routed = await deps.router(request, { caller, exchange }).catch((error: unknown) => {
      deps.log.error({ err: error }, 'request failed outside its route');
      return answerOf(null);
    });
    if (takenOver) {
      log(101, 'sent');
      guest.phase = 'tunnel';
      await closing(peer);
      return false;
    }
    // A handler sees only that the body failed; why, is known here.
    const failed = body.failure !== null && (routed === undefined || routed.status >= 400);
    const response = failed || routed === undefined ? answerOf(body.failure) : routed;
    guest.phase = 'answer';
    const isUninvited = body.answering();
    const keepAlive = head.keepAlive && !isUninvited && body.failure === null && !deps.isStopping();
    const options = { method: head.method, isHttp10: head.isHttp10, keepAlive, date: deps.date, gone: gone.signal };
    const end = await writeAnswer(peer, response, options).catch(async (error: unknown) => {
      if (!(error instanceof NothingSent)) throw error;
      if (peer.gone) return 'aborted' as const;
      await writeAnswer(peer, answerOf(answerCutOff(head.method)), options);
      return 'failed' as const;
    });
    log(response.status, end);
    if (end === 'aborted' || peer.gone) return false;
    if (body.failure !== null || isUninvited) {
      await linger(peer, deps.times.lingerMs);
      return false;
    }
    guest.phase = 'body';
    if (!(await isDiscarded(body))) {
      await linger(peer, deps.times.lingerMs);
      return false;
    }
    if (keepAlive) return true;
    peer.end();
    return false;
  } finally {
    peer.onGone = null;
    account.release();
    endStranger();
  }
}

/** False when the rest of the body cannot be read: its request is answered, so that concerns only the connection. */
async function isDiscarded(body: RequestBody): Promise<boolean> {
  try {
    await body.discard();
    return true;
  } catch (error) {
    if (body.failure === null) throw error;
    return false;
  }
}

function closing(peer: Peer): Promise<void> {
  return new Promise((resolve) => {
    if (peer.gone) resolve();
    else peer.onGone = resolve;
  });
}

function toRequest(head: RequestHead, body: RequestBody, signal: AbortSignal): Request {
  const { method, headers } = head;
  const carriesBody = body.stream !== null && method !== 'GET' && method !== 'HEAD';
  return new Request(head.url, {
    method,
    headers,
    signal,
    ...(carriesBody ? { body: body.stream, duplex: 'half' } : {}),
  } as RequestInit);
}

function answerOf(error: AppError | null): Response {
  const known = error ?? new AppError('internal_error');
  return jsonResponse(known.toBody(), known.status, known.headers);
}

/** Answers a request that cannot be read. What follows it on the connection cannot be read either. */
async function refuse(peer: Peer, error: HeadError, deps: ConnectionDeps): Promise<void> {
  const code = error.status === 431 ? 'headers_too_large' : 'malformed_request';
  const response = answerOf(new AppError(code, { status: error.status, message: error.message }));
  const { signal } = new AbortController();
  await writeAnswer(peer, response, {
    method: 'GET',
    isHttp10: false,
    keepAlive: false,
    date: deps.date,
    gone: signal,
  });
  deps.log.info({ status: error.status, reason: error.message, remoteAddress: peer.address }, 'request refused');
  await linger(peer, deps.times.lingerMs);
}

/** Closing a connection with unread bytes resets it, and the client might lose the answer. */
async function linger(peer: Peer, limitMs: number): Promise<void> {
  peer.shutdown();
  const timer = setTimeout(() => peer.reset(), limitMs);
  try {
    while ((await peer.read(limitMs)) !== null) {
      // Dropped.
    }
  } catch {
    // Enough.
  }
  clearTimeout(timer);
  peer.end();
}
