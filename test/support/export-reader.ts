import { connect, type Socket } from 'node:net';
import { ChunkedAnswer } from './chunked-body.ts';
import type { ManagerProcess } from './manager-process.ts';
import { NumberSet } from './number-set.ts';
import type { ExportedEvent } from './status.ts';

const LINE_FEED = 10;
const IDENTITY = /^[0-9a-f]{64}$/;
/** Number of problems kept; a broken export has one in every line. */
const MAX_PROBLEMS = 5;

/**
 * An export client with a fixed read rate: the rest stays in the buffers of the two sockets, and then in the server. Each line is
 * checked as it arrives; only the event numbers are kept.
 */
export class ExportReader {
  /** Bytes of the body so far. */
  bytes = 0;
  rows = 0;
  readonly numbers = new NumberSet();
  readonly problems: string[] = [];
  /** Bytes per second; 0 = none, Infinity = unlimited. */
  #rate: number;
  #paceFromMs = performance.now();
  #pacedBytes = 0;
  #timer: Timer | undefined;
  #unfinished = '';
  #lastMs = 0;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  readonly #answer = new ChunkedAnswer((piece) => this.#take(piece));
  readonly #socket: Socket;
  readonly #opened = Promise.withResolvers<void>();
  readonly #ended = Promise.withResolvers<void>();

  private constructor(manager: ManagerProcess, bytesPerSecond: number) {
    this.#rate = bytesPerSecond;
    const { hostname, port } = new URL(manager.url);
    this.#socket = connect(Number(port), hostname);
    this.#socket.write(
      `GET /v0/management/usage/export HTTP/1.1\r\nHost: ${hostname}\r\n` +
        `Authorization: Bearer ${manager.adminKey}\r\n\r\n`,
    );
    this.#socket.on('data', (bytes: Buffer) => this.#receive(bytes));
    this.#socket.on('error', () => {});
    this.#socket.on('close', () => {
      clearTimeout(this.#timer);
      this.#opened.reject(new Error('the connection was closed without an answer'));
      this.#ended.resolve();
    });
    this.#opened.promise.catch(() => {});
  }

  /** Requests an export; resolves when its head has arrived. */
  static async open(manager: ManagerProcess, bytesPerSecond: number): Promise<ExportReader> {
    const reader = new ExportReader(manager, bytesPerSecond);
    await reader.#opened.promise;
    return reader;
  }

  get status(): number {
    return this.#answer.status;
  }

  get headers(): Headers {
    return this.#answer.headers;
  }

  setRate(bytesPerSecond: number): void {
    this.#rate = bytesPerSecond;
    this.#paceFromMs = performance.now();
    this.#pacedBytes = 0;
    this.#pace();
  }

  /** Waits until the connection has ended; true when the export ended properly. */
  async end(): Promise<boolean> {
    await this.#ended.promise;
    return this.#answer.complete;
  }

  /** Disconnects in the middle. */
  abort(): void {
    this.#socket.destroy();
  }

  #receive(bytes: Buffer): void {
    this.#answer.push(bytes);
    // The head may arrive in parts.
    if (this.#answer.status === 0) return;
    this.#opened.resolve();
    if (this.#answer.complete) {
      if (this.#unfinished !== '') this.#problem('the last line does not end');
      this.#socket.destroy();
      return;
    }
    this.#pacedBytes += bytes.length;
    this.#pace();
  }

  #pace(): void {
    clearTimeout(this.#timer);
    const waitMs = this.#dueMs() - (performance.now() - this.#paceFromMs);
    if (waitMs <= 0) {
      this.#socket.resume();
      return;
    }
    this.#socket.pause();
    if (Number.isFinite(waitMs)) this.#timer = setTimeout(() => this.#socket.resume(), waitMs);
  }

  /** When the next bytes may be read, from the time the rate was set. */
  #dueMs(): number {
    if (this.#rate === 0) return Number.POSITIVE_INFINITY;
    return (this.#pacedBytes / this.#rate) * 1000;
  }

  #take(piece: Buffer): void {
    this.bytes += piece.length;
    const end = piece.lastIndexOf(LINE_FEED) + 1;
    const text = this.#unfinished + this.#decoder.decode(piece.subarray(0, end), { stream: true });
    const rest = this.#decoder.decode(piece.subarray(end), { stream: true });
    if (end === 0) {
      this.#unfinished = text + rest;
      return;
    }
    this.#unfinished = rest;
    for (const line of text.slice(0, -1).split('\n')) this.#check(line);
  }

  #check(line: string): void {
    this.rows += 1;
    let event: ExportedEvent;
    try {
      event = JSON.parse(line) as ExportedEvent;
    } catch {
      this.#problem(`line ${this.rows} is no JSON: ${line.slice(0, 200)}`);
      return;
    }
    const number = Number.parseInt(event.request_id, 16);
    if (!IDENTITY.test(event.event_hash) || !(number >= 0) || !Number.isSafeInteger(event.timestamp_ms)) {
      this.#problem(`line ${this.rows} lacks what every event has: ${line.slice(0, 200)}`);
      return;
    }
    if (event.timestamp_ms < this.#lastMs) this.#problem(`line ${this.rows} is older than the one before`);
    this.#lastMs = event.timestamp_ms;
    if (!this.numbers.add(number)) this.#problem(`line ${this.rows}: event ${number} is there twice`);
  }

  #problem(text: string): void {
    if (this.problems.length < MAX_PROBLEMS) this.problems.push(text);
  }
}
