import { endOfSpace, isJsonSpace } from '@manager/core/json/space';
import { RecordBuffer } from '../../../../platform/record-buffer.ts';

export type JsonKind = 'object' | 'list' | 'text' | 'number' | 'literal';

/** Called for the values that a scanner passes. Offsets count from its first byte. */
export interface JsonListener {
  /** Whether the names of the innermost object are needed. */
  wantsNames(): boolean;
  /** A member name of the innermost object, as JSON text without its quotes. */
  name(text: Uint8Array): void;
  /** A value starts at `offset`. Returns whether the bytes of a text are needed. */
  begin(kind: JsonKind, offset: number): boolean;
  /** The innermost value ends before `offset`. `text` = its JSON text without quotes if needed, else empty. */
  end(kind: JsonKind, offset: number, text: Uint8Array): void;
}

export type ScanOutcome = 'open' | 'complete' | 'invalid';

type State =
  | 'value'
  | 'first element'
  | 'first name'
  | 'name'
  | 'colon'
  | 'separator'
  | 'text'
  | 'escape'
  | 'hex'
  | 'number'
  | 'literal'
  | 'complete'
  | 'invalid';

/** States that allow white space. */
const STRUCTURE: ReadonlySet<State> = new Set<State>([
  'value',
  'first element',
  'first name',
  'name',
  'colon',
  'separator',
]);

type NumberPart = 'sign' | 'zero' | 'whole' | 'point' | 'fraction' | 'exponent' | 'exponent sign' | 'power';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const NOTHING = new Uint8Array();
const ESCAPED = new Set(Buffer.from('"\\/bfnrt'));
/** Deeper than any parser supports. */
const MAX_DEPTH = 100_000;

/** Longer names and identities are invalid. */
const MAX_KEPT_BYTES = 8 * 1024 * 1024;

/** Checks the grammar of one JSON value whose bytes arrive in parts, and reports the positions of its values. */
export class JsonScanner {
  readonly #listener: JsonListener;
  /** For each open container whether it is an object. */
  readonly #objects: boolean[] = [];
  readonly #kept = new RecordBuffer(MAX_KEPT_BYTES);
  #state: State = 'value';
  /** Offset of the next byte. */
  #offset = 0;
  #isName = false;
  #keeping = false;
  #hexLeft = 0;
  #number: NumberPart = 'sign';
  #literal: Uint8Array = NOTHING;
  #literalAt = 0;

  constructor(listener: JsonListener) {
    this.#listener = listener;
  }

  /** Bytes of the value so far; all of them once it is complete. */
  get length(): number {
    return this.#offset;
  }

  /** Reads bytes from `from` on, up to the end of the value. */
  feed(bytes: Uint8Array, from: number): ScanOutcome {
    let at = from;
    while (at < bytes.length && this.#state !== 'complete' && this.#state !== 'invalid') {
      const used = this.#takeSome(bytes, at);
      at += used;
      this.#offset += used;
    }
    return this.#state === 'complete' || this.#state === 'invalid' ? this.#state : 'open';
  }

  #takeSome(bytes: Uint8Array, at: number): number {
    if (this.#state === 'text') return this.#takeText(bytes, at);
    if (isJsonSpace(bytes[at]) && STRUCTURE.has(this.#state)) return endOfSpace(bytes, at) - at;
    return this.#take(bytes[at] ?? 0);
  }

  /** Skips to the next significant byte inside a string. */
  #takeText(bytes: Uint8Array, from: number): number {
    let at = from;
    while (at < bytes.length) {
      const byte = bytes[at] ?? 0;
      if (byte === QUOTE || byte === BACKSLASH || byte < 0x20) break;
      at += 1;
    }
    if (this.#keeping) {
      if (this.#kept.length + at - from > MAX_KEPT_BYTES) {
        this.#state = 'invalid';
        return at - from;
      }
      this.#kept.append(bytes.subarray(from, at));
    }
    if (at === bytes.length) return at - from;
    const byte = bytes[at];
    if (byte === QUOTE) this.#endText(this.#offset + at - from + 1);
    else if (byte === BACKSLASH) this.#next('escape', BACKSLASH);
    else this.#state = 'invalid';
    return at - from + 1;
  }

  /** Reads one byte; returns 0 when it belongs to the next token. */
  #take(byte: number): number {
    switch (this.#state) {
      case 'escape':
        if (byte === 0x75) {
          this.#hexLeft = 4;
          this.#next('hex', byte);
        } else {
          this.#next(ESCAPED.has(byte) ? 'text' : 'invalid', byte);
        }
        return 1;
      case 'hex':
        this.#hexLeft -= 1;
        if (!isHexDigit(byte)) this.#state = 'invalid';
        else this.#next(this.#hexLeft === 0 ? 'text' : 'hex', byte);
        return 1;
      case 'number':
        return this.#takeNumber(byte);
      case 'literal':
        if (byte !== this.#literal[this.#literalAt]) this.#state = 'invalid';
        this.#literalAt += 1;
        if (this.#state === 'literal' && this.#literalAt === this.#literal.length) this.#end('literal', 1);
        return 1;
      default:
        this.#takeStructure(byte);
        return 1;
    }
  }

  #takeStructure(byte: number): void {
    switch (this.#state) {
      case 'first element':
        if (byte === 0x5d) this.#endContainer(false);
        else this.#beginValue(byte);
        return;
      case 'value':
        this.#beginValue(byte);
        return;
      case 'first name':
        if (byte === 0x7d) this.#endContainer(true);
        else this.#beginName(byte);
        return;
      case 'name':
        this.#beginName(byte);
        return;
      case 'colon':
        this.#state = byte === 0x3a ? 'value' : 'invalid';
        return;
      default:
        // A separator.
        if (byte === 0x2c) this.#state = this.#objects.at(-1) === true ? 'name' : 'value';
        else if (byte === 0x7d) this.#endContainer(true);
        else if (byte === 0x5d) this.#endContainer(false);
        else this.#state = 'invalid';
    }
  }

  #beginName(byte: number): void {
    if (byte !== QUOTE) {
      this.#state = 'invalid';
      return;
    }
    this.#isName = true;
    this.#keeping = this.#listener.wantsNames();
    this.#kept.clear();
    this.#state = 'text';
  }

  #beginValue(byte: number): void {
    if (byte === 0x7b || byte === 0x5b) {
      const isObject = byte === 0x7b;
      if (this.#objects.length >= MAX_DEPTH) {
        this.#state = 'invalid';
        return;
      }
      this.#listener.begin(isObject ? 'object' : 'list', this.#offset);
      this.#objects.push(isObject);
      this.#state = isObject ? 'first name' : 'first element';
    } else if (byte === QUOTE) {
      this.#isName = false;
      this.#keeping = this.#listener.begin('text', this.#offset);
      this.#kept.clear();
      this.#state = 'text';
    } else if (byte === 0x2d || isDigit(byte)) {
      this.#listener.begin('number', this.#offset);
      this.#number = byte === 0x2d ? 'sign' : byte === 0x30 ? 'zero' : 'whole';
      this.#state = 'number';
    } else {
      const literal = LITERALS.get(byte);
      if (literal === undefined) {
        this.#state = 'invalid';
        return;
      }
      this.#listener.begin('literal', this.#offset);
      this.#literal = literal;
      this.#literalAt = 1;
      this.#state = 'literal';
    }
  }

  #takeNumber(byte: number): number {
    const next = nextNumberPart(this.#number, byte);
    if (next !== null) {
      this.#number = next;
      return 1;
    }
    const isWhole =
      this.#number === 'zero' || this.#number === 'whole' || this.#number === 'fraction' || this.#number === 'power';
    if (isWhole) this.#end('number', 0);
    else this.#state = 'invalid';
    return 0;
  }

  #endText(end: number): void {
    const text = this.#keeping ? this.#kept.view() : NOTHING;
    if (this.#isName) {
      if (this.#keeping) this.#listener.name(text);
      this.#state = 'colon';
    } else {
      this.#listener.end('text', end, text);
      this.#afterValue();
    }
  }

  #endContainer(isObject: boolean): void {
    if (this.#objects.pop() === isObject) this.#end(isObject ? 'object' : 'list', 1);
    else this.#state = 'invalid';
  }

  /** @param length bytes of the current one that belong to the value */
  #end(kind: JsonKind, length: number): void {
    this.#listener.end(kind, this.#offset + length, NOTHING);
    this.#afterValue();
  }

  #afterValue(): void {
    this.#state = this.#objects.length === 0 ? 'complete' : 'separator';
  }

  #next(state: State, byte: number): void {
    if (this.#keeping) this.#kept.appendByte(byte);
    this.#state = state;
  }
}

const LITERALS = new Map(
  ['true', 'false', 'null'].map((word) => [word.charCodeAt(0), new Uint8Array(Buffer.from(word))]),
);

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

function isHexDigit(byte: number): boolean {
  return isDigit(byte) || (byte >= 0x41 && byte <= 0x46) || (byte >= 0x61 && byte <= 0x66);
}

/** The part of a number that a byte belongs to; `null` = none. */
function nextNumberPart(part: NumberPart, byte: number): NumberPart | null {
  if (isDigit(byte)) {
    switch (part) {
      case 'sign':
        return byte === 0x30 ? 'zero' : 'whole';
      case 'whole':
        return 'whole';
      case 'point':
      case 'fraction':
        return 'fraction';
      case 'exponent':
      case 'exponent sign':
      case 'power':
        return 'power';
      default:
        return null;
    }
  }
  if (byte === 0x2e) return part === 'zero' || part === 'whole' ? 'point' : null;
  if (byte === 0x65 || byte === 0x45) {
    return part === 'zero' || part === 'whole' || part === 'fraction' ? 'exponent' : null;
  }
  if (byte === 0x2b || byte === 0x2d) return part === 'exponent' ? 'exponent sign' : null;
  return null;
}
