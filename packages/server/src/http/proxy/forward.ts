import { AppError } from '@manager/core/contract/errors';
import { addressOf } from '../../gateway/address.ts';
import { errorTextOf, GatewayError, refusalAdvice, transportError, unreachedAnswer } from '../../gateway/errors.ts';
import { explainFailure } from '../../gateway/port-protocol.ts';
import type { OpenPermit } from '../../gateway/refusal.ts';
import type { KeyRefusalGate } from '../../gateway/types.ts';
import type { GatewayConnection } from '../../platform/config/config.ts';
import type { Dialer } from './dial.ts';
import { answerHeaders, outgoingHeaders } from './headers.ts';
import { type PluginBody, readUpTo, rewritePluginRequest } from './plugin-rewrite.ts';
import { targetUrl } from './target.ts';

/** Texts with which the gateway refuses a key or its sender; a plugin's own 401 or 403 has other texts. */
const REFUSAL_TEXT =
  /invalid management key|missing management key|IP banned|remote management (disabled|key not set)/i;
export const MAX_REFUSAL_BYTES = 64 * 1024;
/** Callers may try again once the gateway accepts the saved key again; the collector uses it every few minutes. */
const FOREIGN_RETRY_SECONDS = 60;
/**
 * The runtime sends every streamed body in chunks; an answer up to this size is sent at once, so it keeps its length.
 */
const MAX_WHOLE_BYTES = 1024 * 1024;

export interface ForwardDeps {
  readonly gate: KeyRefusalGate;
  readonly dialer: Dialer;
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
  readonly callerSentAdminKey: boolean;
  /** The two origins in plugin requests are rewritten. */
  readonly plugin: boolean;
  /** The gateway checks the caller's key, and counts its refusals under the manager's own address. */
  readonly sharesAddress: boolean;
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
  const { request, connection } = options;
  const url = new URL(targetUrl(connection.baseUrl, withSearch(request.url, options.override?.search)));
  const headers = outgoingHeaders({
    incoming: request.headers,
    savedKey: options.useSavedKey ? connection.managementKey : null,
    callerSentAdminKey: options.callerSentAdminKey,
    callerAddress: options.callerAddress,
    instanceId: deps.instanceId,
  });
  if (options.override?.identityEncoding) headers.set('accept-encoding', 'identity');
  const { body } = await outgoingBody(options, headers, url.origin);

  const permit = enterGate(deps.gate, options);
  let answer: Response;
  try {
    await deps.dialer.ensure(url, options.tlsSkipVerify);
    options.override?.onSend?.();
    answer = await fetch(url, {
      method: request.method,
      headers,
      body,
      redirect: 'manual',
      decompress: false,
      timeout: false,
      // The client silently repeats requests when a kept connection was reset, so only plain reads may use one.
      keepalive: request.method === 'GET' || request.method === 'HEAD',
      signal: request.signal,
      ...(options.tlsSkipVerify ? { tls: { rejectUnauthorized: false } } : {}),
    } as BunFetchRequestInit);
  } catch (cause) {
    permit?.report('unknown');
    throw await unreached(url, cause);
  }
  deps.dialer.heardFrom(url);
  try {
    if (answer.status === 400 && url.protocol === 'http:') answer = await refuseTlsPort(answer, url);
    return await toAnswer(answer, { permit, method: request.method, provesKey: !options.plugin });
  } finally {
    // A second report is ignored, so this only closes an open permit.
    permit?.report('unknown');
  }
}

/** The 502 for a request that did not get through, with its cause where that is known. */
export async function unreached(url: URL, cause: unknown): Promise<AppError> {
  const error = await explainFailure(addressOf(url.href), transportError(cause));
  return unreachedAnswer(error);
}

/** What TLS ports of usual servers answer to a request in plain text. */
const TLS_PORT_TEXT = /HTTP request (was sent )?to (an )?HTTPS (server|port)|plain HTTP to an SSL-enabled/i;

/** The same answer. @throws AppError when it is that of a port that expects TLS. */
async function refuseTlsPort(answer: Response, url: URL): Promise<Response> {
  if (answer.body === null) return answer;
  const { bytes, rest } = await readUpTo(answer.body, MAX_REFUSAL_BYTES).catch(brokeOff);
  if (rest === null && TLS_PORT_TEXT.test(new TextDecoder().decode(bytes)))
    throw await unreached(url, new GatewayError('status', 'bad request', { status: 400 }));
  return new Response(rest ?? bytes, answer);
}

/**
 * Permission for the request; null when neither the saved key nor our counter is affected.
 *
 * @throws AppError 502 for a refused saved key, 429 for a caller whose wrong keys would get the manager banned.
 */
export function enterGate(
  gate: KeyRefusalGate,
  options: Pick<ForwardOptions, 'connection' | 'useSavedKey' | 'sharesAddress'>,
): OpenPermit | null {
  if (options.useSavedKey) {
    const permit = gate.enter(options.connection);
    if (permit.open) return permit;
    throw new AppError('gateway_refuses_manager', {
      message:
        permit.refused.reason === 'key_rejected'
          ? `the gateway rejected the saved management key: ${permit.detail}`
          : `the gateway refuses the manager: ${permit.detail}`,
    });
  }
  if (!options.sharesAddress) return null;
  const permit = gate.enterForeign();
  if (permit.open) return permit;
  throw new AppError('too_many_refused_keys', {
    headers: { 'Retry-After': String(FOREIGN_RETRY_SECONDS) },
  });
}

/** Target of a WebSocket handshake; the same rules as `forward`. */
export function webSocketTarget(options: ForwardOptions, instanceId: string): { url: string; headers: Headers } {
  const url = targetUrl(options.connection.baseUrl, options.request.url).replace(/^http/, 'ws');
  const headers = outgoingHeaders({
    incoming: options.request.headers,
    savedKey: options.useSavedKey ? options.connection.managementKey : null,
    callerSentAdminKey: options.callerSentAdminKey,
    callerAddress: options.callerAddress,
    instanceId,
  });
  for (const name of [...headers.keys()]) if (name.startsWith('sec-websocket-')) headers.delete(name);
  return { url, headers };
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
      message: `the gateway returned the status ${answer.status}, which cannot be passed on`,
    });
  }
  const headers = answerHeaders(answer.headers);
  const init = { status: answer.status, statusText: answer.statusText, headers };
  if (permit && answer.body !== null && (answer.status === 401 || answer.status === 403)) {
    const { bytes, rest } = await readUpTo(answer.body, MAX_REFUSAL_BYTES).catch(brokeOff);
    const text = rest ? '' : new TextDecoder().decode(bytes);
    permit.report(REFUSAL_TEXT.test(text) ? 'refused' : 'unknown', refusalAdvice(errorTextOf(text)) ?? '');
    return new Response(rest ?? bytes, init);
  }
  permit?.report(provesKey && answer.ok ? 'accepted' : 'unknown');
  if (method === 'HEAD') return new Response(null, init);
  return new Response(isSmall(answer) ? await readWhole(answer) : answer.body, init);
}

function isSmall(answer: Response): boolean {
  const length = Number(answer.headers.get('content-length') ?? Number.NaN);
  return answer.body !== null && length <= MAX_WHOLE_BYTES;
}

function readWhole(answer: Response): Promise<ArrayBuffer> {
  return answer.arrayBuffer().catch(brokeOff);
}

function brokeOff(cause: unknown): never {
  throw new AppError('gateway_answer_cut_off', { cause });
}
