const EMPTY = Buffer.alloc(0);
const LINE_END = Buffer.from('\r\n');
const HEAD_END = Buffer.from('\r\n\r\n');

/**
 * Reads an HTTP/1.1 answer from the bytes of a connection: the head, then the chunks as they arrive. A body is complete only when
 * its last chunk has arrived, which distinguishes a whole export from a cut one.
 */
export class ChunkedAnswer {
  /** 0 until the head has arrived. */
  status = 0;
  headers = new Headers();
  complete = false;
  #pending: Buffer = EMPTY;
  /** Remaining bytes of the chunk with its line end; null = its size comes next. */
  #left: number | null = null;

  constructor(readonly onBody: (piece: Buffer) => void) {}

  push(bytes: Buffer): void {
    this.#pending = this.#pending.length === 0 ? bytes : Buffer.concat([this.#pending, bytes]);
    if (this.status === 0 && !this.#readHead()) return;
    while (!this.complete && this.#readNext()) {
      // One piece may contain several chunks.
    }
  }

  #readHead(): boolean {
    const end = this.#pending.indexOf(HEAD_END);
    if (end < 0) return false;
    const [first = '', ...lines] = this.#pending.toString('latin1', 0, end).split('\r\n');
    for (const line of lines) {
      const colon = line.indexOf(':');
      this.headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
    }
    this.status = Number(first.split(' ')[1]);
    this.#pending = this.#pending.subarray(end + HEAD_END.length);
    return true;
  }

  /** False when more bytes are needed. */
  #readNext(): boolean {
    if (this.#left === null) {
      const end = this.#pending.indexOf(LINE_END);
      if (end < 0) return false;
      const size = Number.parseInt(this.#pending.toString('latin1', 0, end), 16);
      if (!(size >= 0)) throw new Error('the size of a chunk cannot be read');
      this.#pending = this.#pending.subarray(end + LINE_END.length);
      if (size === 0) this.complete = true;
      else this.#left = size + LINE_END.length;
      return true;
    }
    if (this.#pending.length === 0) return false;
    const taken = this.#pending.subarray(0, this.#left);
    const bodyBytes = Math.min(taken.length, this.#left - LINE_END.length);
    if (bodyBytes > 0) this.onBody(taken.subarray(0, bodyBytes));
    this.#left = taken.length === this.#left ? null : this.#left - taken.length;
    this.#pending = this.#pending.subarray(taken.length);
    return true;
  }
}
