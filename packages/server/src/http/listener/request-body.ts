import { AppError } from '@manager/core/contract/errors';
import { type Peer, PeerGone, PeerSilent } from './peer.ts';
import type { RequestHead } from './request-head.ts';

/** Of strangers: who reads a body may keep some pieces ahead. */
const MAX_PIECE_BYTES = 64 * 1024;
const MAX_LINE_BYTES = 4096;
const MAX_TRAILER_BYTES = 64 * 1024;
const CONTINUE = Buffer.from('HTTP/1.1 100 Continue\r\n\r\n');
const EMPTY = Buffer.alloc(0);
/** Chunks below it are joined with those behind them. */
const SMALL_CHUNK_BYTES = 4 * 1024;
const GATHERED_BYTES = 16 * 1024;
const CR = 0x0d;
const LF = 0x0a;

/** The body of one request, piece by piece. */
export class RequestBody {
  /** The whole body was read from the connection. */
  complete: boolean;
  /** Why it cannot be read to its end. */
  failure: AppError | null = null;
  /** null without a body. */
  readonly stream: ReadableStream<Uint8Array> | null;
  readonly #peer: Peer;
  readonly #pieceMs: number;
  readonly #chunked: boolean;
  /** Of the body, or of the current chunk. */
  #left: number;
  #rest: Buffer = EMPTY;
  #isFirstChunk = true;
  #expectsContinue: boolean;
  #controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  #pending: Promise<Buffer | null> | null = null;

  constructor(peer: Peer, head: RequestHead, pieceMs: number) {
    this.#peer = peer;
    this.#pieceMs = pieceMs;
    this.#expectsContinue = head.expectsContinue;
    this.#chunked = head.framing.kind === 'chunked';
    this.#left = head.framing.kind === 'length' ? head.framing.bytes : 0;
    this.complete = !this.#chunked && this.#left === 0;
    this.stream = this.complete
      ? null
      : new ReadableStream<Uint8Array>(
          {
            start: (controller) => {
              this.#controller = controller;
            },
            pull: (controller) => this.#pull(controller),
            cancel: () => {
              this.#controller = null;
            },
          },
          { highWaterMark: 0 },
        );
  }

  /** No permission is sent once the answer begins. True when the client still waits for it, and may never send the body. */
  answering(): boolean {
    const wasUninvited = this.#expectsContinue && !this.complete && !this.#peer.hasReceived;
    this.#expectsContinue = false;
    return wasUninvited;
  }

  /** The answer is sent: reads and drops the rest, or a client that only sends would never see the answer. */
  async discard(): Promise<void> {
    this.#controller?.error(new Error('the request is already answered'));
    this.#controller = null;
    await this.#pending?.catch(() => {});
    while (!this.complete) await this.#next();
  }

  async #pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    this.#pending = this.#next();
    try {
      const piece = await this.#pending;
      // Canceled or answered meanwhile.
      if (this.#controller === null) return;
      if (piece !== null) controller.enqueue(piece);
      else {
        this.#controller = null;
        controller.close();
      }
    } catch (error) {
      if (this.#controller === null) return;
      this.#controller = null;
      controller.error(error);
    }
  }

  /** @throws AppError 400 or 408, PeerGone */
  async #next(): Promise<Buffer | null> {
    if (this.failure !== null) throw this.failure;
    try {
      if (this.#chunked && !this.complete && this.#left === 0) await this.#nextChunk();
      if (this.complete) return null;
      const bytes = await this.#take();
      const limit = this.#peer.isOperator ? bytes.length : MAX_PIECE_BYTES;
      const piece = bytes.subarray(0, Math.min(this.#left, limit));
      this.#rest = bytes.subarray(piece.length);
      this.#left -= piece.length;
      if (!this.#chunked && this.#left === 0) this.#end();
      return this.#chunked && this.#left === 0 && piece.length < SMALL_CHUNK_BYTES ? this.#withFollowing(piece) : piece;
    } catch (error) {
      if (error instanceof PeerSilent)
        this.failure = new AppError('request_body_timeout', { headers: { Connection: 'close' } });
      else if (error instanceof AppError) this.failure = error;
      throw this.failure ?? error;
    }
  }

  #end(): void {
    this.complete = true;
    this.#peer.unread(this.#rest);
    this.#rest = EMPTY;
  }

  async #take(): Promise<Buffer> {
    if (this.#rest.length > 0) return this.#rest;
    if (this.#expectsContinue && !this.#peer.hasReceived) await this.#peer.write(CONTINUE);
    this.#expectsContinue = false;
    const bytes = await this.#peer.read(this.#pieceMs);
    if (bytes === null) throw new PeerGone();
    return bytes;
  }

  async #nextChunk(): Promise<void> {
    // Behind the bytes of each chunk is a line end.
    if (!this.#isFirstChunk && (await this.#line()) !== '') throw malformed();
    this.#isFirstChunk = false;
    const size = /^([0-9a-f]{1,13})[ \t]*(?:;.*)?$/i.exec(await this.#line())?.[1];
    if (size === undefined) throw malformed();
    this.#left = Number.parseInt(size, 16);
    if (this.#left > 0) return;
    let trailers = 0;
    for (let line = await this.#line(); line !== ''; line = await this.#line()) {
      trailers += line.length;
      if (trailers > MAX_TRAILER_BYTES) throw malformed();
    }
    this.#end();
  }

  /**
   * A chunk and the small ones that have arrived behind it: whole, without extensions. One by one, chunks of one byte would cost a
   * thousand times their size in time and memory.
   */
  #withFollowing(first: Buffer): Buffer {
    const rest = this.#rest;
    let gathered: Buffer | null = null;
    let length = first.length;
    let at = 0;
    for (let next = chunkAt(rest, at); next !== null; next = chunkAt(rest, at)) {
      if (length + next.end - next.start > GATHERED_BYTES) break;
      if (gathered === null) {
        gathered = Buffer.allocUnsafeSlow(GATHERED_BYTES);
        first.copy(gathered);
      }
      // A call for each of them takes longer than its bytes.
      if (next.end - next.start === 1) gathered[length] = rest[next.start] ?? 0;
      else rest.copy(gathered, length, next.start, next.end);
      length += next.end - next.start;
      at = next.end;
    }
    this.#rest = rest.subarray(at);
    return gathered === null ? first : gathered.subarray(0, length);
  }

  async #line(): Promise<string> {
    let line = '';
    for (;;) {
      const bytes = await this.#take();
      const end = bytes.indexOf(0x0a);
      line += bytes.toString('latin1', 0, end < 0 ? bytes.length : end + 1);
      this.#rest = end < 0 ? EMPTY : bytes.subarray(end + 1);
      if (line.length > MAX_LINE_BYTES) throw malformed();
      if (end < 0) continue;
      if (!line.endsWith('\r\n')) throw malformed();
      return line.slice(0, -2);
    }
  }
}

/** A small chunk without extension behind the end of another; null when there is none, or not all of it. */
function chunkAt(bytes: Buffer, from: number): { readonly start: number; readonly end: number } | null {
  if (bytes[from] !== CR || bytes[from + 1] !== LF) return null;
  let at = from + 2;
  let size = 0;
  for (; bytes[at] !== CR; at += 1) {
    const digit = hexDigit(bytes[at]);
    if (digit < 0 || size > GATHERED_BYTES) return null;
    size = size * 16 + digit;
  }
  const start = at + 2;
  const end = start + size;
  return bytes[at + 1] !== LF || size === 0 || end > bytes.length ? null : { start, end };
}

function hexDigit(code = 0): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

function malformed(): AppError {
  return new AppError('malformed_request', {
    message: 'the chunks of the body are malformed',
    headers: { Connection: 'close' },
  });
}
