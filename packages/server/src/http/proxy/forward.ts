import { AppError } from '@manager/core/contract/errors';
import { addressOf } from '../../gateway/address.ts';
import type { CallerKeys } from '../../gateway/caller-keys.ts';
import { errorTextOf, failedAnswer, GatewayError, refusalAdvice, transportError } from '../../gateway/errors.ts';
import type { ForeignPermit } from '../../gateway/foreign-keys.ts';
import type { GatewayHttp } from '../../gateway/http-call.ts';
import { explainFailure } from '../../gateway/port-protocol.ts';
import type { OpenPermit } from '../../gateway/refusal.ts';
import type { KeyRefusalGate, KeyRefused } from '../../gateway/types.ts';
import type { GatewayConnection } from '../../platform/config/config.ts';
import { answerCutOff, unknownOutcome } from '../outcome.ts';
import type { Dialer } from './dial.ts';
import { answerHeaders, outgoingHeaders } from './headers.ts';
import { type PluginBody, readUpTo, rewritePluginRequest } from './plugin-rewrite.ts';
import { targetUrl, withoutParameters } from './target.ts';
import { sendWatched } from './watched.ts';

/** Texts with which the gateway refuses a key or its sender; a plugin's own 401 or 403 has other texts. */
const REFUSAL_TEXT =
  /invalid management key|missing management key|IP banned|remote management (disabled|key not set)/i;
const SHARED_CACHE = /\b(?:public|s-maxage|must-revalidate)\b/i;
export const MAX_REFUSAL_BYTES = 64 * 1024;
/** An answer up to this size is read before anything is sent, so that one that breaks off is an answer of its own. */
const MAX_WHOLE_BYTES = 1024 * 1024;

export interface ForwardDeps {
  readonly gate: KeyRefusalGate;
  readonly callerKeys: CallerKeys;
  readonly dialer: Dialer;
  readonly checkKey: GatewayHttp['checkKey'];
  readonly instanceId: string;
}

export interface ForwardOptions {
  readonly request: Request;
  readonly connection: GatewayConnection;
  readonly tlsSkipVerify: boolean;
  /** The caller's address for the gateway; null = the manager's own, which the gateway sees anyway. */
  readonly callerAddress: string | null;
  /** True = the request has the admin key and the saved key is used; false = the caller's own Authorization passes. */
  readonly useSavedKey: boolean;
  /** Whether a text contains the admin key; for this request only, because its work is bounded. */
  readonly hasAdminKey: (text: string) => boolean;
  /** The two origins in plugin requests are rewritten. */
  readonly plugin: boolean;
  /** Set = the gateway counts the request when it refuses the caller's own key. `open` = it should check no key. */
  readonly checksKey: 'checked' | 'open' | null;
  /** Replaces the request body and, if given, the query (auth-file requests are rewritten to a resolved target). */
  readonly override?: {
    readonly body?: Uint8Array<ArrayBuffer>;
    readonly search?: string;
    readonly identityEncoding?: boolean;
    /** Called when the gateway may receive the request from now on. */
    readonly onSend?: () => void;
  };
}

/**
 * Forwards a request to the gateway and returns its answer as it arrives: status, headers and bytes unchanged, nothing
 * decompressed, buffered, followed or retried. The caller's disconnect cancels the forwarded request.
 *
 * @throws AppError 502 when the gateway cannot be reached or the saved key is known to be refused.
 */
export async function forward(deps: ForwardDeps, options: ForwardOptions): Promise<Response> {
  const { request } = options;
  const target = targetOf(options, deps.instanceId, options.override?.search);
  const url = new URL(target.url);
  const { headers } = target;
  if (options.override?.identityEncoding) headers.set('accept-encoding', 'identity');
  const { body } = await outgoingBody(options, headers, url.origin);

  const { saved, foreign } = await enterGate(deps, options, url, headers);
  const send = (signal: AbortSignal) =>
    fetch(url, {
      method: request.method,
      headers,
      body,
      redirect: 'manual',
      decompress: false,
      timeout: false,
      // The client silently repeats requests when a kept connection was reset, so only plain reads may use one, and none that the
      // gateway may refuse and count twice.
      keepalive: foreign === null && (request.method === 'GET' || request.method === 'HEAD'),
      signal,
      ...(options.tlsSkipVerify ? { tls: { rejectUnauthorized: false } } : {}),
    } as BunFetchRequestInit);
  let answer: Response;
  try {
    await reach(deps, url, options.tlsSkipVerify);
    options.override?.onSend?.();
    answer = foreign === null ? await send(request.signal) : await sendWatched(foreign, request.signal, send);
  } catch (cause) {
    saved?.report('unknown');
    foreign?.unsent();
    throw cause instanceof AppError ? cause : await unanswered(url, cause, request.method);
  }
  deps.dialer.heardFrom(url);
  try {
    if (answer.status === 400 && url.protocol === 'http:') answer = await refuseTlsPort(answer, url, request.method);
    return await toAnswer(answer, { permit: saved, method: request.method, provesKey: !options.plugin });
  } finally {
    // A second report is ignored, so this only closes an open permit.
    saved?.report('unknown');
  }
}

/** The 502 for a request without a usable answer, with its cause where that is known. */
export async function unanswered(url: URL, cause: unknown, method: string): Promise<AppError> {
  const error = await explainFailure(addressOf(url.href), transportError(cause));
  return failedAnswer(error, error.unsent ? error.message : unknownOutcome(error.message, method));
}

/** What TLS ports of usual servers answer to a request in plain text. */
const TLS_PORT_TEXT = /HTTP request (was sent )?to (an )?HTTPS (server|port)|plain HTTP to an SSL-enabled/i;

/** The same answer. @throws AppError when it is that of a port that expects TLS. */
async function refuseTlsPort(answer: Response, url: URL, method: string): Promise<Response> {
  if (answer.body === null) return answer;
  const { bytes, rest } = await readUpTo(answer.body, MAX_REFUSAL_BYTES).catch(cutOff(method));
  if (rest === null && TLS_PORT_TEXT.test(new TextDecoder().decode(bytes))) {
    const refused = new GatewayError('status', 'the gateway returned 400', { status: 400 });
    const error = await explainFailure(addressOf(url.href), refused);
    if (error !== refused) throw failedAnswer(error);
  }
  return new Response(rest ?? bytes, answer);
}

/** @throws AppError 502 when the gateway cannot be reached. */
export function reach(deps: Pick<ForwardDeps, 'dialer'>, url: URL, tlsSkipVerify: boolean): Promise<void> {
  return deps.dialer.ensure(url, tlsSkipVerify).catch(async (cause: unknown) => {
    throw await unanswered(url, cause, 'GET');
  });
}

export interface Permits {
  /** Set when the saved key is used. */
  readonly saved: OpenPermit | null;
  /** Set when the caller's key may be refused on our account. */
  readonly foreign: ForeignPermit | null;
}

/**
 * Permission for a request with its outgoing headers.
 *
 * @throws AppError 502 for a refused saved key, 429 for a caller whose wrong key would get the manager banned.
 */
export async function enterGate(
  deps: Omit<ForwardDeps, 'instanceId'>,
  options: Pick<
    ForwardOptions,
    'request' | 'connection' | 'tlsSkipVerify' | 'useSavedKey' | 'checksKey' | 'callerAddress'
  >,
  url: URL,
  headers: Headers,
): Promise<Permits> {
  if (options.useSavedKey) {
    if (deps.gate.needsCheck(options.connection)) await deps.checkKey(options.connection, options);
    const permit = deps.gate.enter(options.connection);
    if (permit.open) return { saved: permit, foreign: null };
    throw new AppError('gateway_refuses_manager', { message: `${refusalHead(permit.refused)}: ${permit.detail}` });
  }
  if (options.checksKey === null) return { saved: null, foreign: null };
  // Before the permit: a dial that hangs must not keep others waiting.
  await reach(deps, url, options.tlsSkipVerify);
  const foreign = await deps.callerKeys.enter(
    {
      address: options.callerAddress,
      baseUrl: options.connection.baseUrl,
      authorization: headers.get('authorization') ?? '',
      managementKey: headers.get('x-management-key') ?? '',
      openPath: options.checksKey === 'open',
    },
    options.request.signal,
  );
  if (!('retryAfterSeconds' in foreign)) return { saved: null, foreign };
  throw new AppError('too_many_refused_keys', { headers: { 'Retry-After': String(foreign.retryAfterSeconds) } });
}

function refusalHead({ reason, tries }: KeyRefused): string {
  if (tries === 0) return 'the request was not sent';
  return reason === 'key_rejected'
    ? 'the gateway rejected the saved management key'
    : 'the gateway refuses the manager';
}

/** URL and headers of a request at the gateway, without anything that contains the admin key. */
function targetOf(options: ForwardOptions, instanceId: string, search?: string): { url: string; headers: Headers } {
  const { hasAdminKey } = options;
  const headers = outgoingHeaders({
    incoming: options.request.headers,
    savedKey: options.useSavedKey ? options.connection.managementKey : null,
    hasAdminKey,
    callerAddress: options.callerAddress,
    instanceId,
  });
  const requestUrl = withSearch(options.request.url, search);
  const url = targetUrl(options.connection.baseUrl, requestUrl, (query) => withoutParameters(query, hasAdminKey));
  return { url, headers };
}

/** Target of a WebSocket handshake; the same rules as `forward`. */
export function webSocketTarget(options: ForwardOptions, instanceId: string): { url: string; headers: Headers } {
  const { url, headers } = targetOf(options, instanceId);
  return { url: url.replace(/^http/, 'ws'), headers };
}

async function outgoingBody(options: ForwardOptions, headers: Headers, origin: string): Promise<PluginBody> {
  const { request, override } = options;
  if (request.method === 'GET' || request.method === 'HEAD') {
    headers.delete('content-length');
    return { body: null };
  }
  if (override?.body) {
    headers.set('content-length', String(override.body.byteLength));
    return { body: override.body };
  }
  return options.plugin ? rewritePluginRequest(request, headers, origin) : { body: request.body };
}

function withSearch(url: string, search: string | undefined): string {
  if (search === undefined) return url;
  const mark = url.indexOf('?');
  return `${mark < 0 ? url : url.slice(0, mark)}${search === '' ? '' : `?${search}`}`;
}

interface AnswerOptions {
  readonly permit: OpenPermit | null;
  readonly method: string;
  /** Whether a 2xx answer proves that the key was checked: a plugin's page may be open to all. */
  readonly provesKey: boolean;
}

async function toAnswer(answer: Response, { permit, method, provesKey }: AnswerOptions): Promise<Response> {
  if (answer.status < 200 || answer.status > 599) {
    await answer.body?.cancel();
    throw new AppError('gateway_answer_unusable', {
      message: unknownOutcome(`the gateway returned the status ${answer.status}, which cannot be passed on`, method),
    });
  }
  const headers = answerHeaders(answer.headers);
  // Else a cache in front may keep what the saved key may read for everybody.
  if (permit && SHARED_CACHE.test(headers.get('cache-control') ?? '')) headers.set('Cache-Control', 'no-store');
  const init = { status: answer.status, statusText: answer.statusText, headers };
  if (permit && (answer.status === 401 || answer.status === 403)) {
    // A plugin may have a 401 of its own; everywhere else the gateway has counted it, whatever the body says.
    const isCounted = provesKey && answer.status === 401;
    const { bytes, rest } = await readUpTo(answer.body ?? new Blob().stream(), MAX_REFUSAL_BYTES).catch((cause) => {
      permit.report(isCounted ? 'refused' : 'unknown');
      throw answerCutOff(method, cause);
    });
    const text = rest ? '' : new TextDecoder().decode(bytes);
    const isRefused = isCounted || REFUSAL_TEXT.test(text);
    permit.report(isRefused ? 'refused' : 'unknown', refusalAdvice(errorTextOf(text)) ?? '');
    return new Response(method === 'HEAD' ? null : (rest ?? bytes), init);
  }
  permit?.report(provesKey && answer.ok ? 'accepted' : 'unknown');
  if (method === 'HEAD') return new Response(null, init);
  return new Response(isSmall(answer) ? await answer.arrayBuffer().catch(cutOff(method)) : answer.body, init);
}

function isSmall(answer: Response): boolean {
  const length = Number(answer.headers.get('content-length') ?? Number.NaN);
  return answer.body !== null && length <= MAX_WHOLE_BYTES;
}

/** For reading the body of an answer. @throws AppError 502 */
function cutOff(method: string): (cause: unknown) => never {
  return (cause) => {
    throw answerCutOff(method, cause);
  };
}
