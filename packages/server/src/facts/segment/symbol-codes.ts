import { release } from '../decode/release.ts';
import { aligned, bytesOf, createWidener, narrowed, type OffsetArray } from './integers.ts';

/** Symbols of one segment or of the tail: row i holds the symbol `set[codes[i]]`. */
export interface SymbolColumn {
  /** Symbol of each code; several codes may have the same symbol. */
  readonly set: Uint32Array;
  /** null where the set has one entry. */
  readonly codes: Codes | null;
}

export type Codes = Uint8Array | Uint16Array | Uint32Array;
export type CodeLayout = 'constant' | 'codes8' | 'codes16';

/**
 * A column whose symbol follows from that of another column: the payload is the symbol for each code of that column.
 */
const FOLLOWS = 'follows:';

export interface EncodedSymbols {
  readonly name: string;
  /** Distinct symbols, ascending. */
  readonly set: Uint32Array;
  readonly layout: string;
  readonly payload: Uint8Array;
}

interface CodedColumn {
  readonly name: string;
  readonly set: Uint32Array;
  readonly codes: Uint16Array;
}

/**
 * Encodes all symbol columns of a segment. Many name the same thing differently (account, label, file, index), so a
 * column that follows from another one in every row is stored as a short list and shares its codes.
 */
export function encodeSymbolColumns(columns: ReadonlyMap<string, OffsetArray>): EncodedSymbols[] {
  const coder = createCoder();
  const listed = [...columns].map(([name, values]) => ({ name, values, set: coder.setOf(values) }));
  // The columns with most symbols first: the others can follow them.
  listed.sort((left, right) => right.set.length - left.set.length);
  // Only their codes are kept.
  const own: CodedColumn[] = [];
  return listed.map(({ name, values, set }) => {
    if (set.length === 1) return { name, set, layout: 'constant', payload: new Uint8Array(0) };
    const column = { name, set, codes: coder.codesOf(values, set) };
    for (const leader of own) {
      const follower = followerOf(leader, column);
      if (follower === null) continue;
      release(column.codes);
      return { name, set, layout: FOLLOWS + leader.name, payload: wordBytes(follower) };
    }
    own.push(column);
    const wide = set.length > 256;
    return { name, set, layout: wide ? 'codes16' : 'codes8', payload: bytesOf(narrowed(column.codes, wide ? 2 : 1)) };
  });
}

/** Name of the column whose codes a column shares; null when it has its own. */
export function leaderOf(layout: string): string | null {
  return layout.startsWith(FOLLOWS) ? layout.slice(FOLLOWS.length) : null;
}

export function decodeFollower(payload: Uint8Array, leader: SymbolColumn): SymbolColumn {
  return { set: new Uint32Array(aligned(payload, 4)), codes: leader.codes };
}

export function decodeCodes(layout: CodeLayout, payload: Uint8Array): Codes | null {
  if (layout === 'constant') return null;
  return layout === 'codes8' ? payload : new Uint16Array(aligned(payload, 2));
}

/** Up to this length a list is small in any case, and rows are grouped faster by columns that share their codes. */
const SHORT_LIST = 1_024;

/** Symbol of each code of the leader, null when one code has two symbols or the list would save nothing. */
function followerOf(leader: CodedColumn, column: CodedColumn): Uint32Array | null {
  if (leader.set.length > SHORT_LIST && leader.set.length * 4 > column.codes.length) return null;
  // Code + 1 for each code of the leader, 0 = not seen.
  const paired = new Uint32Array(leader.set.length);
  const { codes } = column;
  for (let row = 0; row < codes.length; row++) {
    const leading = leader.codes[row] ?? 0;
    const code = (codes[row] ?? 0) + 1;
    const known = paired[leading] ?? 0;
    if (known === 0) paired[leading] = code;
    else if (known !== code) return null;
  }
  for (let leading = 0; leading < paired.length; leading++) {
    paired[leading] = column.set[(paired[leading] ?? 1) - 1] ?? 0;
  }
  return paired;
}

interface Coder {
  /** Distinct symbols, ascending. */
  setOf(values: OffsetArray): Uint32Array;
  codesOf(values: OffsetArray, set: Uint32Array): Uint16Array;
}

/**
 * Codes by symbol id, reused from column to column: a table this wide is cheaper to keep than a map is to fill 65,536
 * times. Every entry is 0 between two calls.
 */
function createCoder(): Coder {
  const widen = createWidener();
  // Code + 1 of a symbol id, 0 = not seen.
  let codeOf = new Uint32Array(1 << 12);

  function setOf(values: Float64Array): Uint32Array {
    const met: number[] = [];
    for (let row = 0; row < values.length; row++) {
      const symbol = values[row] ?? 0;
      if (symbol >= codeOf.length) codeOf = widened(codeOf, symbol);
      if (codeOf[symbol] === 0) {
        codeOf[symbol] = 1;
        met.push(symbol);
      }
    }
    for (const symbol of met) codeOf[symbol] = 0;
    return Uint32Array.from(met).sort();
  }

  function codesOf(values: Float64Array, set: Uint32Array): Uint16Array {
    for (let code = 0; code < set.length; code++) codeOf[set[code] ?? 0] = code + 1;
    const codes = new Uint16Array(values.length);
    for (let row = 0; row < codes.length; row++) codes[row] = (codeOf[values[row] ?? 0] ?? 1) - 1;
    for (const symbol of set) codeOf[symbol] = 0;
    return codes;
  }

  return {
    setOf: (values) => setOf(widen(values)),
    codesOf: (values, set) => codesOf(widen(values), set),
  };
}

function widened(table: Uint32Array<ArrayBuffer>, index: number): Uint32Array<ArrayBuffer> {
  const wide = new Uint32Array(Math.max(index + 1, table.length * 2));
  wide.set(table);
  return wide;
}

function wordBytes(words: Uint32Array): Uint8Array {
  return new Uint8Array(words.buffer, words.byteOffset, words.byteLength);
}

export type SymbolSets = ReadonlyMap<string, Uint32Array>;

/** Every set of a segment in one payload, so that a segment can be skipped after one small read. */
export function encodeSets(sets: SymbolSets): Uint8Array {
  const header = new TextEncoder().encode(JSON.stringify([...sets].map(([name, set]) => [name, set.length])));
  const total = [...sets.values()].reduce((sum, set) => sum + set.byteLength, 0);
  const payload = new Uint8Array(4 + header.length + total);
  new DataView(payload.buffer).setUint32(0, header.length, true);
  payload.set(header, 4);
  let at = 4 + header.length;
  for (const set of sets.values()) {
    payload.set(wordBytes(set), at);
    at += set.byteLength;
  }
  return payload;
}

export function decodeSets(payload: Uint8Array): SymbolSets {
  const headerLength = new DataView(payload.buffer, payload.byteOffset, 4).getUint32(0, true);
  const header = new TextDecoder().decode(payload.subarray(4, 4 + headerLength));
  const sets = new Map<string, Uint32Array>();
  let at = 4 + headerLength;
  for (const [name, length] of JSON.parse(header) as [string, number][]) {
    sets.set(name, new Uint32Array(payload.slice(at, at + length * 4).buffer));
    at += length * 4;
  }
  return sets;
}
