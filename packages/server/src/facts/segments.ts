import type { Database } from 'bun:sqlite';
import type { CacheClass, ColumnCache } from './cache.ts';
import type { FactChunk } from './chunk.ts';
import type { FactColumn } from './columns.ts';
import { foldColumn } from './fold.ts';
import { combinationBytes, combine } from './kernels/combinations.ts';
import { type ColumnBlob, SegmentDamaged, unpackColumn } from './segment/blob.ts';
import { decodeDerived, isDerived, SUMMANDS } from './segment/derived.ts';
import { EVENT_ID_COLUMN, SEGMENT_FORMAT, SYMBOL_SETS_COLUMN } from './segment/encode.ts';
import { decodeHashes, type HashColumn, type HashLayout } from './segment/hashes.ts';
import { decodeIntegers, type IntegerLayout, type NumberColumn } from './segment/integers.ts';
import {
  type CodeLayout,
  decodeCodes,
  decodeFollower,
  decodeSets,
  leaderOf,
  type SymbolColumn,
  type SymbolSets,
} from './segment/symbol-codes.ts';
import { decodeTexts, type TextColumn, type TextLayout } from './segment/texts.ts';

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

export interface FactSegments {
  /** Every sealed segment as this read transaction sees it, oldest first. */
  list(): FactChunk[];
}

/** Segments never change, so what was decoded once stays right. */
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

  const encoding = db.query<{ encoding: string }, [number, string]>(
    'SELECT encoding FROM fact_segment_columns WHERE segment_id = ? AND name = ?',
  );

  function open(segment: SegmentRow): FactChunk {
    const { id, row_count: rows } = segment;
    if (segment.format !== SEGMENT_FORMAT) {
      throw new SegmentDamaged(`segment ${id}: format ${segment.format} is not known to this version`);
    }

    function read<Layout extends string = string>(
      name: string,
    ): { layout: Layout; payload: Uint8Array; min: number; max: number } {
      const row = column.get(id, name);
      if (row === null) throw new SegmentDamaged(`segment ${id}: column ${name} is missing`);
      const { layout, payload } = unpackColumn(row satisfies ColumnBlob, `segment ${id}, column ${name}`);
      return { layout: layout as Layout, payload, min: row.min_value ?? 0, max: row.max_value ?? 0 };
    }

    function cached<Value>(key: string, kind: CacheClass, load: () => Value, sizeOf: (value: Value) => number): Value {
      return cache.get(`${id}:${key}`, kind, load, sizeOf);
    }

    function integers(name: string): NumberColumn {
      const load = () => {
        const { layout, payload, min, max } = read(name);
        if (!isDerived(layout)) return decodeIntegers(layout as IntegerLayout, min, payload, rows);
        const summands = SUMMANDS[name] ?? [];
        return decodeDerived(layout, { min, max }, payload, rows, summands.map(integers));
      };
      return cached(name, 'column', load, ({ values }) => values?.byteLength ?? 0);
    }

    function sets(): SymbolSets {
      const load = () => decodeSets(read(SYMBOL_SETS_COLUMN).payload);
      return cached(SYMBOL_SETS_COLUMN, 'column', load, (value) => [...value.values()].reduce(addBytes, 0));
    }

    function symbolSet(name: FactColumn): Uint32Array {
      const set = sets().get(name);
      if (set === undefined) throw new SegmentDamaged(`segment ${id}: symbols of ${name} are missing`);
      return set;
    }

    function symbols(name: FactColumn): SymbolColumn {
      const load = (): SymbolColumn => {
        const { layout, payload } = read(name);
        const leader = leaderOf(layout);
        if (leader !== null) return decodeFollower(payload, symbols(leader as FactColumn));
        return { set: symbolSet(name), codes: decodeCodes(layout as CodeLayout, payload) };
      };
      return cached(name, 'column', load, symbolBytes);
    }

    function loadFolded(name: FactColumn): TextColumn {
      const { layout, payload } = read<TextLayout>(name);
      return foldColumn(layout, decodeTexts(payload, rows));
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
      symbolSet,
      symbols,
      texts: (name) => cached(name, 'bulk', () => decodeTexts(read(name).payload, rows), textBytes),
      foldedTexts: (name) => cached(`${name}:folded`, 'bulk', () => loadFolded(name), textBytes),
      hashes: (name) => {
        const load = () => {
          const { layout, payload } = read<HashLayout>(name);
          return decodeHashes(layout, payload, rows);
        };
        return cached(name, 'bulk', load, hashBytes);
      },
      combination: (columns) =>
        cached(`combination:${columns.join()}`, 'column', () => combine(chunk, columns), combinationBytes),
      hasOpaqueHashes: () => {
        const load = () => encoding.get(id, 'event_hash')?.encoding.includes('opaque') === true;
        return cached('opaque hashes', 'column', load, () => 0);
      },
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

/** Codes shared with a leader are counted once more: they stay as long as either does. */
function symbolBytes({ set, codes }: SymbolColumn): number {
  return set.byteLength + (codes?.byteLength ?? 0);
}
