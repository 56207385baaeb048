import type { Database } from 'bun:sqlite';
import type { FactChunk } from './chunk.ts';
import { FACT_COLUMNS, type FactColumn } from './columns.ts';
import { type Growable, growableHashes, growableNumbers, growableSymbols, growableTexts } from './growable.ts';
import { combine } from './kernels/combinations.ts';
import { readSealedUntil, SEALED_UNTIL } from './sealed-until.ts';
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
  readonly numbers: Map<FactColumn, Growable<NumberColumn>>;
  readonly symbols: Map<FactColumn, Growable<SymbolColumn>>;
  readonly texts: Map<FactColumn, Growable<TextColumn>>;
  readonly foldedTexts: Map<FactColumn, Growable<TextColumn>>;
  readonly hashes: Map<FactColumn, Growable<HashColumn>>;
}

type Loadable = Growable<unknown>;

/** What is made of the tail goes with the next event. */
const NO_SIZE = () => 0;

/**
 * The tail as columns that grow with it. A column is read when a query first needs it, later only its new rows. Rows leave
 * the tail only by sealing, oldest first; then everything starts anew, because a sealed tail is short.
 */
export function createFactTail(db: Database, liveRows: (chunk: FactChunk) => Uint8Array | null): FactTail {
  // Not their number as well: counting reads every page of the table.
  const oldest = db.query<{ id: number | null }, []>(
    `SELECT min(event_id) AS id FROM facts_tail WHERE event_id > ${SEALED_UNTIL}`,
  );
  const addedIds = db.query<never, [number]>('SELECT event_id FROM facts_tail WHERE event_id > ? ORDER BY event_id');
  let columns = emptyColumns();

  function refresh(): FactChunk | null {
    const first = oldest.get()?.id ?? null;
    if (first === null) {
      columns = emptyColumns();
      return null;
    }
    if (columns.eventIds.rows() > 0 && valueAt(columns.eventIds.column(), 0) !== first) columns = emptyColumns();
    appendIds();
    return tailChunk(columns);
  }

  function appendIds(): void {
    const { eventIds } = columns;
    const last = eventIds.rows() === 0 ? readSealedUntil(db) : valueAt(eventIds.column(), eventIds.rows() - 1);
    eventIds.append(addedIds.values(last).map((row) => row[0]));
  }

  /** Reads the missing rows of the given columns, those that miss the same rows in one statement. */
  function load(loadables: ReadonlyMap<Loadable, FactColumn>): void {
    const ids = columns.eventIds.column();
    const groups = new Map<number, [Loadable, FactColumn][]>();
    for (const entry of loadables) {
      const have = entry[0].rows();
      if (have >= columns.eventIds.rows()) continue;
      const group = groups.get(have) ?? [];
      group.push(entry);
      groups.set(have, group);
    }
    for (const [have, group] of groups) {
      const statement = db.query<never, [number]>(
        `SELECT ${group.map(([, name]) => name).join(', ')} FROM facts_tail WHERE event_id >= ? ORDER BY event_id`,
      );
      const rows: readonly (readonly unknown[])[] = statement.values(valueAt(ids, have));
      for (const [index, [growable]] of group.entries()) growable.append(rows.map((row) => row[index]));
    }
  }

  function tailChunk(current: Columns): FactChunk {
    const of = <Column>(map: Map<FactColumn, Growable<Column>>, name: FactColumn, create: () => Growable<Column>) => {
      const growable = map.get(name) ?? create();
      map.set(name, growable);
      load(new Map<Loadable, FactColumn>([[growable, name]]));
      return growable.column();
    };
    const ids = current.eventIds.column();
    const times = of(current.numbers, 'timestamp_ms', growableNumbers);
    const rowCount = current.eventIds.rows();
    const range = rangeOf(times);
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
      foldedTexts: (name) => of(current.foldedTexts, name, () => growableTexts(true)),
      combination: (names) => chunk.kept(`combination:${names.join()}`, () => combine(chunk, names), NO_SIZE),
      kept<Value>(name: string, make: () => Value) {
        if (!kept.has(name)) kept.set(name, make());
        return kept.get(name) as Value;
      },
      hashes: (name) => of(current.hashes, name, growableHashes),
      hasOpaqueHashes: () => of(current.hashes, 'event_hash', growableHashes).opaque.size > 0,
      liveRows: () => liveRows(chunk),
    };
    return chunk;
  }

  return { refresh };
}

/** Numbers and symbols of the announced names; long texts and hashes load when they are really searched. */
function announced(columns: Columns, names: Iterable<FactColumn>): ReadonlyMap<Loadable, FactColumn> {
  const loadables = new Map<Loadable, FactColumn>();
  for (const name of names) {
    const kind = FACT_COLUMNS[name];
    if (kind === 'text' || kind === 'bytes') continue;
    if (kind === 'symbol') {
      const growable = columns.symbols.get(name) ?? growableSymbols();
      columns.symbols.set(name, growable);
      loadables.set(growable, name);
    } else {
      const growable = columns.numbers.get(name) ?? growableNumbers();
      columns.numbers.set(name, growable);
      loadables.set(growable, name);
    }
  }
  return loadables;
}

function emptyColumns(): Columns {
  return {
    eventIds: growableNumbers(),
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

function rangeOf(column: NumberColumn): { readonly min: number; readonly max: number } {
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  for (const value of column.values ?? []) {
    if (value < min) min = value;
    if (value > max) max = value;
  }
  return { min: column.base + min, max: column.base + max };
}
