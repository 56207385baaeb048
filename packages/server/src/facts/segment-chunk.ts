import type { CacheClass, ColumnCache } from './cache.ts';
import type { Combination, FactChunk } from './chunk.ts';
import { type FactColumn, RARE_COLUMNS } from './columns.ts';
import { decodeNumbers, NO_NUMBERS, type StoredNumbers } from './decode/numbers.ts';
import { unpacked } from './decode/packed.ts';
import { release } from './decode/release.ts';
import { combinationBytes, combine } from './kernels/combinations.ts';
import { searchedSegment } from './searched-columns.ts';
import { type ColumnBlob, SegmentDamaged, unpackColumn } from './segment/blob.ts';
import { decodeDerived, SUMMANDS } from './segment/derived.ts';
import { EVENT_ID_COLUMN, SYMBOL_SETS_COLUMN } from './segment/encode.ts';
import { decodeHashes, type HashColumn, type HashLayout } from './segment/hashes.ts';
import type { NumberColumn } from './segment/integers.ts';
import {
  type CodeLayout,
  decodeCodes,
  decodeFollower,
  decodeSets,
  leaderOf,
  type SymbolColumn,
  type SymbolSets,
} from './segment/symbol-codes.ts';
import { decodeTexts, type TextColumn } from './segment/texts.ts';

/** A stored column: its smallest and largest value where it has an order. */
export interface StoredColumn extends ColumnBlob {
  readonly min: number | null;
  readonly max: number | null;
}

/** Where the columns of a chunk come from. */
export interface ColumnSource {
  /** For errors and as a prefix in the cache. */
  readonly name: string;
  readonly rows: number;
  readonly span: Pick<FactChunk, 'segmentId' | 'firstEventId' | 'lastEventId' | 'minTimestampMs' | 'maxTimestampMs'>;
  column(name: string): StoredColumn | null;
  encoding(name: string): string | null;
}

/** What a chunk has besides its columns. */
export interface ChunkAccess {
  readonly liveRows: (chunk: FactChunk) => Uint8Array | null;
  readonly sums: FactChunk['sums'];
}

export interface OpenedColumns {
  readonly chunk: FactChunk;
  /** A number column by its stored name. */
  stored(name: string): StoredNumbers;
}

interface ReadColumn {
  readonly layout: string;
  readonly payload: Uint8Array;
  readonly min: number;
  readonly max: number;
}

/** The cached symbols of a column; its codes may be those of another column that it follows from. */
interface KeptSymbols extends SymbolColumn {
  readonly leader: FactColumn | null;
}

/** When one column identifies the tuples, the codes are those of that column. */
interface KeptCombination extends Combination {
  readonly owner: FactColumn | null;
}

const NO_CODES: SymbolColumn = { set: new Uint32Array(0), codes: null };

/** Opens stored columns as a chunk. Columns never change, so cached values stay valid. */
export function openColumns(source: ColumnSource, cache: ColumnCache, access: ChunkAccess): OpenedColumns {
  const { name: title, rows } = source;

  /** The reader releases the payload unless it keeps a part of it. */
  function read(name: string): ReadColumn {
    const row = source.column(name);
    if (row === null) throw new SegmentDamaged(`${title}: column ${name} is missing`);
    const { layout, payload } = unpackColumn(row, `${title}, column ${name}`);
    if (payload !== row.data) release(row.data);
    return { layout, payload, min: row.min ?? 0, max: row.max ?? 0 };
  }

  function cached<Value>(key: string, kind: CacheClass, make: () => Value, sizeOf: (value: Value) => number): Value {
    return cache.get(`${title}:${key}`, kind, make, sizeOf);
  }

  function kept<Value>(name: string, make: () => Value, sizeOf: (value: Value) => number): Value {
    return cached(name, 'column', make, sizeOf);
  }

  function stored(name: string): StoredNumbers {
    const make = () => {
      if (RARE_COLUMNS.has(name) && source.encoding(name) === null) return NO_NUMBERS;
      const { layout, payload, ...range } = read(name);
      const numbers = decodeNumbers(layout, range, payload, rows);
      if (numbers.column.values?.buffer !== payload.buffer) release(payload);
      return numbers;
    };
    return cached(name, 'column', make, ({ bytes }) => bytes);
  }

  function integers(name: string): NumberColumn {
    const { column: own, isRest } = stored(name);
    if (!isRest) return unpacked(own, rows);
    const { layout, payload, ...range } = read(name);
    const sums = decodeDerived(layout, range, payload, rows, (SUMMANDS[name] ?? []).map(integers));
    release(payload);
    return sums;
  }

  function sets(): SymbolSets {
    const make = () => {
      const { payload } = read(SYMBOL_SETS_COLUMN);
      const decoded = decodeSets(payload);
      release(payload);
      return decoded;
    };
    return cached(SYMBOL_SETS_COLUMN, 'column', make, (value) => [...value.values()].reduce(addBytes, 0));
  }

  function symbolSet(name: FactColumn): Uint32Array {
    const set = sets().get(name);
    if (set === undefined) throw new SegmentDamaged(`${title}: symbols of ${name} are missing`);
    return set;
  }

  function symbols(name: FactColumn): SymbolColumn {
    const make = (): KeptSymbols => {
      const { layout, payload } = read(name);
      const leader = leaderOf(layout) as FactColumn | null;
      if (leader !== null) return { leader, ...decodeFollower(payload, NO_CODES) };
      return { leader, set: symbolSet(name), codes: decodeCodes(layout as CodeLayout, payload) };
    };
    const { leader, set, codes } = cached(name, 'column', make, symbolBytes);
    // Read each time, so that codes are cached once and are evicted with their own column.
    return { set, codes: leader === null ? codes : symbols(leader).codes };
  }

  function combination(columns: readonly FactColumn[]): Combination {
    const make = (): KeptCombination => {
      const made = combine(chunk, columns);
      const owner = columns.find((name) => made.codes !== null && symbols(name).codes === made.codes) ?? null;
      return { owner, ...made, codes: owner === null ? made.codes : null };
    };
    const kept = cached(`combination:${columns.join()}`, 'column', make, combinationBytes);
    return kept.owner === null ? kept : { ...kept, codes: symbols(kept.owner).codes };
  }

  function hasOpaqueHashes(): boolean {
    const make = () => source.encoding('event_hash')?.includes('opaque') === true;
    return cached('opaque hashes', 'column', make, () => 0);
  }

  const chunk: FactChunk = {
    ...source.span,
    rowCount: rows,
    prepare: () => {},
    eventIds: () => integers(EVENT_ID_COLUMN),
    numbers: integers,
    stored: (name) => stored(name ?? EVENT_ID_COLUMN),
    symbolSet,
    symbols,
    texts: (name) => cached(name, 'bulk', () => decodeTexts(read(name).payload, rows), textBytes),
    hashes: (name) => {
      const make = () => {
        const { layout, payload } = read(name);
        return decodeHashes(layout as HashLayout, payload, rows);
      };
      return cached(name, 'bulk', make, hashBytes);
    },
    combination,
    searched: searchedSegment({
      rows,
      read,
      hasOpaqueHashes,
      kept,
    }),
    kept,
    liveRows: () => access.liveRows(chunk),
    sums: access.sums,
  };
  return { chunk, stored };
}

function addBytes(sum: number, set: Uint32Array): number {
  return sum + set.byteLength;
}

function textBytes({ bytes, starts }: TextColumn): number {
  return bytes.byteLength + starts.byteLength;
}

function hashBytes({ rows, opaque }: HashColumn): number {
  return rows.byteLength + opaque.size * 64;
}

function symbolBytes({ set, codes }: KeptSymbols): number {
  return set.byteLength + (codes?.byteLength ?? 0);
}
