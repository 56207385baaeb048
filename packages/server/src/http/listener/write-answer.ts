import { STATUS_CODES } from 'node:http';
import type { Peer } from './peer.ts';

/** `failed`: the handler's body broke off; `aborted`: the client was gone first. */
export type BodyEnd = 'sent' | 'failed' | 'aborted';

export interface AnswerOptions {
  readonly method: string;
  readonly isHttp10: boolean;
  readonly keepAlive: boolean;
  readonly date: () => string;
  /** Aborted when the connection is closed. */
  readonly gone: AbortSignal;
}

/** A body that breaks off before its first bytes can still become another answer. */
export class NothingSent extends Error {
  override readonly name = 'NothingSent';
}

/** Set by the connection itself. */
const OF_THE_CONNECTION: ReadonlySet<string> = new Set(['connection', 'keep-alive', 'transfer-encoding', 'date']);
/** Sent in one piece, and so complete or not at all. */
const MAX_WHOLE_BYTES = 1024 * 1024;
/** A client may wait for the head of a stream; a failure before that is still an answer of its own. */
const FIRST_BYTES_MS = 100;
const MAX_COPIED_BYTES = 16 * 1024;
const CRLF = Buffer.from('\r\n');
const LAST_CHUNK = Buffer.from('0\r\n\r\n');

/**
 * Sends an answer. A declared length is kept, and whatever cannot be sent to its end resets the connection, so that no client takes
 * it for complete.
 *
 * @throws NothingSent when the body failed before anything was sent.
 */
export async function writeAnswer(peer: Peer, response: Response, options: AnswerOptions): Promise<BodyEnd> {
  const { status, headers, body } = response;
  const declared = lengthOf(headers);
  if (options.method === 'HEAD' || status === 204 || status === 304 || body === null) {
    await body?.cancel();
    const length = options.method === 'HEAD' || status === 304 ? declared : status === 204 ? null : 0;
    return whole(peer, headOf(response, options, { length }), null);
  }
  if (declared !== null && declared <= MAX_WHOLE_BYTES) {
    const bytes = await response.bytes().catch(nothingSent);
    if (bytes.length !== declared) nothingSent(new Error('the body does not have its declared length'));
    return whole(peer, headOf(response, options, { length: declared }), bytes);
  }
  return streamed(peer, response, { ...options, reader: body.getReader() as Reader, declared });
}

function nothingSent(cause: unknown): never {
  throw new NothingSent('the body of the answer failed', { cause });
}

async function whole(peer: Peer, head: string, body: Uint8Array | null): Promise<BodyEnd> {
  try {
    await send(peer, Buffer.from(head, 'latin1'), body, false);
    return 'sent';
  } catch {
    return 'aborted';
  }
}

type Read = { readonly done: false; readonly value: Uint8Array } | { readonly done: true; readonly value?: undefined };

interface Reader {
  read(): Promise<Read>;
  cancel(): Promise<void>;
  readonly closed: Promise<unknown>;
}

interface StreamOptions extends AnswerOptions {
  readonly reader: Reader;
  readonly declared: number | null;
}

async function streamed(peer: Peer, response: Response, options: StreamOptions): Promise<BodyEnd> {
  const { reader, declared, gone } = options;
  const cancel = () => void reader.cancel().catch(() => {});
  gone.addEventListener('abort', cancel, { once: true });
  if (gone.aborted) cancel();
  let state: 'nothing sent' | 'sending' | 'failed' = 'nothing sent';
  const fail = (): BodyEnd => {
    state = 'failed';
    peer.reset();
    cancel();
    return 'failed';
  };
  // A body may fail while its client reads nothing, and nobody would ask for the next piece.
  reader.closed.catch(() => {
    if (state === 'sending') fail();
  });
  try {
    let upcoming = observed(reader.read());
    // With a declared length no client expects the head alone.
    const first = await (declared === null ? soon(upcoming, FIRST_BYTES_MS) : upcoming).catch(nothingSent);
    let begun: Uint8Array | null = null;
    if (first !== null && !first.done) {
      begun = first.value;
      upcoming = observed(reader.read());
      // A body that was whole from the start ends here.
      const second = declared === null ? await soon(upcoming, 0).catch(nothingSent) : null;
      if (second?.done) return await whole(peer, headOf(response, options, { length: begun.length }), begun);
    } else if (first?.done) {
      if (declared !== null) nothingSent(new Error('the body is empty'));
      return await whole(peer, headOf(response, options, { length: 0 }), null);
    }
    if (peer.gone) return 'aborted';

    state = 'sending';
    const chunked = declared === null && !options.isHttp10;
    const head = Buffer.from(headOf(response, options, { length: declared, chunked }), 'latin1');
    let sent = begun?.length ?? 0;
    await send(peer, head, begun, chunked);
    for (let next = await upcoming; !next.done; next = await reader.read()) {
      sent += next.value.length;
      if (declared !== null && sent > declared) return fail();
      if (next.value.length > 0) await send(peer, null, next.value, chunked);
    }
    if (isFailed(state)) return 'failed';
    if (peer.gone) return 'aborted';
    if (declared !== null && sent !== declared) return fail();
    if (chunked) await peer.write(LAST_CHUNK);
    return 'sent';
  } catch (error) {
    if (error instanceof NothingSent && !peer.gone) throw error;
    if (isFailed(state)) return 'failed';
    return peer.gone ? 'aborted' : fail();
  } finally {
    gone.removeEventListener('abort', cancel);
  }
}

/** It may fail long before it is awaited. */
function observed(read: Promise<Read>): Promise<Read> {
  read.catch(() => {});
  return read;
}

/** It changes while an answer is awaited, which the type checker does not see. */
function isFailed(state: string): boolean {
  return state === 'failed';
}

/** null when nothing arrived in time. */
async function soon(pending: Promise<Read>, limitMs: number): Promise<Read | null> {
  let timer: Timer | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), limitMs);
  });
  const first = await Promise.race([pending, late]);
  clearTimeout(timer);
  return first;
}

/** The head, the size of the chunk and its bytes: in one write, except for large pieces, which are not copied. */
async function send(peer: Peer, head: Buffer | null, piece: Uint8Array | null, chunked: boolean): Promise<void> {
  const before: Uint8Array[] = head === null ? [] : [head];
  const size = piece?.length ?? 0;
  if (chunked && size > 0) before.push(Buffer.from(`${size.toString(16)}\r\n`, 'latin1'));
  const after = chunked && size > 0 ? [CRLF] : [];
  if (piece === null || size <= MAX_COPIED_BYTES) {
    await peer.write(Buffer.concat([...before, ...(piece === null ? [] : [piece]), ...after]));
    return;
  }
  if (before.length > 0) await peer.write(Buffer.concat(before));
  await peer.write(piece);
  if (chunked) await peer.write(CRLF);
}

function lengthOf(headers: Headers): number | null {
  const length = headers.get('content-length');
  return length !== null && /^\d{1,15}$/.test(length) ? Number(length) : null;
}

function headOf(
  response: Response,
  options: AnswerOptions,
  body: { readonly length: number | null; readonly chunked?: boolean },
): string {
  const { status, statusText, headers } = response;
  const reason = statusText === '' ? (STATUS_CODES[status] ?? '') : statusText.replace(/[^\t\x20-\x7e]/g, '');
  let head = `HTTP/1.1 ${status} ${reason}\r\n`;
  for (const [name, value] of headers) {
    if (OF_THE_CONNECTION.has(name) || name === 'content-length') continue;
    head += `${name}: ${value}\r\n`;
  }
  head += `date: ${options.date()}\r\n`;
  if (body.length !== null) head += `content-length: ${body.length}\r\n`;
  if (body.chunked) head += 'transfer-encoding: chunked\r\n';
  if (!options.keepAlive) head += 'connection: close\r\n';
  return `${head}\r\n`;
}
