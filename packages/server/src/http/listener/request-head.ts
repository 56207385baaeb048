/** Framing of a request body (RFC 9112 §6). */
export type Framing = { readonly kind: 'length'; readonly bytes: number } | { readonly kind: 'chunked' };

export interface RequestHead {
  readonly method: string;
  /** Absolute; `.` and `..` are not resolved yet. */
  readonly url: string;
  readonly headers: Headers;
  readonly framing: Framing;
  /** HTTP/1.0: no chunks in the answer, and the connection ends with it. */
  readonly isHttp10: boolean;
  readonly keepAlive: boolean;
  readonly expectsContinue: boolean;
}

/** A head that must not be interpreted: somebody in front of us may read it differently. */
export class HeadError extends Error {
  override readonly name = 'HeadError';
  constructor(
    readonly status: 400 | 431 | 501 | 505,
    message: string,
  ) {
    super(message);
  }
}

const MAX_FIELDS = 1000;
const METHOD = /^[A-Z]{3,20}$/;
/** Others would become a GET in the runtime's `Request`. */
const METHODS: ReadonlySet<string> = new Set([
  ...['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT'],
  ...['PROPFIND', 'PROPPATCH', 'MKCOL', 'COPY', 'MOVE', 'LOCK', 'UNLOCK', 'SEARCH', 'PURGE', 'REPORT', 'SOURCE'],
]);
const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const NOT_IN_VALUE = /[\u0000-\u0008\u000a-\u001f\u007f]/;
/** Space around a value; every other kind of space belongs to it, or `Transfer-Encoding: \x0bchunked` would be framing only for us. */
const AROUND_VALUE = /^[ \t]+|[ \t]+$/g;
/** A URL has `\` as another `/`, and drops what follows `#`: a proxy in front sees another path. */
const NOT_IN_TARGET = /[\u0000-\u0020\u007f\\#]/;
const HOST = /^(?:\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/i;
const LENGTH = /^\d{1,15}$/;

/**
 * Reads the head of a request, without its empty line.
 *
 * @throws HeadError for whatever two servers could understand differently: a second Host or Content-Length, both framings at once,
 * folded lines, line ends without a carriage return.
 */
export function parseRequestHead(bytes: Buffer): RequestHead {
  const [requestLine = '', ...lines] = bytes.toString('latin1').split('\r\n');
  if (lines.length > MAX_FIELDS) throw new HeadError(431, 'the request has too many headers');
  const [method = '', target = '', version = '', ...rest] = requestLine.split(' ');
  if (rest.length > 0 || !METHOD.test(method) || !version.startsWith('HTTP/'))
    throw new HeadError(400, 'the request line is malformed');
  if (version !== 'HTTP/1.1' && version !== 'HTTP/1.0') throw new HeadError(505, 'only HTTP/1.1 is supported');
  const isHttp10 = version === 'HTTP/1.0';
  const headers = readFields(lines);
  const host = headers.get('host');
  if (host === null ? !isHttp10 : !isHost(host))
    throw new HeadError(400, 'the Host header is missing, repeated or malformed');
  if (!METHODS.has(method)) throw new HeadError(501, 'the method is not known');
  const connection = (headers.get('connection') ?? '').toLowerCase();
  return {
    method,
    url: urlOf(method, target, host ?? 'localhost'),
    headers,
    framing: framingOf(headers, isHttp10),
    isHttp10,
    keepAlive: !isHttp10 && !/(?:^|,)\s*close\s*(?:,|$)/.test(connection),
    expectsContinue: !isHttp10 && headers.get('expect')?.toLowerCase() === '100-continue',
  };
}

function readFields(lines: readonly string[]): Headers {
  const headers = new Headers();
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(0, colon));
    const value = line.slice(colon + 1).replace(AROUND_VALUE, '');
    if (!NAME.test(name) || NOT_IN_VALUE.test(value)) throw new HeadError(400, 'a header is malformed');
    headers.append(name, value);
  }
  return headers;
}

/** Two headers are joined by a comma, which is in no host. */
function isHost(host: string): boolean {
  return HOST.test(host) && URL.canParse(`http://${host}/`);
}

function urlOf(method: string, target: string, host: string): string {
  const malformed = () => new HeadError(400, 'the request target is malformed');
  if (NOT_IN_TARGET.test(target)) throw malformed();
  if (target === '*' && method === 'OPTIONS') return `http://${host}/`;
  const absolute = /^https?:\/\/([^/?#]*)(.*)$/i.exec(target);
  const [authority, path] = absolute === null ? [host, target] : [absolute[1] ?? '', absolute[2] ?? ''];
  if (absolute === null ? !path.startsWith('/') : !isHost(authority)) throw malformed();
  const url = `http://${authority}${utf8(path.startsWith('/') ? path : `/${path}`)}`;
  if (!URL.canParse(url)) throw malformed();
  return url;
}

/** Some clients send a path in UTF-8 without escapes. */
function utf8(latin1: string): string {
  if (/^[\u0000-\u007f]*$/.test(latin1)) return latin1;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(latin1, 'latin1'));
  } catch {
    throw new HeadError(400, 'the request target is not valid UTF-8');
  }
}

function framingOf(headers: Headers, isHttp10: boolean): Framing {
  const length = headers.get('content-length');
  const coding = headers.get('transfer-encoding');
  if (coding !== null) {
    if (length !== null || isHttp10) throw new HeadError(400, 'the length of the body is ambiguous');
    if (coding.toLowerCase() !== 'chunked')
      throw new HeadError(501, 'only the transfer encoding "chunked" is supported');
    return { kind: 'chunked' };
  }
  if (length === null) return { kind: 'length', bytes: 0 };
  if (!LENGTH.test(length)) throw new HeadError(400, 'Content-Length is repeated or malformed');
  return { kind: 'length', bytes: Number(length) };
}
