/** JSON text in UTF-8 that is written unchanged. */
export type Fragment = Uint8Array<ArrayBuffer>;

/** Numeric members of one kind of row: `,"name":` and the source of the number. */
export type NumberMembers<Source> = readonly {
  readonly name: Fragment;
  /** undefined = the member is left out. */
  readonly read: (source: Source) => number | null | undefined;
}[];

const FIRST_PIECE = 32 * 1024;
const LARGEST_PIECE = 1024 * 1024;
/** Longest text of a number. */
const NUMBER_BYTES = 32;
/** From this length on a copy call is faster than a loop. */
const LONG_FRAGMENT = 64;
const LARGEST_WHOLE = 1e15;
const NINE_DIGITS = 1e9;
/** Most bytes of one UTF-16 unit. */
const UNIT_BYTES = 3;

const ZERO = 0x30;
const encoder = new TextEncoder();
const NULL = fragment('null');

/** @param json a part of a JSON text */
export function fragment(json: string): Fragment {
  return encoder.encode(json);
}

/** An object that starts with these members: further ones and the closing brace follow. `undefined` is left out. */
export function openObject(members: object): Fragment {
  return fragment(JSON.stringify(members).slice(0, -1));
}

/** In the order of the members. */
export function numberMembers<Source>(
  members: Readonly<Record<string, NumberMembers<Source>[number]['read']>>,
): NumberMembers<Source> {
  return Object.entries(members).map(([name, read]) => ({ name: fragment(`,${JSON.stringify(name)}:`), read }));
}

/**
 * Writes JSON as bytes, without intermediate objects and texts: an answer of many rows would leave several times its own size
 * as garbage. Numbers are written as `JSON.stringify` does.
 */
export class JsonWriter {
  readonly #full: Fragment[] = [];
  #piece: Fragment = new Uint8Array(FIRST_PIECE);
  #at = 0;

  fragment(bytes: Fragment): void {
    const { length } = bytes;
    this.#reserve(length);
    const piece = this.#piece;
    if (length >= LONG_FRAGMENT) {
      piece.set(bytes, this.#at);
      this.#at += length;
      return;
    }
    let at = this.#at;
    for (let index = 0; index < length; index++) piece[at++] = bytes[index] ?? 0;
    this.#at = at;
  }

  number(value: number | null): void {
    if (value !== null && value >= 0 && value < LARGEST_WHOLE && Math.floor(value) === value) {
      this.#reserve(NUMBER_BYTES);
      this.#at = writeWhole(this.#piece, this.#at, value);
    } else if (value === null || !Number.isFinite(value)) {
      this.fragment(NULL);
    } else {
      this.#ascii(String(value));
    }
  }

  numbers<Source>(members: NumberMembers<Source>, source: Source): void {
    // By index: an iterator takes longer than writing a number.
    for (let index = 0; index < members.length; index++) {
      const member = members[index];
      if (member === undefined) continue;
      const value = member.read(source);
      if (value === undefined) continue;
      this.fragment(member.name);
      this.number(value);
    }
  }

  /** Any value with a JSON text. */
  value(value: unknown): void {
    let text = JSON.stringify(value);
    while (text.length > 0) {
      this.#reserve(Math.min(text.length * UNIT_BYTES, LARGEST_PIECE / 2));
      const { read, written } = encoder.encodeInto(text, this.#piece.subarray(this.#at));
      this.#at += written;
      text = text.slice(read);
    }
  }

  /** The written bytes, in separate buffers; the writer cannot be used afterwards. */
  finish(): Fragment[] {
    return [...this.#full, this.#piece.subarray(0, this.#at)];
  }

  #reserve(bytes: number): void {
    if (this.#at + bytes > this.#piece.length) this.#nextPiece(bytes);
  }

  #nextPiece(bytes: number): void {
    this.#full.push(this.#piece.subarray(0, this.#at));
    this.#piece = new Uint8Array(Math.max(bytes, Math.min(this.#piece.length * 2, LARGEST_PIECE)));
    this.#at = 0;
  }

  #ascii(text: string): void {
    const { length } = text;
    this.#reserve(length);
    const piece = this.#piece;
    let at = this.#at;
    for (let index = 0; index < length; index++) piece[at++] = text.charCodeAt(index);
    this.#at = at;
  }
}

/** @param value an integer from 0 to below 10¹⁵. @returns the position after its digits */
function writeWhole(into: Fragment, at: number, value: number): number {
  if (value < NINE_DIGITS) return writeDigits(into, at, value | 0, digitsOf(value | 0));
  const high = Math.floor(value / NINE_DIGITS);
  const place = writeDigits(into, at, high, digitsOf(high));
  return writeDigits(into, place, (value - high * NINE_DIGITS) | 0, 9);
}

function writeDigits(into: Fragment, at: number, value: number, digits: number): number {
  const end = at + digits;
  let rest = value;
  for (let place = end - 1; place >= at; place--) {
    const next = (rest / 10) | 0;
    into[place] = ZERO + rest - next * 10;
    rest = next;
  }
  return end;
}

/** @param value below 10⁹ */
function digitsOf(value: number): number {
  if (value < 10_000) return value < 100 ? (value < 10 ? 1 : 2) : value < 1_000 ? 3 : 4;
  if (value < 1_000_000) return value < 100_000 ? 5 : 6;
  return value < 10_000_000 ? 7 : value < 100_000_000 ? 8 : 9;
}
