import type { TextColumn } from '../segment/texts.ts';

/**
 * Which pairs of adjacent bytes occur in a text column: a text with any other pair is in no row. These few kilobytes
 * stay in memory where the texts do not fit, so that most searches unpack nothing.
 */
export interface TextPairs {
  /** Bit `first + 256 * second`. */
  readonly bits: Uint8Array;
  /** Bytes of the longest text. */
  readonly longest: number;
  /** Whether the texts are folded; else they are ASCII in any case. */
  readonly folded: boolean;
}

const PAIRS = 0x1_0000;
/** Texts with more spellings are folded before they are searched. */
const MOST_SPELLINGS = 8;
const [LOWER_A, LOWER_Z, CASE_BIT] = [0x61, 0x7a, 0x20];

export function textPairs({ bytes, starts }: TextColumn, folded: boolean): TextPairs {
  const seen = new Uint8Array(PAIRS);
  markPair(bytes, 0, seen);
  markWords(wordsOf(bytes), seen);
  markPair(bytes, bytes.length - 2, seen);
  const bits = new Uint8Array(PAIRS / 8);
  for (let pair = 0; pair < PAIRS; pair++) {
    if (seen[pair] === 1) bits[pair >> 3] = (bits[pair >> 3] ?? 0) | (1 << (pair & 7));
  }
  return { bits, longest: longestOf(starts), folded };
}

export function pairsBytes({ bits }: TextPairs): number {
  return bits.byteLength;
}

/**
 * The possible spellings of a folded text in a column, by its pairs. Empty = it is in no row, null = too many to search
 * one by one.
 */
export function spellings(pairs: TextPairs, needle: Uint8Array): Uint8Array[] | null {
  if (needle.length > pairs.longest) return [];
  let begun: number[][] = [[]];
  for (const byte of needle) {
    const ways = pairs.folded || byte < LOWER_A || byte > LOWER_Z ? [byte] : [byte, byte - CASE_BIT];
    begun = begun.flatMap((text) =>
      ways.filter((way) => follows(pairs, text.at(-1), way)).map((way) => [...text, way]),
    );
    if (begun.length === 0) return [];
    if (begun.length > MOST_SPELLINGS) return null;
  }
  return begun.map((text) => Uint8Array.from(text));
}

function follows({ bits }: TextPairs, before: number | undefined, byte: number): boolean {
  if (before === undefined) return true;
  const pair = before + 256 * byte;
  return (((bits[pair >> 3] ?? 0) >> (pair & 7)) & 1) === 1;
}

/** All but a first byte at an odd address, and a single last byte. */
function wordsOf({ buffer, byteOffset, length }: Uint8Array): Uint16Array {
  const from = byteOffset & 1;
  return length <= from ? new Uint16Array(0) : new Uint16Array(buffer, byteOffset + from, (length - from) >> 1);
}

/** The pairs within words and between adjacent ones. */
function markWords(words: Uint16Array, seen: Uint8Array): void {
  let before = words[0] ?? 0;
  seen[before] = 1;
  for (let index = 1; index < words.length; index++) {
    const word = words[index] ?? 0;
    seen[word] = 1;
    seen[(before >> 8) | ((word & 0xff) << 8)] = 1;
    before = word;
  }
}

function markPair(bytes: Uint8Array, at: number, seen: Uint8Array): void {
  const [first, second] = [bytes[at], bytes[at + 1]];
  if (first !== undefined && second !== undefined) seen[first | (second << 8)] = 1;
}

function longestOf(starts: Uint32Array): number {
  let longest = 0;
  for (let row = 1; row < starts.length; row++) {
    const length = (starts[row] ?? 0) - (starts[row - 1] ?? 0) - 1;
    if (length > longest) longest = length;
  }
  return longest;
}
