import { RecordBuffer } from './record-buffer.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LOWER_U = 0x75;
const MARK = new TextEncoder().encode('...(truncated)');
const LONGEST_STRING = 4 * 1024 * 1024;
const SHORTEST_STRING = 1024;

/**
 * Cuts the long strings of one JSON value while it arrives, so that a huge value needs little memory and stays JSON. Each string
 * may have half of the room that is left, so later members have room too.
 */
export class JsonShortener {
  readonly #room: number;
  readonly #headBytes: number;
  readonly #kept: RecordBuffer;
  #full = false;
  #inString = false;
  #skipping = false;
  /** Bytes of the string so far, and how many it may have. */
  #stringBytes = 0;
  #stringLimit = 0;
  /** Bytes that belong to an escape sequence, and whether the last byte ended one: its other half may follow. */
  #escapeBytes = 0;
  #inUnicode = false;
  #afterEscape = false;

  constructor({ room, headBytes }: { readonly room: number; readonly headBytes: number }) {
    this.#room = room;
    this.#headBytes = headBytes;
    this.#kept = new RecordBuffer(room);
  }

  /** Even with cut strings it has no room: only its start is kept. */
  get isFull(): boolean {
    return this.#full;
  }

  /** What is left. Valid until the next bytes are taken. */
  view(): Uint8Array {
    return this.#kept.view();
  }

  take(piece: Uint8Array): void {
    const next = (byte: number, from: number) => {
      const found = piece.indexOf(byte, from);
      return found < 0 ? piece.length : found;
    };
    let from = 0;
    let quote = next(QUOTE, 0);
    let backslash = next(BACKSLASH, 0);
    for (let at = 0; at < piece.length && !this.#full; ) {
      if (quote < at) quote = next(QUOTE, at);
      if (!this.#inString) {
        if (quote < piece.length) this.#beginString(this.#kept.length + quote - from);
        at = quote + 1;
        continue;
      }
      if (this.#escapeBytes > 0) {
        this.#takeEscaped(piece[at] ?? 0);
        at += 1;
        continue;
      }
      if (backslash < at) backslash = next(BACKSLASH, at);
      const end = Math.min(quote, backslash);
      const cut = this.#skipping ? end : this.#placeToCut(piece, at, end);
      if (cut < end) {
        this.#append(piece.subarray(from, cut));
        this.#skipping = true;
      }
      if (end > at) this.#afterEscape = false;
      this.#stringBytes += end - at;
      at = end + 1;
      if (end === piece.length) break;
      if (end === backslash) this.#escapeBytes = 1;
      else {
        this.#inString = false;
        if (this.#skipping) {
          this.#append(MARK);
          this.#skipping = false;
          from = end;
        }
      }
    }
    if (!this.#skipping) this.#append(piece.subarray(from));
  }

  #takeEscaped(byte: number): void {
    // The first byte says how long the sequence is.
    const isUnicode = byte === LOWER_U && !this.#inUnicode;
    this.#escapeBytes = isUnicode ? 4 : this.#escapeBytes - 1;
    this.#inUnicode = this.#escapeBytes > 0;
    this.#afterEscape = true;
    this.#stringBytes += 1;
  }

  /** Where a run of ordinary bytes is cut, or its end: never inside a character, or before the other half of one. */
  #placeToCut(piece: Uint8Array, at: number, end: number): number {
    let cut = Math.max(at + (this.#afterEscape ? 1 : 0), at + this.#stringLimit - this.#stringBytes);
    while (cut < end && !isStart(piece[cut] ?? 0)) cut += 1;
    return Math.min(cut, end);
  }

  #beginString(kept: number): void {
    this.#inString = true;
    this.#afterEscape = false;
    this.#stringBytes = 0;
    this.#stringLimit = Math.max(SHORTEST_STRING, Math.min(LONGEST_STRING, Math.floor((this.#room - kept) / 2)));
  }

  #append(bytes: Uint8Array): void {
    if (this.#full) return;
    if (this.#kept.length + bytes.length <= this.#room) this.#kept.append(bytes);
    else {
      this.#kept.append(bytes.subarray(0, Math.max(this.#headBytes - this.#kept.length, 0)));
      this.#kept.cut(this.#headBytes);
      this.#full = true;
    }
  }
}

/** Not inside a character of UTF-8. */
const isStart = (byte: number) => (byte & 0xc0) !== 0x80;
