/** Source of payload bytes for a reader. */
export interface ChunkSource {
  /** The next bytes, valid until the next call; `null` at the end, `undefined` when more must be fed first. */
  read(): Uint8Array | null | undefined;
}

/** A payload with one part that can be read twice, as a snapshot needs. */
export interface PayloadInput extends ChunkSource {
  /** Keeps all bytes from here on. `unread` = those after the mark that were already returned. */
  mark(unread: Uint8Array): void;
  /** Fills `target` with bytes from `offset` after the mark; returns their number. */
  readAt(offset: number, target: Uint8Array): number;
  /** The next `read` starts `offset` bytes after the mark; bytes that it passes are no longer kept. */
  rewind(offset: number): void;
  close(): void;
}

/** Yielded by a reader that cannot continue before more bytes are fed. */
export const NEEDS_INPUT = Symbol('needs input');
export type NeedsInput = typeof NEEDS_INPUT;

/** A position inside the bytes of a source. */
export class Cursor {
  readonly #source: ChunkSource;
  bytes: Uint8Array = new Uint8Array();
  at = 0;

  constructor(source: ChunkSource) {
    this.#source = source;
  }

  /** Ensures a byte at `at`; false at the end of the source. */
  *fill(): Generator<NeedsInput, boolean> {
    while (this.at >= this.bytes.length) {
      const next = this.#source.read();
      if (next === null) return false;
      if (next === undefined) {
        yield NEEDS_INPUT;
        continue;
      }
      this.bytes = next;
      this.at = 0;
    }
    return true;
  }

  /** Ensures this many bytes at `at`, if the source has them. Copies: for the first bytes of a payload. */
  *extend(length: number): Generator<NeedsInput, void> {
    let joined = this.bytes.slice(this.at);
    while (joined.length < length) {
      const next = this.#source.read();
      if (next === null) break;
      if (next === undefined) yield NEEDS_INPUT;
      else joined = Buffer.concat([joined, next]);
    }
    this.bytes = joined;
    this.at = 0;
  }

  get unread(): Uint8Array {
    return this.bytes.subarray(this.at);
  }

  /** The source was rewound: previously returned bytes are invalid. */
  restart(): void {
    this.bytes = new Uint8Array();
    this.at = 0;
  }
}

/** Bytes between two offsets after the mark of an input. */
export class RangeSource implements ChunkSource {
  readonly #input: PayloadInput;
  readonly #end: number;
  readonly #buffer: Uint8Array;
  #at: number;

  /** @param buffer for the returned bytes */
  constructor(input: PayloadInput, start: number, end: number, buffer: Uint8Array) {
    this.#input = input;
    this.#at = start;
    this.#end = end;
    this.#buffer = buffer;
  }

  read(): Uint8Array | null {
    const wanted = Math.min(this.#end - this.#at, this.#buffer.length);
    if (wanted <= 0) return null;
    const found = this.#input.readAt(this.#at, this.#buffer.subarray(0, wanted));
    if (found === 0) throw new Error('the file became shorter while it was read');
    this.#at += found;
    return this.#buffer.subarray(0, found);
  }
}
