import { FACT_COLUMN_NAMES, FACT_COLUMNS, FactFlag, type FactRow } from '../../facts/columns.ts';
import type { PackedEvent } from './event-writer.ts';
import type { CountedSymbolIds } from './symbols.ts';

/**
 * Events on their way to the writer from a thread that has packed them: few large values, because many small ones take longer to pass than to make. A text has a
 * place; that of a symbol is doubled, plus 1 for one that a caller chose.
 */
export interface PackedEvents {
  /** `ROW` numbers of each record or event; rows of 0 at the end count for nothing. */
  readonly numbers: Float64Array<ArrayBuffer>;
  /** Key and detail of each event. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Texts, one after the other; the first is empty. */
  readonly texts: string;
  readonly textEnds: Int32Array<ArrayBuffer>;
  /** Texts that should become words. */
  readonly words: readonly string[];
}

/** The buffers to move instead of copying them. */
export function buffersOf({ numbers, bytes }: PackedEvents): ArrayBuffer[] {
  return [numbers.buffer, bytes.buffer];
}

/** Places in a row, before the columns of the fact. */
export const Place = { outcome: 0, keyText: 1, detailBytes: 2, snapshotKey: 3, columns: 4 } as const;
/** Numbers of a row. */
export const ROW = Place.columns + FACT_COLUMN_NAMES.length;
const KEY_BYTES = 32;

/** Bits of `Place.outcome`; 0 = not packed. */
export const Outcome = { event: 1, repaired: 2, cut: 4 } as const;

export const COLUMNS = FACT_COLUMN_NAMES.map((name, index) => ({
  name,
  kind: FACT_COLUMNS[name],
  at: Place.columns + index,
}));

/** A packed event with what the caller of an insert is told about it. */
export interface ReceivedEvent extends PackedEvent {
  readonly authIndex: string;
  readonly failed: boolean;
  readonly repaired: boolean;
  readonly cut: boolean;
}

/** Reads the events in the order of their records; null for one that is not packed. Each is valid until the next is read. */
export function unpack({ numbers, bytes, texts, textEnds }: PackedEvents): () => ReceivedEvent | null {
  /** By the packed number of a symbol; 0 = not looked up yet. */
  const ids = new Int32Array(2 * textEnds.length);
  let row = -ROW;
  let at = 0;
  const numberAt = (place: number) => numbers[row + place] ?? 0;
  const textOf = (text: number) => texts.slice(textEnds[text - 1] ?? 0, textEnds[text]);
  const textAt = (place: number) => textOf(numberAt(place));

  function symbolAt(place: number, symbols: CountedSymbolIds): number {
    const packed = numberAt(place);
    const known = ids[packed] ?? 0;
    if (known !== 0) return known;
    const text = textOf(packed >> 1);
    const { withoutRoom } = symbols;
    const id = (packed & 1) === 0 ? symbols.idOf(text) : symbols.idOfCaller(text);
    // Texts without room are counted as often as they occur.
    if (symbols.withoutRoom === withoutRoom) ids[packed] = id;
    return id;
  }

  function factAt(id: number, key: string | Uint8Array, symbols: CountedSymbolIds): FactRow {
    const fact: Record<string, number | string | Uint8Array> = { event_id: id };
    for (const { name, kind, at: place } of COLUMNS) {
      if (kind === 'symbol') fact[name] = symbolAt(place, symbols);
      else if (kind === 'text') fact[name] = textAt(place);
      else fact[name] = kind === 'bytes' ? key : numberAt(place);
    }
    // Every column was set, with a value of its kind.
    return fact as unknown as FactRow;
  }

  function take(length: number): Uint8Array {
    at += length;
    return bytes.subarray(at - length, at);
  }

  return () => {
    row += ROW;
    const outcome = numberAt(Place.outcome);
    if (outcome === 0) return null;
    const keyText = textAt(Place.keyText);
    const key = keyText === '' ? take(KEY_BYTES) : keyText;
    return {
      key,
      timestampMs: numberAt(TIMESTAMP),
      detail: take(numberAt(Place.detailBytes)),
      snapshotKey: textAt(Place.snapshotKey),
      fact: (id, symbols) => factAt(id, key, symbols),
      authIndex: textOf(numberAt(AUTH_INDEX) >> 1),
      failed: (numberAt(FLAGS) & FactFlag.failed) !== 0,
      repaired: (outcome & Outcome.repaired) !== 0,
      cut: (outcome & Outcome.cut) !== 0,
    };
  };
}

function placeOfColumn(name: (typeof FACT_COLUMN_NAMES)[number]): number {
  return Place.columns + FACT_COLUMN_NAMES.indexOf(name);
}

const TIMESTAMP = placeOfColumn('timestamp_ms');
const AUTH_INDEX = placeOfColumn('auth_index');
const FLAGS = placeOfColumn('flags');
