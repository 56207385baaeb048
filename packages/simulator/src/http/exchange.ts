import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { JsonValue } from '../json.ts';
import type { Connection } from '../net/connection.ts';
import { headerPairs, type OpenRecord, type Recorder } from '../recorder.ts';

type HeaderList = Readonly<Record<string, string>>;

/** A complete answer that is not sent yet. */
export interface HeldAnswer {
  readonly status: number;
  readonly headers: HeaderList;
  readonly body: Uint8Array;
}

interface ExchangeOptions {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly connection: Connection;
  readonly recorder: Recorder;
  readonly now: () => number;
  /** Bytes after the head of a request for another protocol; null for all others. */
  readonly upgradeHead: Buffer | null;
}

const SMALL_BODY_BYTES = 16 * 1024;
const NO_ARGUMENTS: readonly string[] = [];
const NO_BODY = Promise.resolve();

/** One request and its answer. */
export class Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly connection: Connection;
  readonly upgradeHead: Buffer | null;
  readonly method: string;
  readonly target: string;
  /** As sent, without query. */
  readonly path: string;
  readonly record: OpenRecord;
  /** Headers of every answer of this exchange. */
  readonly extraHeaders: Record<string, string> = {};
  /** A fault's changes of an otherwise real answer. */
  disturbance: 'none' | 'truncate' | 'truncate-quietly' | 'gzip' | 'hang' = 'none';
  private readonly now: () => number;
  private readonly body: Buffer[] = [];
  private readonly bodyEnd: Promise<void>;
  private bodySink: ((bytes: Uint8Array) => void) | null = null;
  private answerTaker: ((answer: HeldAnswer) => void) | null = null;
  private isCut = false;
  private parsedQuery: URLSearchParams | null = null;
  private goneController: AbortController | null = null;

  constructor({ request, response, connection, recorder, now, upgradeHead }: ExchangeOptions) {
    this.request = request;
    this.response = response;
    this.connection = connection;
    this.upgradeHead = upgradeHead;
    this.now = now;
    this.method = request.method ?? '';
    this.target = request.url ?? '';
    const question = this.target.indexOf('?');
    this.path = question < 0 ? this.target : this.target.slice(0, question);
    this.record = recorder.open({
      connectionId: connection.id,
      protocol: 'http',
      method: this.method,
      target: this.target,
      path: this.path,
      rawHeaders: request.rawHeaders,
      args: NO_ARGUMENTS,
    });
    const hasBody = 'transfer-encoding' in request.headers || 'content-length' in request.headers;
    this.bodyEnd = hasBody && upgradeHead === null ? this.receiveBody(recorder) : NO_BODY;
    response.sendDate = false;
    // The gateway announces that a connection ends, not that it stays open.
    response.removeHeader('Connection');
    response.once('close', () => {
      if (this.isCut) return;
      if (response.writableFinished) this.record.finished = true;
      else this.left();
    });
  }

  /** First value of a header, '' when missing; the name in lower case. */
  header(name: string): string {
    const value = this.request.headers[name];
    return typeof value === 'string' ? value : '';
  }

  /** Names and values as sent. */
  get headers(): [name: string, value: string][] {
    return headerPairs(this.record.rawHeaders);
  }

  get query(): URLSearchParams {
    this.parsedQuery ??= new URLSearchParams(this.target.slice(this.path.length));
    return this.parsedQuery;
  }

  get started(): boolean {
    return this.response.headersSent;
  }

  /** The client disconnected before the answer was complete. */
  get isGone(): boolean {
    return this.record.aborted;
  }

  /** Aborts when the client disconnects. */
  get gone(): AbortSignal {
    this.goneController ??= new AbortController();
    if (this.isGone) this.goneController.abort();
    return this.goneController.signal;
  }

  left(): void {
    this.record.aborted = true;
    this.goneController?.abort();
  }

  private receiveBody(recorder: Recorder): Promise<void> {
    const { request } = this;
    request.on('data', (bytes: Buffer) => {
      recorder.addBody(this.record, bytes);
      if (this.bodySink !== null) this.bodySink(bytes);
      else if (!this.started) this.body.push(bytes);
    });
    // `close` follows the end of the body as well as a disconnect.
    return new Promise((resolve) =>
      request
        .once('close', resolve)
        .once('end', resolve)
        .on('error', () => {}),
    );
  }

  /** Yields the body as it arrives; ends at its end, or when the client disconnects. */
  async readBody(sink: (bytes: Uint8Array) => void): Promise<void> {
    for (const bytes of this.body.splice(0)) sink(bytes);
    this.bodySink = sink;
    await this.bodyEnd;
  }

  /** The whole body; may be called repeatedly. */
  async bytes(): Promise<Buffer> {
    await this.bodyEnd;
    return Buffer.concat(this.body);
  }

  /** The body as JSON; undefined when it is not JSON. */
  async json(): Promise<JsonValue | undefined> {
    const text = (await this.bytes()).toString();
    try {
      return JSON.parse(text) as JsonValue;
    } catch {
      return undefined;
    }
  }

  /** The next complete answer goes to `take` instead of the client; null ends that. */
  holdAnswer(take: ((answer: HeldAnswer) => void) | null): void {
    this.answerTaker = take;
  }

  /** Sends a complete answer. */
  respond(status: number, headers: HeaderList, body: Uint8Array): void {
    if (this.started) return;
    if (this.answerTaker !== null) {
      const take = this.answerTaker;
      this.answerTaker = null;
      take({ status, headers, body });
      return;
    }
    const { disturbance } = this;
    if (disturbance === 'hang') return;
    const isGzip = disturbance === 'gzip';
    const full = isGzip ? gzipSync(body) : body;
    const isCut = disturbance === 'truncate' || disturbance === 'truncate-quietly';
    const bytes = isCut ? full.subarray(0, full.length >> 1) : full;
    // A quiet cut announces the shorter length, so that only the content shows it.
    const announced = disturbance === 'truncate' ? full.length : bytes.length;
    // A small body is sent together with its head; a large one is not copied for that.
    const { socket } = this.connection;
    const isSmall = bytes.length < SMALL_BODY_BYTES;
    if (isSmall) socket.cork();
    this.start(status, {
      ...headers,
      ...(isGzip ? { 'Content-Encoding': 'gzip' } : {}),
      ...(status === 204 ? {} : { 'Content-Length': String(announced) }),
    });
    if (disturbance === 'truncate') this.cut(bytes);
    else this.response.end(this.method === 'HEAD' ? undefined : bytes);
    if (isSmall) socket.uncork();
  }

  sendJson(status: number, body: JsonValue, headers: HeaderList = {}): void {
    this.sendText(status, JSON.stringify(body), { 'Content-Type': 'application/json; charset=utf-8', ...headers });
  }

  sendText(status: number, text: string, headers: HeaderList = {}): void {
    this.respond(status, headers, Buffer.from(text));
  }

  sendEmpty(status: number, headers: HeaderList = {}): void {
    this.respond(status, headers, new Uint8Array(0));
  }

  /** Sends the head. Without `Content-Length` the body is chunked. */
  start(status: number, headers: HeaderList): void {
    this.record.status = status;
    const all: Record<string, string> = { ...headers, ...this.extraHeaders, Date: new Date(this.now()).toUTCString() };
    const endsConnection = !this.response.shouldKeepAlive || /\bclose\b/i.test(this.header('connection'));
    if (endsConnection) all.Connection = 'close';
    this.response.writeHead(status, all);
  }

  /** Writes a piece of a streamed body; resolves when the system has taken it, or the client disconnected. */
  write(bytes: Uint8Array): Promise<void> {
    if (this.isGone) return NO_BODY;
    return new Promise((resolve) => void this.response.write(bytes, () => resolve()));
  }

  end(): void {
    this.response.end();
  }

  /** Ends the connection after these bytes, as if it had broken here. */
  private cut(bytes: Uint8Array): void {
    this.isCut = true;
    this.response.write(bytes, () => this.connection.end());
  }
}
