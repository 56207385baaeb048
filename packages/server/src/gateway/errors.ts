import { AppError, ERRORS, type ErrorCode } from '@manager/core/contract/errors';
import type { KeyRefusalReason } from '@manager/core/contract/system/status';
import { shownText } from '@manager/core/redaction/values';
import { alertOf, type TlsFailureKind, tlsFailureOf } from './tls-failure.ts';
import type { KeyRefused } from './types.ts';

export type GatewayErrorKind =
  /** No answer at this address: refused, unknown host, no route. */
  | 'unreachable'
  /** The connection attempt got no answer. */
  | 'dial_timeout'
  | TlsFailureKind
  /** TLS where the URL says plain text. */
  | 'speaks_tls'
  /** Plain text where the URL says TLS. */
  | 'speaks_plain'
  /** Wrong key, ban, remote management disabled, no key configured. */
  | 'key_refused'
  /** The refusal gate is closed: nothing was sent. */
  | 'gate_shut'
  /** This gateway version, or a proxy before it, does not support the endpoint. */
  | 'unsupported'
  | 'status'
  | 'timeout'
  /** The connection ended before there was anything to send on. */
  | 'dial_closed'
  | 'closed'
  /** An answer came and is no HTTP, or breaks its rules. */
  | 'not_http'
  /** The content of the answer is invalid. */
  | 'protocol';

/** A failed request to the gateway. The message says what to do and contains neither key nor URL. */
export class GatewayError extends Error {
  readonly kind: GatewayErrorKind;
  /** HTTP status, 0 = none. */
  readonly status: number;
  readonly refused: KeyRefused | null;
  /** The gateway's own text, '' = none. */
  readonly answer: string;

  constructor(
    kind: GatewayErrorKind,
    message: string,
    options: {
      readonly status?: number;
      readonly refused?: KeyRefused;
      readonly answer?: string;
      readonly cause?: unknown;
    } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'UpstreamError';
    this.kind = kind;
    this.status = options.status ?? 0;
    this.refused = options.refused ?? null;
    this.answer = options.answer ?? '';
  }

  /** True when the request was never sent: the gateway cannot have executed it. */
  get unsent(): boolean {
    return UNSENT.has(this.kind);
  }

  /** True when no transport gets through to the gateway. */
  get down(): boolean {
    return DOWN.has(this.kind);
  }
}

/** No connection was made, so nothing was sent. */
const UNCONNECTED = [
  'unreachable',
  'dial_timeout',
  'certificate_untrusted',
  'certificate_other_host',
  'certificate_expired',
  'tls_refused',
  'tls_silent',
  'speaks_tls',
  'speaks_plain',
] as const satisfies readonly GatewayErrorKind[];
const DOWN: ReadonlySet<GatewayErrorKind> = new Set([...UNCONNECTED, 'tls_broken']);
const UNSENT: ReadonlySet<GatewayErrorKind> = new Set([...UNCONNECTED, 'dial_closed', 'gate_shut']);

/** What a refusal is about, by the gateway's text or the advice for it. */
export function refusalReason(text: string): KeyRefusalReason {
  if (/IP banned/i.test(text)) return 'address_banned';
  if (/remote management disabled/i.test(text)) return 'remote_disabled';
  if (/remote management key not set/i.test(text)) return 'key_not_set';
  return 'key_rejected';
}

/**
 * How long a ban lasts from the moment of the gateway's text, ms; null = the text names no time.
 *
 * @example banMs('IP banned due to too many failed attempts. Try again in 29m58s') // 1_798_000
 */
export function banMs(text: string): number | null {
  const found = /IP banned.*?Try again in (?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?/i.exec(text);
  if (found === null) return null;
  const [hours, minutes, seconds] = found.slice(1).map((part) => Number(part ?? 0));
  const ms = (((hours ?? 0) * 60 + (minutes ?? 0)) * 60 + (seconds ?? 0)) * 1000;
  return ms > 0 ? ms : null;
}

/** Message for a refused key, a ban or disabled management, with its fix; null for any other text. */
export function refusalAdvice(text: string): string | null {
  if (/IP banned/i.test(text)) {
    return `${clean(text)}: too many attempts with a wrong key from this address; wait until the ban ends, then save the right key`;
  }
  if (/remote management disabled/i.test(text)) {
    return 'remote management disabled: set remote-management.allow-remote to true in the gateway configuration';
  }
  if (/remote management key not set/i.test(text)) {
    return 'remote management key not set: set remote-management.secret-key in the gateway configuration';
  }
  if (/missing management key/i.test(text)) {
    return 'missing management key: the key did not arrive; a proxy in front of the gateway may remove the Authorization header';
  }
  if (/invalid management key/i.test(text)) {
    return 'invalid management key: save the current management key of the gateway';
  }
  if (/NOAUTH/i.test(text)) return 'the gateway asks for its management key again; save the right one';
  return null;
}

/** Message for a 404 of the whole management API, with its usual causes. */
export const MANAGEMENT_OFF =
  'the gateway has no management API at this URL (404). Usual causes: no management key is set at the gateway (remote-management.secret-key); ' +
  'it still has the example client keys of its template (api-keys); or the URL is not the address of the gateway itself: ' +
  'it ends in /management.html (which is cut off when it is saved), leads to a proxy or to a cluster node';

/** Error texts of the gateway, for one line of a log or a status. */
export function clean(text: string): string {
  const line = text
    .replace(/^ERR /, '')
    .replace(/[\s\p{C}]+/gu, ' ')
    .trim();
  return line.length > 300 ? `${line.slice(0, 300)}…` : line;
}

/**
 * Text of an error body: the member `error` of a JSON object, else the start of the text. It is logged, stored and shown, and
 * gateways repeat texts of providers, so secrets and addresses are replaced.
 */
export function errorTextOf(body: string): string {
  try {
    const value: unknown = JSON.parse(body);
    if (typeof value === 'object' && value !== null && 'error' in value && typeof value.error === 'string') {
      return clean(shownText(value.error));
    }
  } catch {
    // Not JSON: proxies answer with their own pages.
  }
  return clean(shownText(body.replace(/<[^>]*>/g, ' ')));
}

/** The answer to a TLS greeting was no TLS. */
const PLAIN_CODES = /WRONG_VERSION_NUMBER|ERR_SSL_HTTPS?_(PROXY_)?REQUEST/;
/** Codes of the HTTP client for an answer that it cannot read. */
const NOT_HTTP_CODES =
  /^(Malformed_HTTP_Response|Invalid(HTTPResponse|ContentLength)|ResponseHeadersTooLarge|UnrequestedUpgrade|UnexpectedData|UnsupportedTransferEncoding|HTTP2\w+)$/;
/** Of zlib, Brotli and Zstandard. */
const DECOMPRESSION_CODES = /^(Z_[A-Z]+_ERROR|ERR__ERROR_\w+|ZSTD_error_\w+)$/;
const UNREACHABLE_CODES =
  /ConnectionRefused|FailedToOpenSocket|ECONNREFUSED|ENOTFOUND|EAI_|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|EHOSTDOWN|EINVAL|DNSException|ENETDOWN/;

/**
 * Converts an error of a socket or `fetch` to one of ours; the system's texts contain addresses, so they are not repeated.
 */
export function transportError(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (PLAIN_CODES.test(code)) {
    return new GatewayError('speaks_plain', ERRORS.gateway_speaks_plain_text.message, { cause: error });
  }
  const tls = tlsFailureOf(code);
  if (tls !== null) return new GatewayError(tls, tlsMessage(tls, code), { cause: error });
  if (UNREACHABLE_CODES.test(code)) {
    return new GatewayError('unreachable', `the gateway cannot be reached (${code})`, { cause: error });
  }
  if (NOT_HTTP_CODES.test(code)) {
    return new GatewayError('not_http', `${ERRORS.gateway_answer_not_http.message} (${code})`, { cause: error });
  }
  if (DECOMPRESSION_CODES.test(code)) {
    return new GatewayError('protocol', `the response of the gateway cannot be decompressed (${code})`, {
      cause: error,
    });
  }
  if (error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError')) {
    return new GatewayError('timeout', 'the gateway did not respond in time', { cause: error });
  }
  const why = code === '' ? '' : ` (${code})`;
  return new GatewayError('closed', `the connection ended before the response was complete${why}`, { cause: error });
}

function tlsMessage(kind: TlsFailureKind, code: string): string {
  const { message } = ERRORS[TLS_ANSWERS[kind]];
  const alert = alertOf(code);
  return `${message} (${alert === '' ? code : `alert: ${alert}`})`;
}

const TLS_ANSWERS = {
  certificate_untrusted: 'gateway_certificate_untrusted',
  certificate_other_host: 'gateway_certificate_other_host',
  certificate_expired: 'gateway_certificate_expired',
  tls_refused: 'gateway_tls_failed',
  tls_silent: 'gateway_tls_failed',
  tls_broken: 'gateway_tls_failed',
} as const satisfies Record<TlsFailureKind, ErrorCode>;

const ANSWERS: Readonly<Partial<Record<GatewayErrorKind, ErrorCode>>> = {
  ...TLS_ANSWERS,
  speaks_tls: 'gateway_speaks_tls',
  speaks_plain: 'gateway_speaks_plain_text',
  not_http: 'gateway_answer_not_http',
};

/** The answer to a caller whose request got no usable answer of the gateway. */
export function failedAnswer(error: GatewayError, message = error.message): AppError {
  const code = ANSWERS[error.kind] ?? (error.unsent ? 'gateway_unreachable' : 'gateway_answer_cut_off');
  return new AppError(code, { message, cause: error });
}
