import type { Session } from '../session/identity.ts';
import { type AnswerOrigin, ApiError, readErrorBody, readHop, readRetryAfter } from './errors.ts';

/** Default time limit of an answer, ms. */
const REQUEST_TIMEOUT_MS = 30_000;
/** A GET that met a network error is retried once after this time, ms. */
const RETRY_AFTER_MS = 1_000;

/** Paths that the manager answers itself; it forwards the others to the gateway. */
const OWN_PATHS =
  /^\/?(status|setup|usage-service|v0\/management\/(account-action-candidates|account-inspection|api-key-aliases|codex-inspection|dashboard|model-prices|monitoring|quota-snapshots|usage))(?![\w-])/;

export const isManagersOwn = (path: string): boolean => OWN_PATHS.test(path);

const originOf = (path: string, withSavedKey: boolean): AnswerOrigin =>
  isManagersOwn(path) ? 'server' : withSavedKey ? 'forwarded' : 'gateway';

export interface CallOptions {
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** A blob and a form are sent unchanged, everything else as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number;
  /** Key of this request; absent = the session's, null = none. */
  readonly key?: string | null;
  /** Target; absent = the session's server. */
  readonly base?: string;
  /** Sign-in and setup handle a 401 themselves. */
  readonly keepSessionOn401?: boolean;
}

export interface Answer<T> {
  readonly data: T;
  readonly headers: Headers;
}

export interface Client {
  readonly call: <T>(path: string, options?: CallOptions) => Promise<T>;
  readonly callWithHeaders: <T>(path: string, options?: CallOptions) => Promise<Answer<T>>;
  /** An answer with an unread body: `timeoutMs` covers the head only. */
  readonly open: (path: string, options?: CallOptions) => Promise<Response>;
  /** Address of the page without its file name, ends in `/`. */
  readonly page: string;
  /** Whether the manager answers, which checks changes before it forwards them. */
  readonly managed: () => boolean;
  /** Server time in ms, corrected by the `Date` of the last answer: ranges that end now must not hide the newest rows. */
  readonly now: () => number;
  /** Server minus browser clock, ms. */
  readonly skewMs: () => number;
}

export interface ClientOptions {
  /** Address of the page without its file name, ends in `/`. */
  readonly page: string;
  readonly fetch: (input: URL, init: RequestInit) => Promise<Response>;
  readonly session: () => Session | null;
  /** A 401 in the present session. `path` decides whether it has to be confirmed first. */
  readonly onUnauthorized: (session: Session, path: string) => void;
  readonly onNotConfigured: () => void;
  readonly clock: () => number;
  readonly wait: (ms: number) => Promise<void>;
}

export function createClient(options: ClientOptions): Client {
  let skew = 0;

  function noteClock(headers: Headers, startedMs: number, endedMs: number): void {
    const serverMs = Date.parse(headers.get('date') ?? '');
    if (Number.isNaN(serverMs)) return;
    // The header has whole seconds, so smaller differences are ignored.
    const difference = serverMs + 500 - (startedMs + endedMs) / 2;
    skew = Math.abs(difference) > 2_000 ? difference : 0;
  }

  /** The time limit ends with `read`; a stream read later has none. */
  async function attempt<T>(path: string, call: CallOptions, read: (response: Response) => Promise<T>): Promise<T> {
    const startedMs = options.clock();
    const session = options.session();
    const key = call.key === undefined ? (session?.key ?? null) : call.key;
    const base = call.base ?? session?.base ?? options.page;
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(), call.timeoutMs ?? REQUEST_TIMEOUT_MS);
    const signal = call.signal === undefined ? timeout.signal : AbortSignal.any([timeout.signal, call.signal]);
    const headers: Record<string, string> = { Accept: 'application/json', ...call.headers };
    if (key !== null) headers.Authorization = `Bearer ${key}`;
    // The browser names the type of a form, with the boundary of its parts.
    if (call.body !== undefined && !(call.body instanceof FormData)) headers['Content-Type'] = contentType(call.body);
    try {
      const response = await options.fetch(new URL(path.replace(/^\//, ''), base), {
        method: call.method ?? 'GET',
        headers,
        signal,
        credentials: 'omit',
        cache: 'no-store',
        // No route redirects. A gateway behind the manager could lead the request, with its key, to another one.
        redirect: 'error',
        ...(call.body === undefined ? {} : { body: sentBody(call.body) }),
      });
      noteClock(response.headers, startedMs, options.clock());
      if (!response.ok) {
        const origin = originOf(path, session?.mode === 'manager' && call.key === undefined);
        throw statusError(path, origin, response, await response.text());
      }
      return await read(response);
    } catch (error) {
      if (error instanceof ApiError) {
        judge(error, key, base, call);
        throw error;
      }
      const atMs = options.clock();
      if (call.signal?.aborted) throw new ApiError('aborted', 'aborted', { path, atMs });
      if (timeout.signal.aborted) throw new ApiError('timeout', 'timeout', { path, atMs });
      throw new ApiError('network', error instanceof Error ? error.message : 'network error', { path, atMs });
    } finally {
      clearTimeout(timer);
    }
  }

  function statusError(path: string, origin: AnswerOrigin, response: Response, text: string): ApiError {
    const body = readErrorBody(response.status, text);
    return new ApiError('status', body.message, {
      path,
      atMs: options.clock(),
      status: response.status,
      code: body.code,
      origin,
      retryAfterSeconds: readRetryAfter(response.headers.get('retry-after'), options.clock()),
      hop: readHop(response.headers, text),
      ...(body.about === undefined ? {} : { about: body.about }),
    });
  }

  /** Types of answers come from the contract that the server is built from, so a parsed object is trusted. */
  async function parse<T>(path: string, response: Response): Promise<Answer<T>> {
    const { status, headers } = response;
    const text = await response.text();
    try {
      return { data: JSON.parse(text) as T, headers };
    } catch {
      const hop = readHop(headers, text);
      throw new ApiError('shape', 'the response is not JSON', { path, atMs: options.clock(), status, hop });
    }
  }

  /** An answer to an earlier session does not concern the present one. */
  function judge(error: ApiError, key: string | null, base: string, call: CallOptions): void {
    const session = options.session();
    if (call.keepSessionOn401 === true || session === null || key !== session.key || base !== session.base) return;
    if (error.status === 401) options.onUnauthorized(session, error.path);
    else if (error.code === 'usage_service_not_configured') options.onNotConfigured();
  }

  async function tryTwice<T>(path: string, call: CallOptions, read: (response: Response) => Promise<T>): Promise<T> {
    try {
      return await attempt<T>(path, call, read);
    } catch (error) {
      const retry = error instanceof ApiError && error.kind === 'network' && (call.method ?? 'GET') === 'GET';
      if (!retry) throw error;
      await options.wait(RETRY_AFTER_MS);
      return attempt<T>(path, call, read);
    }
  }

  function callWithHeaders<T>(path: string, call: CallOptions = {}): Promise<Answer<T>> {
    return tryTwice(path, call, (response) => parse<T>(path, response));
  }

  return {
    callWithHeaders,
    call: async <T>(path: string, call?: CallOptions) => (await callWithHeaders<T>(path, call)).data,
    open: (path, call = {}) => tryTwice(path, call, async (response) => response),
    page: options.page,
    managed: () => options.session()?.mode === 'manager',
    now: () => options.clock() + skew,
    skewMs: () => skew,
  };
}

function sentBody(body: unknown): Blob | FormData | string {
  return body instanceof Blob || body instanceof FormData ? body : JSON.stringify(body);
}

function contentType(body: unknown): string {
  return body instanceof Blob ? 'application/octet-stream' : 'application/json';
}
