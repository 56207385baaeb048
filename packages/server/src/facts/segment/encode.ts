import { isFolded } from '../case-folding.ts';
import { FACT_COLUMNS, type FactColumn, type FactColumnKind, RARE_COLUMNS } from '../columns.ts';
import { release } from '../decode/release.ts';
import { type ColumnBlob, packColumn } from './blob.ts';
import { encodeDerived, SUMMANDS } from './derived.ts';
import { createHashEncoding, type HashValue } from './hashes.ts';
import { createWidener, encodeIntegers, type OffsetArray } from './integers.ts';
import { encodeSets, encodeSymbolColumns, type SymbolSets } from './symbol-codes.ts';
import { createTextEncoding } from './texts.ts';

/** Version of everything in `segment/`; readers refuse a segment with another one. */
export const SEGMENT_FORMAT = 1;

/** A separate column: the ids that are the key of `facts_tail`. */
export const EVENT_ID_COLUMN = 'event_id';
/** Distinct symbols of every symbol column, in one blob. */
export const SYMBOL_SETS_COLUMN = 'symbol_sets';

/** Rows of the tail, column by column, before encoding. */
export interface FactRows {
  readonly eventIds: OffsetArray;
  readonly numbers: ColumnSource<OffsetArray>;
  /** In slices of any number of rows, none of them empty. */
  readonly texts: ColumnSource<Iterable<readonly string[]>>;
  readonly hashes: ColumnSource<Iterable<readonly HashValue[]>>;
}

/** A map, or columns that are read on demand: texts and hashes are, once each. */
type ColumnSource<Values> = Pick<ReadonlyMap<FactColumn, Values>, 'get'>;

export interface EncodedColumn extends ColumnBlob {
  readonly name: string;
  readonly min: number | null;
  readonly max: number | null;
}

export const FACT_COLUMN_ENTRIES = Object.entries(FACT_COLUMNS) as readonly [FactColumn, FactColumnKind][];

export function encodeSegment(rows: FactRows): EncodedColumn[] {
  const names = FACT_COLUMN_ENTRIES.map(([name]) => name);
  const all = new Set(names.filter((name) => !RARE_COLUMNS.has(name) || need(rows.numbers, name).some(isNotZero)));
  const ids = orderlyIntegers(EVENT_ID_COLUMN, createWidener()(rows.eventIds));
  return [ids, ...encodeColumns(rows, all, new Map())];
}

/**
 * Some columns of a segment. `rows` also has the columns that the encoding of counts depends on. A symbol column and
 * those that share its codes must be encoded together.
 *
 * @param otherSets distinct symbols of the unchanged symbol columns
 */
export function encodeColumns(rows: FactRows, names: ReadonlySet<FactColumn>, otherSets: SymbolSets): EncodedColumn[] {
  const columns: EncodedColumn[] = [];
  const symbols = new Map<string, OffsetArray>();
  const widen = createWidener();
  for (const [name, kind] of FACT_COLUMN_ENTRIES) {
    if (!names.has(name)) continue;
    if (kind === 'text') {
      const encoding = createTextEncoding(isFolded);
      for (const texts of need(rows.texts, name)) encoding.add(texts);
      const { layout, payload } = encoding.finish();
      columns.push(unordered(name, layout, payload));
    } else if (kind === 'bytes') {
      const encoding = createHashEncoding(rows.eventIds.length);
      for (const hashes of need(rows.hashes, name)) encoding.add(hashes);
      const { layout, payload } = encoding.finish();
      columns.push(unordered(name, layout, payload));
    } else if (kind === 'symbol') {
      symbols.set(name, need(rows.numbers, name));
    } else if (kind === 'time') {
      columns.push(orderlyIntegers(name, widen(need(rows.numbers, name))));
    } else {
      columns.push(integers(name, widen(need(rows.numbers, name)), rows));
    }
  }
  if (symbols.size === 0) return columns;
  const encoded = encodeSymbolColumns(symbols);
  for (const { name, layout, payload } of encoded) columns.push(unordered(name, layout, payload));
  const sets = new Map([...otherSets, ...encoded.map(({ name, set }) => [name, set] as const)]);
  columns.push(unordered(SYMBOL_SETS_COLUMN, 'sets', encodeSets(sets)));
  return columns;
}

function isNotZero(value: number): boolean {
  return value !== 0;
}

function orderlyIntegers(name: string, values: Float64Array): EncodedColumn {
  const { layout, min, max, payload } = encodeIntegers(values, true);
  return { name, min, max, ...packed(layout, payload) };
}

function integers(name: FactColumn, values: Float64Array, rows: FactRows): EncodedColumn {
  const summands = SUMMANDS[name]?.map((summand) => need(rows.numbers, summand));
  const { layout, min, max, payload } =
    summands === undefined ? encodeIntegers(values, false) : encodeDerived(values, summands);
  return { name, min, max, ...packed(layout, payload) };
}

function unordered(name: string, layout: string, payload: Uint8Array): EncodedColumn {
  return { name, min: null, max: null, ...packed(layout, payload) };
}

/** The payload is not needed afterwards. */
function packed(layout: string, payload: Uint8Array): ColumnBlob {
  const blob = packColumn(layout, payload);
  if (blob.data !== payload) release(payload);
  return blob;
}

function need<Values>(columns: ColumnSource<Values>, name: FactColumn): Values {
  const column = columns.get(name);
  if (column === undefined) throw new Error(`column missing: ${name}`);
  return column;
}
