import { isJsonObject, type JsonObject, parseJson } from '@manager/core/json/json';
import { NO_ENCODING } from '../../gateway/decoded-body.ts';

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 64 * 1024;

export interface ProbedAddress {
  readonly baseUrl: string;
  readonly tlsSkipVerify: boolean;
}

export interface ProbeAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** The body, when it is a JSON object of at most 64 KiB; null for any other. */
  readonly json: JsonObject | null;
}

/**
 * One request to whatever is at an address, without the management key and never redirected.
 *
 * @param path with its leading slash
 * @throws the error of the HTTP client when nothing answers within 5 s
 */
export async function askAddress(
  { baseUrl, tlsSkipVerify }: ProbedAddress,
  path: string,
  options: { readonly method?: 'GET' | 'OPTIONS'; readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<ProbeAnswer> {
  const answer = await fetch(`${baseUrl}${path}`, {
    method: options.method ?? 'GET',
    headers: { ...NO_ENCODING, ...options.headers },
    redirect: 'manual',
    decompress: false,
    keepalive: false,
    signal: AbortSignal.timeout(TIMEOUT_MS),
    ...(tlsSkipVerify ? { tls: { rejectUnauthorized: false } } : {}),
  });
  const json = parseJson(answer.body === null ? '' : await readHead(answer.body));
  return { status: answer.status, headers: answer.headers, json: isJsonObject(json) ? json : null };
}

/** '' for more than the limit. */
async function readHead(body: ReadableStream<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body) {
    size += part.byteLength;
    if (size > MAX_BYTES) return '';
    parts.push(part);
  }
  return new TextDecoder().decode(Buffer.concat(parts));
}
