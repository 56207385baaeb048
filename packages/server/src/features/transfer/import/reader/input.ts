/** Bytes of a payload, as a reader takes them. */
export interface ChunkSource {
  /** The next bytes, valid until the next call; `null` at the end, `undefined` when more has to be fed first. */
  read(): Uint8Array | null | undefined;
}

/** A payload of which one part can be looked at twice: a snapshot has to be. */
export interface PayloadInput extends ChunkSource {
  /** From here on bytes are kept. `unread` = those behind the mark that were handed out already. */
  mark(unread: Uint8Array): void;
  /** Fills `target` with bytes from `offset` behind the mark on; returns how many there were. */
  readAt(offset: number, target: Uint8Array): number;
  /** The next `read` begins `offset` bytes behind the mark; nothing is kept any more once it has passed them. */
  rewind(offset: number): void;
  close(): void;
}

/** What a reader yields when it cannot go on before more bytes are fed. */
export const NEEDS_INPUT = Symbol('hungry');
export type NeedsInput = typeof NEEDS_INPUT;

/** A position inside the bytes of a source. */
export class Cursor {
  readonly #source: ChunkSource;
  bytes: Uint8Array = new Uint8Array();
  at = 0;

  constructor(source: ChunkSource) {
    this.#source = source;
  }

  /** Sees to it that there is a byte at `at`; false at the end of the source. */
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

  /** Sees to it that there are this many bytes at `at`, if the source has them. Copies: for the first bytes of a payload. */
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

  /** The source was rewound: what was handed out before is void. */
  restart(): void {
    this.bytes = new Uint8Array();
    this.at = 0;
  }
}

/** Bytes between two offsets behind the mark of an input. */
export class RangeSource implements ChunkSource {
  readonly #input: PayloadInput;
  readonly #end: number;
  readonly #buffer: Uint8Array;
  #at: number;

  /** @param buffer for the bytes that are handed out */
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
