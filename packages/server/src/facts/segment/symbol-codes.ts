import { aligned, bytesOf, emptyOffsets } from './integers.ts';

/** Symbols of one segment or of the tail: row i holds the symbol `set[codes[i]]`. */
export interface SymbolColumn {
  /** Distinct symbol ids, ascending. */
  readonly set: Uint32Array;
  /** null where the set has one entry. */
  readonly codes: Uint8Array | Uint16Array | Uint32Array | null;
}

export type CodeLayout = 'constant' | 'codes8' | 'codes16';

export interface EncodedSymbols {
  readonly set: Uint32Array;
  readonly layout: CodeLayout;
  readonly payload: Uint8Array;
}

/**
 * Codes by symbol id, kept from column to column: a table this wide costs less to keep than a map costs to fill 65,536
 * times. Every entry is 0 between two calls.
 */
export function createSymbolEncoder(): (values: Float64Array) => EncodedSymbols {
  // Code + 1 of a symbol id, 0 = not met.
  let codeOf = new Uint32Array(1 << 12);
  return (values) => {
    const met: number[] = [];
    for (const symbol of values) {
      if (symbol >= codeOf.length) codeOf = widened(codeOf, symbol);
      if (codeOf[symbol] === 0) {
        codeOf[symbol] = 1;
        met.push(symbol);
      }
    }
    const set = Uint32Array.from(met).sort();
    for (const [code, symbol] of set.entries()) codeOf[symbol] = code + 1;
    const layout: CodeLayout = set.length === 1 ? 'constant' : set.length <= 256 ? 'codes8' : 'codes16';
    const codes = emptyOffsets(layout === 'codes16' ? 2 : 1, layout === 'constant' ? 0 : values.length);
    for (let row = 0; row < codes.length; row++) codes[row] = (codeOf[values[row] ?? 0] ?? 1) - 1;
    for (const symbol of met) codeOf[symbol] = 0;
    return { set, layout, payload: bytesOf(codes) };
  };
}

function widened(table: Uint32Array<ArrayBuffer>, index: number): Uint32Array<ArrayBuffer> {
  const wide = new Uint32Array(Math.max(index + 1, table.length * 2));
  wide.set(table);
  return wide;
}

export function decodeCodes(layout: CodeLayout, payload: Uint8Array): SymbolColumn['codes'] {
  if (layout === 'constant') return null;
  return layout === 'codes8' ? payload : new Uint16Array(aligned(payload, 2));
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
    payload.set(new Uint8Array(set.buffer, set.byteOffset, set.byteLength), at);
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
