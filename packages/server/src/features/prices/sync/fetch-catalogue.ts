import { decodedBody } from '../../../gateway/decoded-body.ts';
import { GatewayError, transportError } from '../../../gateway/errors.ts';
import { readBody } from '../../../gateway/http-call.ts';

export interface CatalogueRequest {
  readonly url: string;
  /** null = direct. */
  readonly proxy: string | null;
  /** Validator of the cached answer; '' = none. */
  readonly etag: string;
  /** For the whole answer. */
  readonly timeoutMs: number;
  readonly maxBytes: number;
  /** Of the caller. */
  readonly signal: AbortSignal;
}

export type CatalogueAnswer =
  | { readonly kind: 'body'; readonly body: Uint8Array; readonly etag: string }
  /** The cached answer is still valid. */
  | { readonly kind: 'unchanged' }
  /** `error` contains no address and no secret. */
  | { readonly kind: 'failed'; readonly error: string };

const NOT_MODIFIED = 304;
const PROXY_LOGIN_REQUIRED = 407;

/** Requests a catalogue once. @throws the reason of the caller's signal after its abort */
export async function fetchCatalogue(request: CatalogueRequest): Promise<CatalogueAnswer> {
  request.signal.throwIfAborted();
  const limit = AbortSignal.timeout(request.timeoutMs);
  try {
    return await ask(request, AbortSignal.any([request.signal, limit]));
  } catch (error) {
    request.signal.throwIfAborted();
    if (limit.aborted) return failed(`no complete response within ${request.timeoutMs / 1000} s`);
    return failed(textOf(error, request));
  }
}

async function ask(request: CatalogueRequest, signal: AbortSignal): Promise<CatalogueAnswer> {
  const response = await fetch(request.url, {
    headers: {
      Accept: 'application/json',
      // Decompressed here, so that a few kilobytes that expand to gigabytes are stopped in time.
      'Accept-Encoding': 'gzip',
      'User-Agent': 'manager-server',
      ...(request.etag === '' ? {} : { 'If-None-Match': request.etag }),
    },
    decompress: false,
    keepalive: false,
    signal,
    ...(request.proxy === null ? {} : { proxy: request.proxy }),
  });
  if (response.status === NOT_MODIFIED && request.etag !== '') return { kind: 'unchanged' };
  if (response.status === 200) {
    const body = await readBody({ chunks: decodedBody(response) }, request.maxBytes);
    return { kind: 'body', body, etag: response.headers.get('etag') ?? '' };
  }
  await response.body?.cancel();
  return failed(
    response.status === PROXY_LOGIN_REQUIRED && request.proxy !== null
      ? 'the proxy requires another user name or password (407)'
      : `answered ${response.status}`,
  );
}

/** Messages of the system contain addresses, and that of a proxy may contain a password: only codes are passed on. */
function textOf(error: unknown, { proxy, maxBytes }: CatalogueRequest): string {
  const through = proxy === null ? '' : ' through the proxy of the gateway';
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const shown = /^[A-Za-z][A-Za-z0-9_]*$/.test(code) ? ` (${code})` : '';
  if (error instanceof GatewayError && error.kind === 'protocol') return `unreadable, or above ${maxBytes} bytes`;
  if (code === 'ERR_PROXY_TUNNEL') return `the proxy of the gateway does not lead there${shown}`;
  switch (transportError(error).kind) {
    case 'certificate_untrusted':
      return `the certificate is not trusted${shown}`;
    case 'certificate_other_host':
      return `the certificate is for another host${shown}`;
    case 'certificate_expired':
      return `the certificate has expired or is not valid yet${shown}`;
    case 'tls_broken':
    case 'speaks_plain':
      return `the TLS handshake${through} failed${shown}`;
    case 'unreachable':
    case 'dial_timeout':
      return `cannot be reached${through}${shown}`;
    case 'not_http':
      return `the response${through} is not valid HTTP${shown}`;
    case 'protocol':
      return `unreadable${shown}`;
    default:
      return `the connection${through} ended before the response was complete${shown}`;
  }
}

function failed(error: string): CatalogueAnswer {
  return { kind: 'failed', error };
}
