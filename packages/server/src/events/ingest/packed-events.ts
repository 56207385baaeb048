import { enrich } from '@manager/core/usage/enrich';
import type { AccountSnapshotTable } from '@manager/core/usage/event';
import { prepareForInsert } from '@manager/core/usage/insert';
import { readRecord } from '@manager/core/usage/record';
import { FACT_COLUMN_NAMES, FACT_COLUMNS, FactFlag, type FactRow } from '../../facts/columns.ts';
import { sha256Hex } from '../../platform/sha256.ts';
import { createDetailEncoder } from '../detail/detail-codec.ts';
import type { WordMirror } from '../detail/word-mirror.ts';
import type { PackedEvent } from './event-writer.ts';
import { buildFact } from './fact-row.ts';
import { hashKey } from './hash-key.ts';
import { snapshotKeyOf } from './header-snapshots.ts';
import type { IngestRecord } from './ingest-record.ts';
import type { CountedSymbolIds, SymbolIds } from './symbols.ts';

/** Records on their way to the preparer. */
export interface PackedRecords {
  readonly texts: readonly string[];
  readonly receivedAtMs: Float64Array<ArrayBuffer>;
}

export function packRecords(records: readonly IngestRecord[]): PackedRecords {
  return {
    texts: records.map(({ text }) => text),
    receivedAtMs: Float64Array.from(records, (record) => record.receivedAtMs),
  };
}

/**
 * Events on their way back: few large values, because many small ones take longer to pass than to make. A text has a
 * place; that of a symbol is doubled, plus 1 for one that a caller chose.
 */
export interface PackedEvents {
  /** `ROW` numbers of each record. */
  readonly numbers: Float64Array<ArrayBuffer>;
  /** Key and detail of each event. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Different texts, one after the other; the first is empty. */
  readonly texts: string;
  readonly textEnds: Int32Array<ArrayBuffer>;
  /** Texts that should become words. */
  readonly words: readonly string[];
}

/** Places in a row, before the columns of the fact. */
const Place = { outcome: 0, keyText: 1, detailBytes: 2, snapshotKey: 3, columns: 4 } as const;
const ROW = Place.columns + FACT_COLUMN_NAMES.length;
const KEY_BYTES = 32;

/** Bits of `Place.outcome`; 0 = not packed. */
const Outcome = { event: 1, repaired: 2, cut: 4 } as const;

const COLUMNS = FACT_COLUMN_NAMES.map((name, index) => ({ name, kind: FACT_COLUMNS[name], at: Place.columns + index }));

export type Packer = (records: PackedRecords, snapshots: AccountSnapshotTable | null) => PackedEvents;

/** Reads records and packs their events. What is no event, or fails, is left to whoever stores them. */
export function createPacker(words: WordMirror): Packer {
  const details = createDetailEncoder(words);
  const parts: Uint8Array[] = [];
  const places = new Map<string, number>();
  let texts: string[] = [];

  function placeOf(text: string): number {
    const known = places.get(text);
    if (known !== undefined) return known;
    const place = texts.push(text) - 1;
    places.set(text, place);
    return place;
  }

  const symbols: SymbolIds = { idOf: (text) => 2 * placeOf(text), idOfCaller: (text) => 2 * placeOf(text) + 1 };

  function pack(text: string, receivedAtMs: number, snapshots: AccountSnapshotTable | null, row: Float64Array): void {
    const outcome = readRecord(text, { nowMs: receivedAtMs, sha256Hex });
    if (outcome.kind !== 'event') return;
    const { event, cut } = prepareForInsert(snapshots === null ? outcome.event : enrich(outcome.event, snapshots));
    const key = hashKey(event.event_hash);
    const detail = details.encode(event, outcome.hashComputed && !cut);
    const fact = buildFact(event, { id: 0, key, receivedAtMs }, symbols);
    for (const { name, kind, at } of COLUMNS) {
      if (kind !== 'bytes') row[at] = kind === 'text' ? placeOf(fact[name] as string) : (fact[name] as number);
    }
    row[Place.keyText] = typeof key === 'string' ? placeOf(key) : 0;
    row[Place.detailBytes] = detail.length;
    row[Place.snapshotKey] = placeOf(snapshotKeyOf(event, receivedAtMs));
    // Last: of a record that fails nothing is packed.
    if (typeof key !== 'string') parts.push(key);
    parts.push(detail);
    row[Place.outcome] = Outcome.event | (outcome.repaired ? Outcome.repaired : 0) | (cut ? Outcome.cut : 0);
  }

  return (records, snapshots) => {
    parts.length = 0;
    places.clear();
    texts = [];
    placeOf('');
    const numbers = new Float64Array(records.texts.length * ROW);
    for (const [index, text] of records.texts.entries()) {
      const receivedAtMs = records.receivedAtMs[index] ?? 0;
      try {
        pack(text, receivedAtMs, snapshots, numbers.subarray(index * ROW, (index + 1) * ROW));
      } catch {
        // Whoever stores it fails as well, and finds out whether the record is the cause.
      }
    }
    const textEnds = new Int32Array(texts.length);
    let end = 0;
    for (let index = 0; index < texts.length; index += 1) {
      end += texts[index]?.length ?? 0;
      textEnds[index] = end;
    }
    return {
      numbers,
      bytes: new Uint8Array(Bun.concatArrayBuffers(parts)),
      texts: texts.join(''),
      textEnds,
      words: words.takeWanted(),
    };
  };
}

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
