import type { Database } from 'bun:sqlite';
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
import { EVENT_ID_COLUMN, SEGMENT_FORMAT, SYMBOL_SETS_COLUMN } from './segment/encode.ts';
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

interface SegmentRow {
  readonly id: number;
  readonly format: number;
  readonly row_count: number;
  readonly first_event_id: number;
  readonly last_event_id: number;
  readonly min_timestamp_ms: number;
  readonly max_timestamp_ms: number;
}

interface ColumnRow {
  readonly encoding: string;
  readonly min_value: number | null;
  readonly max_value: number | null;
  readonly checksum: number;
  readonly data: Uint8Array;
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

export interface FactSegments {
  /** Every sealed segment in this read transaction, oldest first. */
  list(): FactChunk[];
}

/** Segments never change, so cached values stay valid. */
export function createFactSegments(
  db: Database,
  cache: ColumnCache,
  liveRows: (chunk: FactChunk) => Uint8Array | null,
): FactSegments {
  const segments = db.query<SegmentRow, []>(
    `SELECT id, format, row_count, first_event_id, last_event_id, min_timestamp_ms, max_timestamp_ms
     FROM fact_segments
     ORDER BY first_event_id`,
  );
  // Reads by the primary key.
  const column = db.query<ColumnRow, [number, string]>(
    `SELECT encoding, min_value, max_value, checksum, data
     FROM fact_segment_columns
     WHERE segment_id = ? AND name = ?`,
  );

  // By the primary key.
  const encoding = db.query<{ encoding: string }, [number, string]>(
    'SELECT encoding FROM fact_segment_columns WHERE segment_id = ? AND name = ?',
  );

  function open(segment: SegmentRow): FactChunk {
    const { id, row_count: rows } = segment;
    if (segment.format !== SEGMENT_FORMAT) {
      throw new SegmentDamaged(`fact segment ${id}: format ${segment.format} is unknown to this version`);
    }

    /** The reader releases the payload unless it keeps a part of it. */
    function read(name: string): ReadColumn {
      const row = column.get(id, name);
      if (row === null) throw new SegmentDamaged(`fact segment ${id}: column ${name} is missing`);
      const { layout, payload } = unpackColumn(row satisfies ColumnBlob, `segment ${id}, column ${name}`);
      if (payload !== row.data) release(row.data);
      return { layout, payload, min: row.min_value ?? 0, max: row.max_value ?? 0 };
    }

    function cached<Value>(key: string, kind: CacheClass, make: () => Value, sizeOf: (value: Value) => number): Value {
      return cache.get(`${id}:${key}`, kind, make, sizeOf);
    }

    function kept<Value>(name: string, make: () => Value, sizeOf: (value: Value) => number): Value {
      return cached(name, 'column', make, sizeOf);
    }

    function stored(name: string): StoredNumbers {
      const make = () => {
        if (RARE_COLUMNS.has(name) && encoding.get(id, name) === null) return NO_NUMBERS;
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
      if (set === undefined) throw new SegmentDamaged(`fact segment ${id}: symbols of ${name} are missing`);
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
      const make = () => encoding.get(id, 'event_hash')?.encoding.includes('opaque') === true;
      return cached('opaque hashes', 'column', make, () => 0);
    }

    const chunk: FactChunk = {
      segmentId: id,
      rowCount: rows,
      firstEventId: segment.first_event_id,
      lastEventId: segment.last_event_id,
      minTimestampMs: segment.min_timestamp_ms,
      maxTimestampMs: segment.max_timestamp_ms,
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
      liveRows: () => liveRows(chunk),
    };
    return chunk;
  }

  return { list: () => segments.all().map(open) };
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
