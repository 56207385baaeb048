import type { Database } from 'bun:sqlite';
import type { FactChunk } from './chunk.ts';
import { FACT_COLUMNS, type FactColumn } from './columns.ts';
import { type Growable, growableHashes, growableNumbers, growableSymbols, growableTexts } from './growable.ts';
import { combine } from './kernels/combinations.ts';
import { readSealedUntil, SEALED_UNTIL } from './sealed-until.ts';
import { searchedTail } from './searched-columns.ts';
import type { HashColumn } from './segment/hashes.ts';
import type { NumberColumn } from './segment/integers.ts';
import type { SymbolColumn } from './segment/symbol-codes.ts';
import type { TextColumn } from './segment/texts.ts';

export interface FactTail {
  /** Catches up with `facts_tail`; must run in the read transaction that also reads the list of segments. */
  refresh(): FactChunk | null;
}

interface Columns {
  readonly eventIds: Growable<NumberColumn>;
  /** Over all rows read so far. */
  readonly times: { rows: number; min: number; max: number };
  readonly numbers: Map<FactColumn, Growable<NumberColumn>>;
  readonly symbols: Map<FactColumn, Growable<SymbolColumn>>;
  readonly texts: Map<FactColumn, Growable<TextColumn>>;
  readonly foldedTexts: Map<FactColumn, Growable<TextColumn>>;
  readonly hashes: Map<FactColumn, Growable<HashColumn>>;
}

type Loadable = Growable<unknown>;

/** Rows read at once: as arrays, a whole tail needs ten times the memory of its columns. */
const SLICE_ROWS = 2_048;

/** Cached values of the tail go with the next event, but it may come late. */
const MOST_KEPT = 200;
const NO_SIZE = () => 0;

/**
 * The tail as growing columns. A column is read when a query first needs it, later only its new rows. Rows leave the tail only
 * by sealing, oldest first; then everything is read again, because a sealed tail is short.
 */
export function createFactTail(db: Database, liveRows: (chunk: FactChunk) => Uint8Array | null): FactTail {
  // Without a count: counting reads every page of the table.
  const oldest = db.query<{ id: number | null }, []>(
    `SELECT min(event_id) AS id FROM facts_tail WHERE event_id > ${SEALED_UNTIL}`,
  );
  const addedRows = db.query<never, [number]>(
    `SELECT event_id, timestamp_ms FROM facts_tail WHERE event_id > ? ORDER BY event_id LIMIT ${SLICE_ROWS}`,
  );
  let columns = emptyColumns();
  let chunk: FactChunk | null = null;

  function refresh(): FactChunk | null {
    const first = oldest.get()?.id ?? null;
    if (first === null) {
      columns = emptyColumns();
      chunk = null;
      return null;
    }
    if (columns.eventIds.rows() > 0 && valueAt(columns.eventIds.column(), 0) !== first) {
      columns = emptyColumns();
      chunk = null;
    }
    if (appendRows() || chunk === null) chunk = tailChunk(columns);
    return chunk;
  }

  /** Returns whether there were any. */
  function appendRows(): boolean {
    const { eventIds, numbers } = columns;
    const times = known(numbers, 'timestamp_ms', growableNumbers);
    const before = eventIds.rows();
    let added: readonly (readonly unknown[])[];
    do {
      const count = eventIds.rows();
      added = addedRows.values(count === 0 ? readSealedUntil(db) : valueAt(eventIds.column(), count - 1));
      eventIds.append(added, 0);
      times.append(added, 1);
    } while (added.length === SLICE_ROWS);
    return eventIds.rows() > before;
  }

  /** Reads the missing rows of the given columns; columns with the same missing rows in one statement. */
  function load(loadables: ReadonlyMap<Loadable, FactColumn>): void {
    const ids = columns.eventIds.column();
    const rowCount = columns.eventIds.rows();
    const groups = new Map<number, [Loadable, FactColumn][]>();
    for (const entry of loadables) {
      const have = entry[0].rows();
      if (have >= rowCount) continue;
      const group = groups.get(have) ?? [];
      group.push(entry);
      groups.set(have, group);
    }
    for (const [have, group] of groups) {
      const statement = db.query<never, [number]>(
        `SELECT ${group.map(([, name]) => name).join(', ')}
         FROM facts_tail
         WHERE event_id >= ?
         ORDER BY event_id
         LIMIT ${SLICE_ROWS}`,
      );
      for (let row = have; row < rowCount; row += SLICE_ROWS) {
        const added: readonly (readonly unknown[])[] = statement.values(valueAt(ids, row));
        for (const [place, [growable]] of group.entries()) growable.append(added, place);
      }
    }
  }

  function tailChunk(current: Columns): FactChunk {
    const of = <Column>(map: Map<FactColumn, Growable<Column>>, name: FactColumn, create: () => Growable<Column>) => {
      const growable = known(map, name, create);
      load(new Map<Loadable, FactColumn>([[growable, name]]));
      return growable.column();
    };
    const ids = current.eventIds.column();
    const times = of(current.numbers, 'timestamp_ms', growableNumbers);
    const rowCount = current.eventIds.rows();
    const range = widened(current.times, times);
    const kept = new Map<string, unknown>();
    const chunk: FactChunk = {
      segmentId: null,
      rowCount,
      firstEventId: valueAt(ids, 0),
      lastEventId: valueAt(ids, rowCount - 1),
      minTimestampMs: range.min,
      maxTimestampMs: range.max,
      prepare: (names) => load(announced(current, names)),
      eventIds: () => ids,
      numbers: (name) => of(current.numbers, name, growableNumbers),
      stored: (name) => {
        const column = name === null ? ids : of(current.numbers, name, growableNumbers);
        return { column: { ...column, exceptions: null }, isRest: false, bytes: 0 };
      },
      symbols: (name) => of(current.symbols, name, growableSymbols),
      symbolSet: (name) => of(current.symbols, name, growableSymbols).set,
      texts: (name) => of(current.texts, name, () => growableTexts(false)),
      combination: (names) => chunk.kept(`combination:${names.join()}`, () => combine(chunk, names), NO_SIZE),
      kept<Value>(name: string, make: () => Value) {
        if (kept.size > MOST_KEPT) kept.clear();
        if (!kept.has(name)) kept.set(name, make());
        return kept.get(name) as Value;
      },
      hashes: (name) => of(current.hashes, name, growableHashes),
      searched: searchedTail(
        (name) => of(current.foldedTexts, name, () => growableTexts(true)),
        () => of(current.hashes, 'event_hash', growableHashes),
      ),
      liveRows: () => liveRows(chunk),
      sums: () => null,
    };
    return chunk;
  }

  return { refresh };
}

function announced(columns: Columns, names: Iterable<FactColumn>): ReadonlyMap<Loadable, FactColumn> {
  return new Map(Array.from(names, (name) => [growableOf(columns, name), name] as const));
}

function growableOf(columns: Columns, name: FactColumn): Loadable {
  switch (FACT_COLUMNS[name]) {
    case 'symbol':
      return known(columns.symbols, name, growableSymbols);
    case 'text':
      return known(columns.foldedTexts, name, () => growableTexts(true));
    case 'bytes':
      return known(columns.hashes, name, growableHashes);
    default:
      return known(columns.numbers, name, growableNumbers);
  }
}

function known<Column>(
  map: Map<FactColumn, Growable<Column>>,
  name: FactColumn,
  create: () => Growable<Column>,
): Growable<Column> {
  const growable = map.get(name) ?? create();
  map.set(name, growable);
  return growable;
}

function emptyColumns(): Columns {
  return {
    eventIds: growableNumbers(),
    times: { rows: 0, min: Number.POSITIVE_INFINITY, max: Number.NEGATIVE_INFINITY },
    numbers: new Map(),
    symbols: new Map(),
    texts: new Map(),
    foldedTexts: new Map(),
    hashes: new Map(),
  };
}

function valueAt(column: NumberColumn, row: number): number {
  return column.base + (column.values?.[row] ?? 0);
}

/** Includes the added times. */
function widened(range: Columns['times'], column: NumberColumn): { readonly min: number; readonly max: number } {
  for (const count = column.values?.length ?? 0; range.rows < count; range.rows++) {
    const time = valueAt(column, range.rows);
    if (time < range.min) range.min = time;
    if (time > range.max) range.max = time;
  }
  return { min: range.min, max: range.max };
}
