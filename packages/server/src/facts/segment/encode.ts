import { FACT_COLUMNS, type FactColumn, type FactColumnKind } from '../columns.ts';
import { type ColumnBlob, packColumn } from './blob.ts';
import { encodeHashes, type HashValue } from './hashes.ts';
import { encodeIntegers } from './integers.ts';
import { createSymbolEncoder, encodeSets } from './symbol-codes.ts';
import { encodeTexts } from './texts.ts';

/** Version of everything in `segment/`; readers refuse a segment with another one. */
export const SEGMENT_FORMAT = 1;

/** A column of its own: the ids that `facts_tail` has as its key. */
export const EVENT_ID_COLUMN = 'event_id';
/** Distinct symbols of every symbol column, in one blob. */
export const SYMBOL_SETS_COLUMN = 'symbol_sets';

/** Rows of the tail, column by column, before they are encoded. */
export interface FactRows {
  readonly eventIds: Float64Array;
  readonly numbers: ReadonlyMap<FactColumn, Float64Array>;
  readonly texts: ReadonlyMap<FactColumn, readonly string[]>;
  readonly hashes: ReadonlyMap<FactColumn, readonly HashValue[]>;
}

export interface EncodedColumn extends ColumnBlob {
  readonly name: string;
  readonly min: number | null;
  readonly max: number | null;
}

export const FACT_COLUMN_ENTRIES = Object.entries(FACT_COLUMNS) as readonly [FactColumn, FactColumnKind][];

export function encodeSegment(rows: FactRows): EncodedColumn[] {
  const encodeSymbols = createSymbolEncoder();
  const sets = new Map<string, Uint32Array>();
  const columns: EncodedColumn[] = [integers(EVENT_ID_COLUMN, rows.eventIds, true)];
  for (const [name, kind] of FACT_COLUMN_ENTRIES) {
    if (kind === 'text') {
      columns.push(unordered(name, 'texts', encodeTexts(need(rows.texts, name))));
    } else if (kind === 'bytes') {
      const { layout, payload } = encodeHashes(need(rows.hashes, name));
      columns.push(unordered(name, layout, payload));
    } else if (kind === 'symbol') {
      const { set, layout, payload } = encodeSymbols(need(rows.numbers, name));
      sets.set(name, set);
      columns.push(unordered(name, layout, payload));
    } else {
      columns.push(integers(name, need(rows.numbers, name), kind === 'time'));
    }
  }
  columns.push(unordered(SYMBOL_SETS_COLUMN, 'sets', encodeSets(sets)));
  return columns;
}

function integers(name: string, values: Float64Array, orderly: boolean): EncodedColumn {
  const { layout, min, max, payload } = encodeIntegers(values, orderly);
  return { name, min, max, ...packColumn(layout, payload) };
}

function unordered(name: string, layout: string, payload: Uint8Array): EncodedColumn {
  return { name, min: null, max: null, ...packColumn(layout, payload) };
}

function need<Value>(columns: ReadonlyMap<FactColumn, Value>, name: FactColumn): Value {
  const column = columns.get(name);
  if (column === undefined) throw new Error(`column missing: ${name}`);
  return column;
}
