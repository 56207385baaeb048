import { isJsonSpace } from '@manager/core/json/space';
import { ValueEnd } from '@manager/core/json/value-end';
import { JsonShortener } from './json-shortener.ts';
import { RecordBuffer } from './record-buffer.ts';

const BYTE_ORDER_MARK: readonly (number | undefined)[] = [0xef, 0xbb, 0xbf];
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const LINE_FEED = 0x0a;

export interface ListElement {
  /**
   * The element exactly as sent; with its long strings cut where it is above its room; only the start of one that is too large.
   * Valid until the next bytes are taken.
   */
  readonly bytes: Uint8Array;
  /** Above the limit, or without room even with cut strings. */
  readonly tooLarge: boolean;
  readonly totalBytes: number;
  /** Line on which it starts. */
  readonly line: number;
}

export interface ListCutterOptions {
  readonly maxElementBytes: number;
  /** Kept bytes of a larger element. Default 0. */
  readonly headBytes?: number;
  /** Bytes that the next element may keep; above them its strings are cut. Default: the limit. */
  readonly room?: () => number;
  /** Members of an object that may hold the list; without them only a bare list is accepted. */
  readonly listKeys?: readonly string[];
  /** An extra or missing comma breaks the list. Otherwise it is skipped: an error affects only its element. */
  readonly strict?: boolean;
  /** Number of the line with the first byte. Default 1. */
  readonly firstLine?: number;
}

/** `not a list`: it is some other value. `no list`: the object does not hold one. `broken`: see `strict`. */
export type ListState = 'open' | 'ended' | 'not a list' | 'no list' | 'broken';

/**
 * Splits a JSON list into its elements as it arrives, without parsing them: numbers keep their digits, an invalid element affects
 * only itself, the memory is bounded by one element, and no step takes longer than one chunk.
 *
 * @example
 * for (let at = 0; at < bytes.length && cutter.state === 'open'; ) {
 *   at = cutter.take(bytes, at);
 *   if (cutter.element !== null) use(cutter.element);
 * }
 */
export class JsonListCutter {
  state: ListState = 'open';
  /** What the last call of `take` completed. */
  element: ListElement | null = null;
  /** Line of the current or last completed element, else of the next byte. */
  line: number;
  readonly #maxElementBytes: number;
  readonly #headBytes: number;
  readonly #roomOf: (() => number) | undefined;
  readonly #listKeys: ReadonlySet<string>;
  readonly #strict: boolean;
  readonly #value = new ValueEnd();
  readonly #carried: RecordBuffer;
  #place: 'before' | 'members' | 'list' = 'before';
  #inValue = false;
  #totalBytes = 0;
  #room = Number.POSITIVE_INFINITY;
  #shortener: JsonShortener | null = null;
  /** In a list: whether a comma has to come before the next element, or an element before the end. */
  #expected: 'first' | 'element' | 'comma' = 'first';
  /** Among members: the name whose value comes next. */
  #name: string | null = null;
  #afterColon = false;

  constructor({
    maxElementBytes,
    headBytes = 0,
    room,
    listKeys = [],
    strict = false,
    firstLine = 1,
  }: ListCutterOptions) {
    this.#maxElementBytes = maxElementBytes;
    this.#headBytes = headBytes;
    this.#roomOf = room;
    this.#listKeys = new Set(listKeys);
    this.#strict = strict;
    this.line = firstLine;
    this.#carried = new RecordBuffer(maxElementBytes);
  }

  /** That element is above the limit; its end may still be to come. */
  get tooLarge(): boolean {
    return this.#totalBytes > this.#maxElementBytes || this.#shortener?.isFull === true;
  }

  /** Takes bytes from `from` up to the end of an element, of the list, or of the bytes. Returns the index after them. */
  take(bytes: Uint8Array, from: number): number {
    if (this.element !== null) this.#leaveValue();
    let at = from;
    while (at < bytes.length) {
      if (this.#inValue) {
        at = this.#takeValue(bytes, at);
        if (this.element !== null) return at;
        continue;
      }
      const byte = bytes[at] ?? 0;
      if (this.#isBlank(byte)) {
        if (byte === LINE_FEED) this.line += 1;
      } else {
        this.#takeStructure(byte);
        // The byte belongs to the value that it starts.
        if (this.#inValue) continue;
      }
      at += 1;
      if (this.state !== 'open') return at;
    }
    return at;
  }

  #isBlank(byte: number): boolean {
    if (isJsonSpace(byte)) return true;
    return !this.#strict && (byte < 0x20 || (this.#place === 'before' && BYTE_ORDER_MARK.includes(byte)));
  }

  #takeStructure(byte: number): void {
    if (this.#place === 'list') this.#takeInList(byte);
    else if (this.#place === 'members') this.#takeAmongMembers(byte);
    else if (byte === OPEN_LIST) this.#place = 'list';
    else if (byte === OPEN_OBJECT && this.#listKeys.size > 0) this.#place = 'members';
    else this.state = 'not a list';
  }

  #takeInList(byte: number): void {
    if (this.#strict && this.#isMisplaced(byte)) {
      this.state = 'broken';
    } else if (byte === CLOSE_LIST) {
      this.state = 'ended';
    } else if (byte === COMMA) {
      this.#expected = 'element';
    } else {
      this.#beginValue();
      this.#expected = 'comma';
    }
  }

  #isMisplaced(byte: number): boolean {
    if (this.#expected === 'comma') return byte !== COMMA && byte !== CLOSE_LIST;
    return byte === COMMA || byte === CLOSE_OBJECT || (byte === CLOSE_LIST && this.#expected === 'element');
  }

  #takeAmongMembers(byte: number): void {
    if (byte === CLOSE_OBJECT) this.state = 'no list';
    else if (byte === COLON) this.#afterColon = true;
    else if (byte === COMMA) this.#name = null;
    else if (byte === OPEN_LIST && this.#afterColon && this.#name !== null && this.#listKeys.has(this.#name)) {
      this.#place = 'list';
    } else this.#beginValue();
  }

  #beginValue(): void {
    this.#value.begin();
    this.#inValue = true;
    this.#totalBytes = 0;
    this.#room = this.#roomOf?.() ?? Number.POSITIVE_INFINITY;
  }

  #takeValue(bytes: Uint8Array, from: number): number {
    const end = this.#value.find(bytes, from);
    const stop = end < 0 ? bytes.length : end;
    const piece = bytes.subarray(from, stop);
    this.#totalBytes += piece.length;
    const kept = this.#keep(piece, end >= 0);
    if (end >= 0) this.#endValue(kept);
    return stop;
  }

  /** What is kept of the value with its next piece. */
  #keep(piece: Uint8Array, isLast: boolean): Uint8Array {
    if (this.#shortener === null && this.#totalBytes > this.#room && this.#totalBytes <= this.#maxElementBytes) {
      this.#shortener = new JsonShortener({ room: this.#room, headBytes: this.#headBytes });
      this.#shortener.take(this.#carried.view());
      this.#carried.clear();
    }
    if (this.#shortener !== null) {
      this.#shortener.take(piece);
      const kept = this.#shortener.view();
      return this.tooLarge ? kept.subarray(0, this.#headBytes) : kept;
    }
    if (this.tooLarge) {
      const left = this.#headBytes - this.#carried.length;
      if (left < 0) this.#carried.cut(this.#headBytes);
      else this.#carried.append(piece.subarray(0, left));
      return this.#carried.view();
    }
    if (isLast) return this.#carried.with(piece);
    this.#carried.append(piece);
    return this.#carried.view();
  }

  #endValue(bytes: Uint8Array): void {
    this.#inValue = false;
    if (this.#place === 'list') {
      this.element = { bytes, tooLarge: this.tooLarge, totalBytes: this.#totalBytes, line: this.line };
    } else {
      this.#name = this.#afterColon || bytes[0] !== QUOTE ? null : nameOf(bytes);
      this.#afterColon = false;
      this.#leaveValue();
    }
  }

  #leaveValue(): void {
    this.element = null;
    this.#shortener = null;
    this.#carried.clear();
    this.line += this.#value.lineFeeds;
  }
}

function nameOf(bytes: Uint8Array): string | null {
  try {
    const name: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return typeof name === 'string' ? name : null;
  } catch {
    return null;
  }
}
