import type { GatewayConnection } from '../platform/config/config.ts';
import { addressOf, managementUrl } from './address.ts';
import { decodedBody, NO_ENCODING } from './decoded-body.ts';
import { dial } from './dial.ts';
import { errorTextOf, GatewayError, refusalAdvice, transportError } from './errors.ts';
import { explainFailure } from './port-protocol.ts';
import { openPermit } from './refusal.ts';
import type { KeyRefusalGate } from './types.ts';

/** Identifies the manager's own requests, in case the gateway URL leads back to it. */
export const HOP_HEADER = 'X-Manager-Hop';

/** The HTTP client has no connect timeout, so an origin without an answer for this long is dialed first. */
const FRESH_MS = 30_000;
const ERROR_BODY_BYTES = 1024;
const CHECK_TIMEOUT_MS = 5000;
/** The cheapest call that needs the key. */
export const CHEAP_PATH = 'usage-statistics-enabled';

export interface GatewayHttpDeps {
  readonly gate: KeyRefusalGate;
  readonly now: () => number;
  readonly instanceId: string;
  /** An answer came at this time by the gateway's clock. */
  readonly onDate?: (connection: GatewayConnection, gatewayMs: number) => void;
  /** Default 10 s. */
  readonly dialTimeoutMs?: number;
}

export interface GatewayCall {
  readonly connection: GatewayConnection;
  readonly method: 'GET' | 'PUT' | 'PATCH' | 'POST' | 'DELETE';
  /** Path below `/v0/management/`, with query. */
  readonly path: string;
  readonly json?: unknown;
  /** For the whole request, body included. */
  readonly timeoutMs: number;
  /** Plain reads only: when a kept connection was reset, the client silently sends the request again. Default false. */
  readonly keepAlive?: boolean;
  /** A manual request: allowed even when the key was refused before. */
  readonly explicit?: boolean;
  readonly tlsSkipVerify?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

export interface GatewayAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** Chunks of the body, still under the time limit of the request. @throws GatewayError */
  readonly chunks: AsyncIterable<Uint8Array>;
}

export interface GatewayHttp {
  /** A 2xx answer. @throws GatewayError for everything else */
  call(request: GatewayCall): Promise<GatewayAnswer>;
  /**
   * One cheap call, shared by all who wait for it, that shows whether the gateway still accepts the key (`needsCheck` of the gate). Its
   * failure is no error here; the gate has counted it.
   */
  checkKey(connection: GatewayConnection, options: { readonly tlsSkipVerify: boolean }): Promise<void>;
}

/** Requests to the management API with the saved key: gated, never redirected, never retried. */
export function createGatewayHttp(deps: GatewayHttpDeps): GatewayHttp {
  const lastHeard = new Map<string, number>();

  async function ensureReachable(request: GatewayCall): Promise<void> {
    const address = addressOf(request.connection.baseUrl);
    const heardAt = lastHeard.get(address.origin);
    if (heardAt !== undefined && Math.abs(deps.now() - heardAt) < FRESH_MS) return;
    const socket = await dial(address, {
      timeoutMs: Math.min(deps.dialTimeoutMs ?? 10_000, request.timeoutMs),
      tlsSkipVerify: request.tlsSkipVerify === true,
      ...(request.signal === undefined ? {} : { signal: request.signal }),
    });
    socket.on('error', () => {});
    socket.destroy();
  }

  let checking: Promise<void> | null = null;

  async function check(connection: GatewayConnection, tlsSkipVerify: boolean): Promise<void> {
    try {
      const answer = await call({
        connection,
        method: 'GET',
        path: CHEAP_PATH,
        timeoutMs: CHECK_TIMEOUT_MS,
        tlsSkipVerify,
      });
      await readBody(answer, ERROR_BODY_BYTES);
    } catch {
      // The requests that wait find out themselves.
    } finally {
      checking = null;
    }
  }

  async function call(request: GatewayCall): Promise<GatewayAnswer> {
    const permit = openPermit(deps.gate, request.connection, { explicit: request.explicit === true });
    const limit = timeLimit(request);
    const origin = new URL(request.connection.baseUrl).origin;
    try {
      await ensureReachable(request);
      const response = await send(request, deps.instanceId, limit.signal);
      lastHeard.set(origin, deps.now());
      if (response.ok) {
        permit.report('accepted');
        const gatewayMs = Date.parse(response.headers.get('date') ?? '');
        if (!Number.isNaN(gatewayMs)) deps.onDate?.(request.connection, gatewayMs);
        return { status: response.status, headers: response.headers, chunks: chunksOf(response, limit) };
      }
      const problem = await problemOf(response, limit, request.connection.managementKey);
      if (problem.kind === 'key_refused') permit.report('refused', problem.message);
      throw problem;
    } catch (error) {
      // A second report is ignored, so this only closes an open permit.
      permit.report('unknown');
      limit.clear();
      lastHeard.delete(origin);
      if (limit.passed()) throw timedOut();
      throw await explainFailure(addressOf(request.connection.baseUrl), transportError(error));
    }
  }

  function checkKey(connection: GatewayConnection, options: { readonly tlsSkipVerify: boolean }): Promise<void> {
    checking ??= check(connection, options.tlsSkipVerify);
    return checking;
  }

  return {
    async call(request) {
      const { connection, explicit, tlsSkipVerify } = request;
      if (explicit !== true && deps.gate.needsCheck(connection)) {
        await checkKey(connection, { tlsSkipVerify: tlsSkipVerify === true });
      }
      return call(request);
    },
    checkKey,
  };
}

function send(request: GatewayCall, instanceId: string, signal: AbortSignal): Promise<Response> {
  const { connection } = request;
  return fetch(managementUrl(connection.baseUrl, request.path), {
    method: request.method,
    headers: {
      Accept: 'application/json',
      ...NO_ENCODING,
      ...request.headers,
      Authorization: `Bearer ${connection.managementKey}`,
      [HOP_HEADER]: instanceId,
      ...(request.json === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(request.json === undefined ? {} : { body: JSON.stringify(request.json) }),
    // Following one would send the key to another host.
    redirect: 'manual',
    decompress: false,
    keepalive: request.keepAlive === true,
    signal,
    ...(request.tlsSkipVerify === true ? { tls: { rejectUnauthorized: false } } : {}),
  });
}

async function problemOf(response: Response, limit: TimeLimit, key: string): Promise<GatewayError> {
  const { status } = response;
  const text = errorTextOf((await readHead(response, limit)).replaceAll(key, '***'));
  if (status >= 300 && status < 400 && response.headers.has('location')) {
    return new GatewayError(
      'status',
      `the gateway returned ${status}, a redirect; redirects are not followed with the key, save the final URL`,
      { status },
    );
  }
  if (status === 401 || status === 403) {
    const advice = refusalAdvice(text) ?? `the gateway rejected the management key${text === '' ? '' : `: ${text}`}`;
    return new GatewayError('key_refused', `${advice} (${status})`, { status });
  }
  if (status === 404 || status === 405 || status === 501) {
    return new GatewayError('unsupported', `the gateway returned ${status}${text === '' ? '' : `: ${text}`}`, {
      status,
    });
  }
  return new GatewayError('status', `the gateway returned ${status}${text === '' ? '' : `: ${text}`}`, {
    status,
    answer: text,
  });
}

async function readHead(response: Response, limit: TimeLimit): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of chunksOf(response, limit)) {
      parts.push(chunk.slice(0, ERROR_BODY_BYTES - bytes));
      bytes += chunk.length;
      if (bytes >= ERROR_BODY_BYTES) break;
    }
  } catch {
    // The status is enough.
  }
  return new TextDecoder().decode(Buffer.concat(parts));
}

async function* chunksOf(response: Response, limit: TimeLimit): AsyncGenerator<Uint8Array> {
  try {
    yield* decodedBody(response);
  } catch (error) {
    throw limit.passed() ? timedOut() : transportError(error);
  } finally {
    limit.clear();
  }
}

interface TimeLimit {
  readonly signal: AbortSignal;
  passed(): boolean;
  clear(): void;
}

function timeLimit(request: GatewayCall): TimeLimit {
  const controller = new AbortController();
  let passed = false;
  const timer = setTimeout(() => {
    passed = true;
    controller.abort();
  }, request.timeoutMs);
  const stop = () => controller.abort();
  if (request.signal?.aborted === true) controller.abort();
  else request.signal?.addEventListener('abort', stop, { once: true });
  return {
    signal: controller.signal,
    passed: () => passed,
    clear() {
      clearTimeout(timer);
      request.signal?.removeEventListener('abort', stop);
    },
  };
}

function timedOut(): GatewayError {
  return new GatewayError('timeout', 'the gateway did not respond in time');
}

/** Reads a body to its end. @throws GatewayError when it is longer than `maxBytes` */
export async function readBody(answer: Pick<GatewayAnswer, 'chunks'>, maxBytes: number): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of answer.chunks) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new GatewayError('protocol', 'the response of the gateway is too large');
    parts.push(chunk);
  }
  return Buffer.concat(parts);
}

/** The same for a body that nobody needs: a complete answer shows that the call was accepted. */
export async function skipBody(answer: Pick<GatewayAnswer, 'chunks'>, maxBytes: number): Promise<void> {
  let bytes = 0;
  for await (const chunk of answer.chunks) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new GatewayError('protocol', 'the response of the gateway is too large');
  }
}
