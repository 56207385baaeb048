import type { UsageEvent } from '@manager/core/usage/event';
import { createDetailEncoder } from '../detail/detail-codec.ts';
import type { WordMirror } from '../detail/word-mirror.ts';
import { buildFact } from './fact-row.ts';
import { hashKey } from './hash-key.ts';
import { snapshotKeyOf } from './header-snapshots.ts';
import { COLUMNS, Outcome, type PackedEvents, Place, ROW } from './packed-events.ts';
import type { SymbolIds } from './symbols.ts';

/** What is stored or told about an event beside its members. */
export interface PackedAbout {
  readonly receivedAtMs: number;
  /** See `DetailEncoder`. */
  readonly hashComputed?: boolean;
  readonly repaired?: boolean;
  readonly cut?: boolean;
}

/** Packs events for the writer, in a thread without a connection to the database. */
export interface EventPacker {
  /** Adds an event in the form in which it is stored. When it throws, nothing was added. */
  add(event: UsageEvent, about: PackedAbout): void;
  /** Adds an empty row, for a record that is no event. */
  skip(): void;
  /** Rows since the last `take`. */
  readonly count: number;
  /** Everything since the last call. */
  take(): PackedEvents;
}

/** @param rows usual number of rows of a `take` */
export function createEventPacker(words: WordMirror, rows: number): EventPacker {
  const details = createDetailEncoder(words);
  const places = new Map<string, number>();
  let texts: string[] = [''];
  let parts: Uint8Array[] = [];
  let numbers = new Float64Array(rows * ROW);
  let count = 0;

  /** Place of a text that hardly any other event has. */
  function ownPlaceOf(text: string): number {
    return text === '' ? 0 : texts.push(text) - 1;
  }

  function placeOf(text: string): number {
    if (text === '') return 0;
    const known = places.get(text);
    if (known !== undefined) return known;
    const place = texts.push(text) - 1;
    places.set(text, place);
    return place;
  }

  const symbols: SymbolIds = { idOf: (text) => 2 * placeOf(text), idOfCaller: (text) => 2 * placeOf(text) + 1 };

  /** Start of the next row, which is empty. */
  function nextRow(): number {
    const row = count * ROW;
    if (row === numbers.length) {
      const grown = new Float64Array(2 * row);
      grown.set(numbers);
      numbers = grown;
    }
    return row;
  }

  return {
    add(event, { receivedAtMs, hashComputed = false, repaired = false, cut = false }) {
      const key = hashKey(event.event_hash);
      const detail = details.encode(event, hashComputed);
      const fact = buildFact(event, { id: 0, key, receivedAtMs }, symbols);
      const snapshotKey = snapshotKeyOf(event, receivedAtMs);
      // Nothing below can fail.
      const row = nextRow();
      for (const { name, kind, at } of COLUMNS) {
        if (kind !== 'bytes')
          numbers[row + at] = kind === 'text' ? ownPlaceOf(fact[name] as string) : (fact[name] as number);
      }
      numbers[row + Place.keyText] = typeof key === 'string' ? ownPlaceOf(key) : 0;
      numbers[row + Place.detailBytes] = detail.length;
      numbers[row + Place.snapshotKey] = ownPlaceOf(snapshotKey);
      numbers[row + Place.outcome] = Outcome.event | (repaired ? Outcome.repaired : 0) | (cut ? Outcome.cut : 0);
      if (typeof key !== 'string') parts.push(key);
      parts.push(detail);
      count += 1;
    },
    skip() {
      nextRow();
      count += 1;
    },
    get count() {
      return count;
    },
    take() {
      const textEnds = new Int32Array(texts.length);
      let end = 0;
      for (let index = 0; index < texts.length; index += 1) {
        end += texts[index]?.length ?? 0;
        textEnds[index] = end;
      }
      const taken: PackedEvents = {
        numbers,
        bytes: new Uint8Array(Bun.concatArrayBuffers(parts)),
        texts: texts.join(''),
        textEnds,
        words: words.takeWanted(),
      };
      numbers = new Float64Array(rows * ROW);
      parts = [];
      texts = [''];
      places.clear();
      count = 0;
      return taken;
    },
  };
}
