/** Head of a request as sent. */
export interface RequestHead {
  readonly method: string;
  readonly target: string;
  readonly minorVersion: 0 | 1;
  readonly headers: readonly (readonly [name: string, value: string])[];
}

interface RequestSink {
  head(head: RequestHead): void;
  body(bytes: Buffer): void;
  bodyEnd(): void;
  /** Not HTTP: nothing after it is read. */
  malformed(): void;
}

interface RequestParser {
  push(bytes: Buffer): void;
  /** Reads on after an answer; nothing is read between the end of one request and this call. */
  next(): void;
  /** Everything from here on belongs to another protocol; returns what was already read of it. */
  detach(): Buffer;
}

type State =
  | { readonly kind: 'head' }
  | { readonly kind: 'length'; left: number }
  | { readonly kind: 'chunk-size' }
  | { readonly kind: 'chunk'; left: number }
  | { readonly kind: 'chunk-end' }
  | { readonly kind: 'trailer' }
  | { readonly kind: 'waiting' }
  | { readonly kind: 'off' };

const HEAD_LIMIT = 1024 * 1024;
const EMPTY = Buffer.alloc(0);

/** Incremental reader of HTTP/1.x requests, one at a time. */
export function createRequestParser(sink: RequestSink): RequestParser {
  let pending: Buffer = EMPTY;
  let state: State = { kind: 'head' };

  function fail(): false {
    state = { kind: 'off' };
    pending = EMPTY;
    sink.malformed();
    return false;
  }

  function finish(): true {
    state = { kind: 'waiting' };
    sink.bodyEnd();
    return true;
  }

  function takeLine(): string | null {
    const end = pending.indexOf('\n');
    if (end < 0) return null;
    const line = pending.toString('latin1', 0, end).replace(/\r$/, '');
    pending = pending.subarray(end + 1);
    return line;
  }

  function readHead(): boolean {
    // A first line that is no request is refused at once, without waiting for the rest of a head.
    const lineEnd = pending.indexOf('\n');
    if (lineEnd < 0) return pending.length > HEAD_LIMIT ? fail() : false;
    if (lineEnd <= 1 && pending.toString('latin1', 0, lineEnd).trim() === '') {
      pending = pending.subarray(lineEnd + 1);
      return true;
    }
    const requestLine = /^([A-Z]+) (\S+) HTTP\/1\.([01])\r?$/i.exec(pending.toString('latin1', 0, lineEnd));
    if (requestLine === null) return fail();
    const end = headEnd(pending);
    if (end === null) return pending.length > HEAD_LIMIT ? fail() : false;
    const lines = pending.toString('latin1', lineEnd + 1, end.at).split(/\r?\n/);
    pending = pending.subarray(end.at + end.length);
    const headers: [string, string][] = [];
    for (const line of lines) {
      const colon = line.indexOf(':');
      if (colon > 0) headers.push([line.slice(0, colon), line.slice(colon + 1).trim()]);
    }
    const [, method = '', target = '', minor = '1'] = requestLine;
    return begin({ method: method.toUpperCase(), target, minorVersion: minor === '0' ? 0 : 1, headers });
  }

  function begin(head: RequestHead): boolean {
    const encoding = headerOf(head.headers, 'transfer-encoding');
    const length = headerOf(head.headers, 'content-length');
    if (length !== '' && !/^\d+$/.test(length)) return fail();
    const isChunked = encoding.toLowerCase().includes('chunked');
    const bodyBytes = Number(length);
    state = isChunked
      ? { kind: 'chunk-size' }
      : bodyBytes > 0
        ? { kind: 'length', left: bodyBytes }
        : { kind: 'waiting' };
    sink.head(head);
    if (state.kind === 'waiting') sink.bodyEnd();
    return true;
  }

  function readPart(part: { left: number }): boolean {
    if (pending.length === 0) return false;
    const bytes = pending.subarray(0, part.left);
    pending = pending.subarray(bytes.length);
    part.left -= bytes.length;
    sink.body(bytes);
    return true;
  }

  function step(): boolean {
    switch (state.kind) {
      case 'head':
        return readHead();
      case 'length':
        return state.left === 0 ? finish() : readPart(state);
      case 'chunk-size': {
        const line = takeLine();
        if (line === null) return false;
        const size = Number.parseInt(line, 16);
        if (!Number.isFinite(size)) return fail();
        state = size === 0 ? { kind: 'trailer' } : { kind: 'chunk', left: size };
        return true;
      }
      case 'chunk':
        if (state.left > 0) return readPart(state);
        state = { kind: 'chunk-end' };
        return true;
      case 'chunk-end': {
        if (takeLine() === null) return false;
        state = { kind: 'chunk-size' };
        return true;
      }
      case 'trailer': {
        const line = takeLine();
        if (line === null) return false;
        return line === '' ? finish() : true;
      }
      default:
        return false;
    }
  }

  function readOn(): void {
    while (step()) {
      // Each step takes one line or one piece of the body.
    }
  }

  return {
    push(bytes) {
      if (state.kind === 'off') return;
      pending = pending.length === 0 ? bytes : Buffer.concat([pending, bytes]);
      readOn();
    },
    next() {
      if (state.kind !== 'waiting') return;
      state = { kind: 'head' };
      readOn();
    },
    detach() {
      const rest = pending;
      pending = EMPTY;
      state = { kind: 'off' };
      return rest;
    },
  };
}

function headEnd(bytes: Buffer): { at: number; length: number } | null {
  const strict = bytes.indexOf('\r\n\r\n');
  if (strict >= 0) return { at: strict, length: 4 };
  const loose = bytes.indexOf('\n\n');
  return loose >= 0 ? { at: loose, length: 2 } : null;
}

/** First value of a header, '' when absent; names compare without case. */
export function headerOf(headers: RequestHead['headers'], name: string): string {
  for (const [key, value] of headers) if (key.toLowerCase() === name) return value;
  return '';
}
