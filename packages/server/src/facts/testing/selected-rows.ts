import type { FactChunk } from '../chunk.ts';
import type { FactColumn } from '../columns.ts';
import type { SelectedRows } from '../rows.ts';
import type { EarlierRows, Section } from '../section.ts';
import { createWorkspace } from '../workspace.ts';

/** Number columns of one chunk for a kernel; includes `timestamp_ms`. */
export type NumberRows = Readonly<Partial<Record<FactColumn, readonly number[]>>>;

/** Feeds a section with chunks outside a database, to test any split of the rows. */
export function feedSection<State>(section: Section<State>, state: State, chunks: readonly NumberRows[]): State {
  const fed: SelectedRows[] = [];
  for (const chunk of chunks) feedMore(section, state, chunk, fed);
  return state;
}

/** @param fed what the state already has; the chunk is added */
export function feedMore<State>(section: Section<State>, state: State, chunk: NumberRows, fed: SelectedRows[]): void {
  const earlier: EarlierRows = {
    chunks: fed.map((rows) => rows.chunk),
    rowsOf: (wanted) => fed.find((rows) => rows.chunk === wanted) ?? rowsFrom({}),
  };
  const rows = rowsFrom(chunk);
  section.add(state, rows, earlier);
  fed.push(rows);
}

export function rowsFrom(columns: NumberRows): SelectedRows {
  const times = columns.timestamp_ms ?? [];
  const count = times.length;
  const refuse = (): never => {
    throw new Error('only numbers are here');
  };
  const valuesOf = (column: FactColumn) => Float64Array.from(columns[column] ?? new Array<number>(count).fill(0));
  const chunk: FactChunk = {
    segmentId: null,
    rowCount: count,
    firstEventId: 1,
    lastEventId: count,
    minTimestampMs: Math.min(...times),
    maxTimestampMs: Math.max(...times),
    prepare: () => {},
    eventIds: refuse,
    numbers: (column) => ({ base: 0, values: valuesOf(column) }),
    stored: refuse,
    symbols: refuse,
    symbolSet: refuse,
    texts: refuse,
    hashes: refuse,
    combination: refuse,
    searched: { markTexts: refuse, markHashes: refuse, markOpaqueHashes: refuse },
    kept: (_name, make) => make(),
    liveRows: () => null,
    sums: () => null,
  };
  return {
    chunk,
    selection: { count, rows: null },
    count,
    workspace: createWorkspace(),
    numbers: valuesOf,
    eventIds: refuse,
    codes: refuse,
    once: (_name, make) => make(),
  };
}
