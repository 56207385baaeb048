import { createColumnCache } from '../cache.ts';
import type { FactChunk } from '../chunk.ts';
import { type FactColumn, FactFlag, RARE_COLUMNS } from '../columns.ts';
import { distinctTasksSection } from '../kernels/distinct-tasks.ts';
import { keepNewest } from '../kernels/newest.ts';
import { createPairTable } from '../kernels/pair-table.ts';
import { type SelectedRows, selectedRows } from '../rows.ts';
import { packColumn } from '../segment/blob.ts';
import { type EncodedColumn, encodeColumns } from '../segment/encode.ts';
import { encodeIntegers } from '../segment/integers.ts';
import { type ColumnSource, openColumns } from '../segment-chunk.ts';
import { createWorkspace } from '../workspace.ts';
import { NO_SUMS, packSums, type SumsBlob } from './blob.ts';
import {
  CLASS_LIMITS,
  GROUPINGS,
  type Grouping,
  SLOWEST_COLUMNS,
  SUM_COLUMNS,
  SUMMED_COLUMNS,
  type SumColumn,
  SYMBOL_GROUPINGS,
  type SymbolGrouping,
  TIME_WIDTHS_MS,
} from './groupings.ts';
import { slowestRows } from './slowest.ts';
import { taskEdges } from './task-edges.ts';

/** The sums of a segment by one grouping, encoded. */
export interface EncodedSums extends SumsBlob {
  readonly grouping: Grouping;
}

/** A segment before it is stored. */
export interface EncodedSegment
  extends Pick<FactChunk, 'rowCount' | 'firstEventId' | 'lastEventId' | 'minTimestampMs' | 'maxTimestampMs'> {
  readonly columns: readonly EncodedColumn[];
}

/** Groups by time above which the next longer stretch is taken. */
const MOST_TIMES = 8_192;
/** Above this, a quarter of a segment, they are not faster to read than the columns, and nothing is stored. */
const MOST_GROUPS = 16_384;

interface Groups {
  readonly count: number;
  readonly groupOf: Uint32Array;
}

/** Takes the rows again, for other columns: all at once would take ten megabytes. Arrays of the rows before are gone. */
type TakeRows = () => SelectedRows;

/**
 * Everything that is stored of a sealed segment besides its columns.
 *
 * @param onGarbage called whenever some megabytes are no longer needed
 */
export function makeSums(chunk: FactChunk, onGarbage: () => void = () => {}): EncodedSums[] {
  const workspace = createWorkspace();
  const take = () => {
    workspace.clear();
    return selectedRows(chunk, { count: chunk.rowCount, rows: null }, workspace);
  };
  const classes = classesOf(take());
  const sums: EncodedSums[] = [];
  for (const grouping of SYMBOL_GROUPINGS) {
    sums.push({ grouping, ...groupedSums(take, grouping, classes) });
    onGarbage();
  }
  sums.push({ grouping: 'slowest', ...slowestOf(take()) });
  onGarbage();
  sums.push({ grouping: 'tasks', ...tasksOf(take()) });
  workspace.clear();
  return sums;
}

function groupedSums(take: TakeRows, grouping: SymbolGrouping, classes: Uint32Array): SumsBlob {
  const rows = take();
  const columns = GROUPINGS[grouping];
  const { count, codes } = rows.codes(columns);
  const base = split({ count, groupOf: codes }, classes, CLASS_LIMITS.length + 1, rows.count);
  const { groups, widthMs } = grouping === 'times' ? byTime(rows, base) : { groups: base, widthMs: 0 };
  if (groups.count > MOST_GROUPS) return NO_SUMS;
  return packSums(groups.count, { widthMs }, encodeGroups(take, groups, columns, widthMs, classes));
}

function slowestOf(rows: SelectedRows): SumsBlob {
  for (const widthMs of TIME_WIDTHS_MS) {
    const made = slowestRows(rows, stretchesOf(rows, widthMs), MOST_GROUPS);
    if (made === null) continue;
    const count = made.value.length;
    if (count === 0) return packSums(0, { widthMs }, []);
    const columns = [
      encodeNumbers('timestamp_ms', made.times, true),
      ...SLOWEST_COLUMNS.map((name) => encodeNumbers(name, made[name], name === 'value')),
    ];
    return packSums(count, { widthMs }, columns);
  }
  return NO_SUMS;
}

function tasksOf(rows: SelectedRows): SumsBlob {
  const section = distinctTasksSection();
  const counts = section.create();
  section.add(counts, rows, { chunks: [], rowsOf: () => rows });
  const { rows: kept, ...bounds } = taskEdges(rows);
  const columns = (['timestamp_ms', 'task_key_high', 'task_key_low', 'flags'] as const).map((name) => {
    const values = rows.numbers(name);
    return encodeNumbers(
      name,
      Float64Array.from(kept, (row) => values[row] ?? 0),
      name === 'timestamp_ms',
    );
  });
  return packSums(kept.length, { widthMs: 0, ...counts, ...bounds }, columns);
}

/** The same for a segment that is not stored yet. */
export function makeSumsOf(encoded: EncodedSegment, onGarbage?: () => void): EncodedSums[] {
  const columns = new Map(encoded.columns.map((column) => [column.name, column]));
  const { rowCount, columns: _columns, ...span } = encoded;
  const source: ColumnSource = {
    name: 'a fact segment',
    rows: rowCount,
    span: { segmentId: null, ...span },
    column: (name) => {
      const found = columns.get(name);
      // A copy: the reader keeps or releases it.
      return found === undefined ? null : { ...found, data: new Uint8Array(found.data) };
    },
    encoding: (name) => columns.get(name)?.encoding ?? null,
  };
  const access = { liveRows: () => null, sums: () => null };
  return makeSums(openColumns(source, createColumnCache(), access).chunk, onGarbage);
}

/** Number of limits that the input of each row is above. */
function classesOf(rows: SelectedRows): Uint32Array {
  const classes = new Uint32Array(rows.count);
  const input = rows.numbers('input_tokens');
  for (const limit of CLASS_LIMITS) {
    for (let index = 0; index < rows.count; index++) {
      if ((input[index] ?? 0) > limit) classes[index] = (classes[index] ?? 0) + 1;
    }
  }
  return classes;
}

/** Splits groups by a second number of each row. */
function split({ count, groupOf }: Groups, codes: Uint32Array, codeCount: number, rows: number): Groups {
  const pairs = createPairTable();
  const into = new Uint32Array(rows);
  pairs.number(groupOf, count, codes, codeCount, rows, into);
  const made = { count: pairs.count(), groupOf: into };
  pairs.release();
  return made;
}

/** Splits by the shortest stretch of time that does not make too many groups. */
function byTime(rows: SelectedRows, base: Groups): { readonly groups: Groups; readonly widthMs: number } {
  let made = { groups: base, widthMs: 0 };
  for (const widthMs of TIME_WIDTHS_MS) {
    const { codes, count } = stretchesOf(rows, widthMs);
    made = { groups: split(base, codes, count, rows.count), widthMs };
    if (made.groups.count <= MOST_TIMES) break;
  }
  return made;
}

function stretchesOf(rows: SelectedRows, widthMs: number) {
  const times = rows.numbers('timestamp_ms');
  const codes = new Uint32Array(rows.count);
  const codeOf = new Map<number, number>();
  for (let index = 0; index < rows.count; index++) {
    const stretch = Math.floor((times[index] ?? 0) / widthMs);
    let code = codeOf.get(stretch);
    if (code === undefined) {
      code = codeOf.size;
      codeOf.set(stretch, code);
    }
    codes[index] = code;
  }
  return { codes, count: codeOf.size, startsMs: Array.from(codeOf.keys(), (stretch) => stretch * widthMs) };
}

function encodeGroups(
  take: TakeRows,
  groups: Groups,
  columns: readonly FactColumn[],
  widthMs: number,
  classes: Uint32Array,
): EncodedColumn[] {
  const first = firstRows(groups);
  const numbers = new Map<FactColumn, Float64Array>();
  const rows = take();
  const { codes, symbols } = rows.codes(columns);
  for (const [place, column] of columns.entries()) {
    numbers.set(
      column,
      Float64Array.from(first, (row) => symbols[place]?.[codes[row] ?? 0] ?? 0),
    );
  }
  if (widthMs > 0) {
    const times = rows.numbers('timestamp_ms');
    numbers.set(
      'timestamp_ms',
      Float64Array.from(first, (row) => Math.floor((times[row] ?? 0) / widthMs) * widthMs),
    );
  }
  for (const column of SUMMED_COLUMNS) {
    const sums = sumsOf(groups, take().numbers(column));
    if (!RARE_COLUMNS.has(column) || sums.some((sum) => sum !== 0)) numbers.set(column, sums);
  }
  const others = countsOf(take(), groups);
  others.set(
    'input_class',
    Float64Array.from(first, (row) => classes[row] ?? 0),
  );
  const source = { eventIds: new Float64Array(0), numbers, texts: new Map(), hashes: new Map() };
  return [
    ...encodeColumns(source, new Set(numbers.keys()), new Map()),
    ...SUM_COLUMNS.map((name) => encodeNumbers(name, others.get(name) ?? new Float64Array(groups.count))),
  ];
}

/** @param orderly may be stored as differences */
function encodeNumbers(name: string, values: Float64Array, orderly = false): EncodedColumn {
  const { layout, min, max, payload } = encodeIntegers(values, orderly);
  return { name, min, max, ...packColumn(layout, payload) };
}

/** A row of each group. */
function firstRows({ count, groupOf }: Groups): Uint32Array {
  const rows = new Uint32Array(count);
  for (let row = groupOf.length - 1; row >= 0; row--) rows[groupOf[row] ?? 0] = row;
  return rows;
}

function sumsOf({ count, groupOf }: Groups, values: Float64Array): Float64Array {
  const sums = new Float64Array(count);
  for (let row = 0; row < groupOf.length; row++) {
    const group = groupOf[row] ?? 0;
    sums[group] = (sums[group] ?? 0) + (values[row] ?? 0);
  }
  return sums;
}

/** What is derived from the flags, latencies, times and ids of events. */
function countsOf(rows: SelectedRows, groups: Groups): Map<SumColumn, Float64Array> {
  const flags = rows.numbers('flags');
  const latency = rows.numbers('latency_ms');
  const total = rows.numbers('total_tokens');
  const times = rows.numbers('timestamp_ms');
  const ids = rows.eventIds();
  const values = rows.workspace.doubles('counted', rows.count);
  const of = (value: (row: number) => number) => {
    for (let row = 0; row < rows.count; row++) values[row] = value(row);
    return sumsOf(groups, values);
  };
  const flag = (bit: number) => of((row) => (((flags[row] ?? 0) & bit) === 0 ? 0 : 1));
  const newest = new Float64Array(groups.count * 2);
  for (let row = rows.count - 1; row >= 0; row--) {
    keepNewest(newest, (groups.groupOf[row] ?? 0) * 2, times[row] ?? 0, ids, row);
  }
  const everySecond = (from: number) =>
    Float64Array.from({ length: groups.count }, (_, group) => newest[group * 2 + from] ?? 0);
  return new Map<SumColumn, Float64Array>([
    ['calls', of(() => 1)],
    ['failures', flag(FactFlag.failed)],
    ['latency_sum_ms', of((row) => Math.max((latency[row] ?? 0) - 1, 0))],
    ['calls_without_latency', of((row) => ((latency[row] ?? 0) <= 1 ? 1 : 0))],
    ['zero_token_calls', of((row) => (total[row] === 0 && ((flags[row] ?? 0) & FactFlag.failed) === 0 ? 1 : 0))],
    ['token_calls', of((row) => (total[row] === 0 ? 0 : 1))],
    ['inconsistent_calls', flag(FactFlag.inconsistent)],
    ['implausible_calls', flag(FactFlag.implausibleTime)],
    ['newest_ms', everySecond(0)],
    ['newest_event_id', everySecond(1)],
  ]);
}
