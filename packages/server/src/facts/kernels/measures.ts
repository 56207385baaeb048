import { FactFlag } from '../columns.ts';
import { isZero } from '../decode/numbers.ts';
import type { SelectedRows } from '../rows.ts';
import type { Pricer } from './cost.ts';

/**
 * What groupings add up, computed once for the rows of a chunk and shared by all of them. Values that few rows have are
 * lists of those rows, which keeps the loop over all rows short.
 */
export interface Measures {
  /** ms; 0 where unknown. */
  readonly latencies: Float64Array;
  /** In 10⁻¹⁵ USD. */
  readonly costs: Float64Array;
  readonly failed: RowList;
  /** Latency unknown or 0. */
  readonly withoutLatency: RowList;
  /** Successes without tokens. */
  readonly zeroTokens: RowList;
  /** With tokens and without a price. */
  readonly unpriced: RowList;
  readonly cached: ListedValues;
  readonly cacheCreation: ListedValues;
  /** The part of total tokens beyond input and output. */
  readonly unexplained: ListedValues;
}

/** Positions among the selected rows, ascending. */
export interface RowList {
  readonly at: Uint32Array;
  readonly count: number;
}

export interface ListedValues extends RowList {
  /** Value of each selected row. */
  readonly values: Float64Array;
}

type Counted = 'cached_tokens' | 'cache_creation_tokens';

const NO_ROWS: ListedValues = { at: new Uint32Array(0), count: 0, values: new Float64Array(0) };

export function measuresOf(rows: SelectedRows, pricer: Pricer): Measures {
  return rows.once(`measures:${pricer.revision}`, () => ({
    latencies: latenciesOf(rows),
    costs: pricer.costs(rows),
    failed: failedOf(rows),
    withoutLatency: withoutLatencyOf(rows),
    zeroTokens: zeroTokensOf(rows),
    unpriced: unpricedOf(rows, pricer),
    cached: aboveZero(rows, 'cached_tokens'),
    cacheCreation: aboveZero(rows, 'cache_creation_tokens'),
    unexplained: unexplainedOf(rows),
  }));
}

export function failedOf(rows: SelectedRows): RowList {
  return rows.once('failed rows', () => {
    const at = rows.workspace.words('failed rows', rows.chunk.rowCount);
    return { at, count: listFailed(rows.numbers('flags'), rows.count, at) };
  });
}

/** Values are stored plus 1; unknown is 0. */
function latenciesOf(rows: SelectedRows): Float64Array {
  const latencies = rows.workspace.doubles('latencies', rows.chunk.rowCount);
  lowerByOne(rows.numbers('latency_ms'), rows.count, latencies);
  return latencies;
}

function withoutLatencyOf(rows: SelectedRows): RowList {
  const at = rows.workspace.words('rows without latency', rows.chunk.rowCount);
  return { at, count: listAtMostOne(rows.numbers('latency_ms'), rows.count, at) };
}

function zeroTokensOf(rows: SelectedRows): RowList {
  const at = rows.workspace.words('rows without tokens', rows.chunk.rowCount);
  return { at, count: listZero(rows.numbers('total_tokens'), rows.numbers('flags'), rows.count, at) };
}

/** Rows with tokens and without a price. */
export function unpricedOf(rows: SelectedRows, pricer: Pricer): RowList {
  return rows.once(`unpriced rows:${pricer.revision}`, () => {
    const { codes, priced } = pricer.priced(rows);
    if (priced.every((isPriced) => isPriced === 1)) return NO_ROWS;
    const at = rows.workspace.words('rows without price', rows.chunk.rowCount);
    return { at, count: listUnpriced(rows.numbers('total_tokens'), codes, priced, rows.count, at) };
  });
}

function aboveZero(rows: SelectedRows, column: Counted): ListedValues {
  if (isZero(rows.chunk.stored(column))) return NO_ROWS;
  const values = rows.numbers(column);
  const at = rows.workspace.words(`rows with ${column}`, rows.chunk.rowCount);
  return { at, count: listAboveZero(values, rows.count, at), values };
}

function unexplainedOf(rows: SelectedRows): ListedValues {
  const values = rows.workspace.doubles('unexplained tokens', rows.chunk.rowCount);
  const at = rows.workspace.words('rows with unexplained tokens', rows.chunk.rowCount);
  const [total, input, output] = [
    rows.numbers('total_tokens'),
    rows.numbers('input_tokens'),
    rows.numbers('output_tokens'),
  ];
  return { at, count: listUnexplained(total, input, output, rows.count, values, at), values };
}

function lowerByOne(stored: Float64Array, count: number, into: Float64Array): void {
  for (let index = 0; index < count; index++) into[index] = Math.max((stored[index] ?? 0) - 1, 0);
}

// Every position is written and kept by incrementing the count: a branch would be unpredictable and slower.

function listFailed(flags: Float64Array, count: number, into: Uint32Array): number {
  let found = 0;
  for (let index = 0; index < count; index++) {
    into[found] = index;
    found += (flags[index] ?? 0) & FactFlag.failed;
  }
  return found;
}

function listAtMostOne(stored: Float64Array, count: number, into: Uint32Array): number {
  let found = 0;
  for (let index = 0; index < count; index++) {
    into[found] = index;
    found += (stored[index] ?? 0) <= 1 ? 1 : 0;
  }
  return found;
}

function listZero(total: Float64Array, flags: Float64Array, count: number, into: Uint32Array): number {
  let found = 0;
  for (let index = 0; index < count; index++) {
    into[found] = index;
    found += (total[index] ?? 0) === 0 ? 1 - ((flags[index] ?? 0) & FactFlag.failed) : 0;
  }
  return found;
}

function listUnpriced(
  total: Float64Array,
  codes: Uint32Array,
  priced: Uint8Array,
  count: number,
  into: Uint32Array,
): number {
  let found = 0;
  for (let index = 0; index < count; index++) {
    into[found] = index;
    found += (total[index] ?? 0) === 0 ? 0 : 1 - (priced[codes[index] ?? 0] ?? 0);
  }
  return found;
}

function listAboveZero(values: Float64Array, count: number, into: Uint32Array): number {
  let found = 0;
  for (let index = 0; index < count; index++) {
    into[found] = index;
    found += (values[index] ?? 0) === 0 ? 0 : 1;
  }
  return found;
}

function listUnexplained(
  total: Float64Array,
  input: Float64Array,
  output: Float64Array,
  count: number,
  values: Float64Array,
  into: Uint32Array,
): number {
  let found = 0;
  for (let index = 0; index < count; index++) {
    const rest = (total[index] ?? 0) - (input[index] ?? 0) - (output[index] ?? 0);
    values[index] = rest;
    into[found] = index;
    found += rest === 0 ? 0 : 1;
  }
  return found;
}
