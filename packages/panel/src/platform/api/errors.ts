/** Why a request failed, in the classes the panel explains differently. */
export type FailureKind = 'network' | 'timeout' | 'aborted' | 'status' | 'shape';

/** Who answered instead of the manager, such as a reverse proxy. */
export interface Hop {
  /** Its `Server` header, such as `nginx/1.22.1`; '' when it sends none. */
  readonly server: string;
  /** Title of its page, such as `413 Request Entity Too Large`; '' when it has none. */
  readonly title: string;
}

/**
 * Whose answer it was: of the server that serves the panel, of the gateway to this person's key, or of the gateway to the key that
 * the manager uses.
 */
export type AnswerOrigin = 'server' | 'gateway' | 'forwarded';

export class ApiError extends Error {
  readonly kind: FailureKind;
  /** 0 without an answer. */
  readonly status: number;
  /** Code of the answer, or the one its status implies; '' when none. */
  readonly code: string;
  readonly path: string;
  readonly origin: AnswerOrigin;
  readonly atMs: number;
  readonly retryAfterSeconds: number | null;
  /** Set when the answer was not the manager's. */
  readonly hop: Hop | null;
  /** Members of the answer beside text and code, such as `reason`. */
  readonly about: Readonly<Record<string, unknown>>;

  constructor(
    kind: FailureKind,
    message: string,
    details: {
      readonly path: string;
      readonly atMs: number;
      readonly status?: number;
      readonly code?: string;
      readonly origin?: AnswerOrigin;
      readonly retryAfterSeconds?: number | null;
      readonly hop?: Hop | null;
      readonly about?: Readonly<Record<string, unknown>>;
    },
  ) {
    super(message);
    this.name = 'ApiError';
    this.kind = kind;
    this.status = details.status ?? 0;
    this.code = details.code ?? '';
    this.path = details.path;
    this.origin = details.origin ?? 'server';
    this.atMs = details.atMs;
    this.retryAfterSeconds = details.retryAfterSeconds ?? null;
    this.hop = details.hop ?? null;
    this.about = details.about ?? {};
  }
}

/** No answer of the server that was asked arrived, so a change may have been made: it, or one in between, broke off. */
export function isLostAnswer(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return error.kind !== 'status' || error.status === 502 || error.status === 504;
}

/** Nobody answered in time, so a change may still be carried out. */
export function mayComeLater(error: unknown): boolean {
  return error instanceof ApiError && (error.kind === 'timeout' || error.status === 504);
}

/** Codes for a status, when an older server sends none. */
const STATUS_CODES: Readonly<Record<number, string>> = {
  401: 'invalid_admin_key',
  405: 'method_not_allowed',
  412: 'usage_service_not_configured',
};

const MAX_TEXT = 500;

interface ErrorAnswer {
  readonly message: string;
  readonly code: string;
  readonly about?: Readonly<Record<string, unknown>>;
}

/** Text and code of an error answer: `{error, code}`, `{error: {message}}`, other JSON, HTML or plain text. */
export function readErrorBody(status: number, text: string): ErrorAnswer {
  const fallback = STATUS_CODES[status] ?? '';
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === 'object' && body !== null) {
      const error = 'error' in body ? body.error : undefined;
      const code = 'code' in body && typeof body.code === 'string' ? body.code : fallback;
      if (typeof error === 'string') {
        const { error: _error, code: _code, ...about }: Record<string, unknown> = { ...body };
        return { message: error.slice(0, MAX_TEXT), code, ...(Object.keys(about).length === 0 ? {} : { about }) };
      }
      if (typeof error === 'object' && error !== null && 'message' in error && typeof error.message === 'string') {
        return { message: error.message.slice(0, MAX_TEXT), code };
      }
      return { message: text.slice(0, MAX_TEXT), code };
    }
  } catch {
    // Not JSON: a proxy in between answers in HTML or text.
  }
  const title = readTitle(text);
  const message = title ?? (text.trimStart().startsWith('<') ? '' : text);
  return { message: message.trim().slice(0, MAX_TEXT), code: fallback };
}

function readTitle(html: string): string | undefined {
  return /<title[^>]*>([^<]*)<\/title>/i.exec(html)?.[1]?.trim();
}

/** Every answer of the manager is JSON, and its errors have an `error`; null for those. */
export function readHop(headers: Headers, text: string): Hop | null {
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === 'object' && body !== null && 'error' in body) return null;
  } catch {
    // The manager never writes this.
  }
  const server = headers.get('server')?.trim() ?? '';
  return { server: server.slice(0, MAX_TEXT), title: (readTitle(text) ?? '').slice(0, MAX_TEXT) };
}

/** `Retry-After` in seconds, from a number or a date. */
export function readRetryAfter(value: string | null, nowMs: number): number | null {
  if (value === null || value.trim() === '') return null;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return Math.max(0, seconds);
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, Math.round((date - nowMs) / 1000));
}
