import type { Connection } from '../net/connection.ts';
import type { OpenRecord, Recorder } from '../recorder.ts';
import type { JsonValue } from '../types.ts';
import { headerOf, type RequestHead } from './request-parser.ts';

type HeaderList = Readonly<Record<string, string>>;

/** A complete answer that was not sent yet. */
export interface HeldAnswer {
  readonly status: number;
  readonly headers: HeaderList;
  readonly body: Uint8Array;
}

/** What faults change in an answer that is otherwise the real one. */
type Disturbance = 'none' | 'truncate' | 'truncate-quietly' | 'gzip' | 'hang';

const STATUS_TEXT: Readonly<Record<number, string>> = {
  200: 'OK',
  204: 'No Content',
  207: 'Multi-Status',
  301: 'Moved Permanently',
  302: 'Found',
  307: 'Temporary Redirect',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  413: 'Payload Too Large',
  422: 'Unprocessable Entity',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
};

/** One request and its answer. */
export class Exchange {
  readonly method: string;
  readonly target: string;
  /** As sent, without query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: RequestHead['headers'];
  readonly connection: Connection;
  readonly record: OpenRecord;
  /** Aborts when the client goes away before the answer is complete. */
  readonly gone = new AbortController();
  /** Headers every answer of this exchange carries. */
  readonly extraHeaders: Record<string, string> = {};
  disturbance: Disturbance = 'none';
  private readonly recorder: Recorder;
  private readonly dateText: () => string;
  private readonly isOldVersion: boolean;
  private readonly wantsClose: boolean;
  private isChunked = false;
  private isCut = false;
  private hasStarted = false;
  private hasEnded = false;
  private bodyHasEnded = false;
  private answerTaker: ((answer: HeldAnswer) => void) | null = null;
  private wholeBody: Promise<Buffer> | null = null;
  private bodySink: ((bytes: Uint8Array) => void) | null = null;
  private readonly bodyWaiting: Buffer[] = [];
  private bodyDone: (() => void) | null = null;
  private readonly onDone: (keepAlive: boolean) => void;
  private readonly detach: () => Buffer;

  constructor(options: {
    readonly head: RequestHead;
    readonly connection: Connection;
    readonly record: OpenRecord;
    readonly recorder: Recorder;
    readonly dateText: () => string;
    readonly onDone: (keepAlive: boolean) => void;
    /** Ends the reading of requests; returns what was read beyond this one. */
    readonly detach: () => Buffer;
  }) {
    const { head } = options;
    this.method = head.method;
    this.target = head.target;
    const question = head.target.indexOf('?');
    this.path = question < 0 ? head.target : head.target.slice(0, question);
    this.query = new URLSearchParams(question < 0 ? '' : head.target.slice(question + 1));
    this.headers = head.headers;
    this.connection = options.connection;
    this.record = options.record;
    this.recorder = options.recorder;
    this.dateText = options.dateText;
    this.onDone = options.onDone;
    this.detach = options.detach;
    this.isOldVersion = head.minorVersion === 0;
    const connectionHeader = this.header('connection').toLowerCase();
    this.wantsClose = this.isOldVersion || connectionHeader.split(/\s*,\s*/).includes('close');
  }

  header(name: string): string {
    return headerOf(this.headers, name);
  }

  get started(): boolean {
    return this.hasStarted;
  }

  get ended(): boolean {
    return this.hasEnded;
  }

  onBody(bytes: Buffer): void {
    this.recorder.addBody(this.record, bytes);
    if (this.bodySink !== null) this.bodySink(bytes);
    else if (!this.hasEnded) this.bodyWaiting.push(Buffer.from(bytes));
  }

  onBodyEnd(): void {
    this.bodyHasEnded = true;
    this.bodyDone?.();
    this.finishExchange();
  }

  onGone(): void {
    if (this.isCut || (this.hasEnded && this.record.finished)) return;
    this.record.aborted = true;
    this.gone.abort();
    this.bodyDone?.();
  }

  /** Hands over the body as it arrives; resolves at its end, or when the client is gone. */
  async readBody(sink: (bytes: Uint8Array) => void): Promise<void> {
    for (const bytes of this.bodyWaiting.splice(0)) sink(bytes);
    this.bodySink = sink;
    if (this.bodyHasEnded || this.gone.signal.aborted) return;
    await new Promise<void>((resolve) => {
      this.bodyDone = resolve;
    });
  }

  /** The whole body, as often as it is asked for. */
  bytes(): Promise<Buffer> {
    this.wholeBody ??= this.readWhole();
    return this.wholeBody;
  }

  private async readWhole(): Promise<Buffer> {
    const chunks: Uint8Array[] = [];
    await this.readBody((bytes) => chunks.push(Buffer.from(bytes)));
    return Buffer.concat(chunks);
  }

  /** The body as JSON; undefined when it is none. */
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
    if (this.hasStarted) return;
    if (this.answerTaker !== null) {
      const take = this.answerTaker;
      this.answerTaker = null;
      take({ status, headers, body });
      return;
    }
    if (this.disturbance === 'hang') return;
    let bytes = body;
    const all: Record<string, string> = { ...headers };
    if (this.disturbance === 'gzip') {
      bytes = Bun.gzipSync(Buffer.from(body));
      all['Content-Encoding'] = 'gzip';
    }
    const isCut = this.disturbance === 'truncate' || this.disturbance === 'truncate-quietly';
    // A quiet cut announces the shorter length, so that only the content shows it.
    if (isCut) bytes = bytes.subarray(0, bytes.length >> 1);
    const announced = this.disturbance === 'truncate' ? body.length : bytes.length;
    if (status !== 204 && status !== 101) all['Content-Length'] = String(announced);
    this.start(status, all);
    if (this.method !== 'HEAD' && bytes.length > 0) this.sendBody(bytes);
    this.end(this.disturbance === 'truncate');
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

  /** Sends the head. Without `Content-Length` the body goes out in chunks, as it is written. */
  start(status: number, headers: HeaderList): void {
    this.hasStarted = true;
    this.record.status = status;
    const all: Record<string, string> = { ...headers, ...this.extraHeaders, Date: this.dateText() };
    const hasLength = 'Content-Length' in all || status === 204 || status === 101;
    this.isChunked = !hasLength && !this.isOldVersion && this.method !== 'HEAD';
    if (this.isChunked) all['Transfer-Encoding'] = 'chunked';
    if (this.wantsClose) all.Connection = 'close';
    let text = `HTTP/1.1 ${status} ${STATUS_TEXT[status] ?? 'Status'}\r\n`;
    for (const [name, value] of Object.entries(all)) text += `${name}: ${value}\r\n`;
    this.connection.send(Buffer.from(`${text}\r\n`));
  }

  /** Writes a piece of a streamed body; resolves when there is room for more. */
  write(bytes: Uint8Array): Promise<void> {
    if (this.gone.signal.aborted || this.hasEnded) return Promise.resolve();
    if (this.isChunked) this.connection.send(Buffer.from(`${bytes.length.toString(16)}\r\n`));
    this.sendBody(bytes);
    if (this.isChunked) this.connection.send(CRLF);
    return this.connection.drained();
  }

  private sendBody(bytes: Uint8Array): void {
    const count = bytes.length;
    this.connection.send(bytes, {
      written: () => {
        this.record.answeredBytes += count;
      },
    });
  }

  /** Leaves HTTP: sends 101 and gives the connection to another protocol. */
  upgrade(headers: HeaderList): Buffer {
    this.hasStarted = true;
    this.hasEnded = true;
    this.record.status = 101;
    let text = 'HTTP/1.1 101 Switching Protocols\r\n';
    for (const [name, value] of Object.entries({ ...headers, ...this.extraHeaders })) text += `${name}: ${value}\r\n`;
    this.connection.send(Buffer.from(`${text}\r\n`));
    return this.detach();
  }

  /** Completes the answer; `cut` closes the connection as if it had broken here. */
  end(cut = false): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    this.isCut = cut;
    this.bodyWaiting.length = 0;
    if (this.isChunked && !cut) this.connection.send(Buffer.from('0\r\n\r\n'));
    const written = (): void => {
      this.record.finished = !cut;
    };
    this.connection.send(new Uint8Array(0), { written });
    if (cut || this.wantsClose) this.connection.close();
    this.finishExchange();
  }

  /** The next request may follow when both directions are through. */
  private finishExchange(): void {
    if (this.hasEnded && this.bodyHasEnded) this.onDone(!this.wantsClose);
  }
}

const CRLF = Buffer.from('\r\n');
