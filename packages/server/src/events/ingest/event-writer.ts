import type { Database } from 'bun:sqlite';
import type { UsageEvent } from '@manager/core/usage/event';
import { FactFlag, type FactRow } from '../../facts/columns.ts';
import { stopPoint } from '../../platform/stop-point.ts';
import { createDetailEncoder } from '../detail/detail-codec.ts';
import { createWordTable } from '../detail/words.ts';
import { addToCounter, readCounter, setCounter } from './counters.ts';
import { buildFact } from './fact-row.ts';
import { hashKey } from './hash-key.ts';
import { HeaderSnapshots, snapshotKeyOf } from './header-snapshots.ts';
import { HourlySums } from './hourly-rollup.ts';
import { type CountedSymbolIds, createSymbolWriter } from './symbols.ts';
import { createTailInserter } from './tail-rows.ts';

/** Writes events inside the caller's transaction: ledger, raw row, fact, hourly rollup, header snapshots, counters. */
export interface EventWriter {
  begin(): EventBatch;
  /** Overwrites the raw row with a corrected event, if the row still exists. The caller corrects the fact. */
  correct(event: UsageEvent, id: number): void;
  /** The stored form of an event. */
  detailOf(event: UsageEvent): Uint8Array;
  /** Number of a text that details share; adds it when it is new. */
  wordId(text: string): number;
  readonly symbols: CountedSymbolIds;
  /** The caller's transaction was rolled back. */
  rolledBack(): void;
}

export interface EventBatch {
  /**
   * Claims the identity; false = the event is already known. After true, `write` must follow in the same transaction.
   */
  claim(event: UsageEvent): boolean;
  /**
   * Returns the new id.
   *
   * @param hashComputed see `DetailEncoder`
   */
  write(event: UsageEvent, receivedAtMs: number, hashComputed?: boolean): number;
  /** The same for an event that another thread has packed. */
  claimPacked(event: PackedEvent): boolean;
  writePacked(event: PackedEvent): number;
  /** Writes sums and counters of the whole batch. */
  finish(): void;
}

/** An event in the form in which it is stored, except for its numbers of symbols and its id. */
export interface PackedEvent {
  readonly key: string | Uint8Array;
  readonly timestampMs: number;
  readonly detail: Uint8Array;
  /** '' = it has no headers. */
  readonly snapshotKey: string;
  fact(id: number, symbols: CountedSymbolIds): FactRow;
}

export interface EventWriterOptions {
  /** False: the hourly rollup stays behind and catches up later. */
  readonly hourlyRollup: boolean;
}

export function createEventWriter(db: Database, options: EventWriterOptions): EventWriter {
  const symbols = createSymbolWriter(db);
  const words = createWordTable(db);
  const details = createDetailEncoder(words);
  const lastId = db.query<{ seq: number }, []>("SELECT seq FROM sqlite_sequence WHERE name = 'usage_events'");
  const insertClaim = db.query(
    `INSERT INTO usage_event_identity_ledger (event_hash, event_id, timestamp_ms) VALUES (?, ?, ?)
     ON CONFLICT DO NOTHING`,
  );
  const insertEvent = db.query('INSERT INTO usage_events (id, timestamp_ms, detail) VALUES (?, ?, ?)');
  const updateDetail = db.query('UPDATE usage_events SET detail = ? WHERE id = ?');
  const insertFact = createTailInserter(db);

  function begin(): EventBatch {
    const previousId = lastId.get()?.seq ?? 0;
    // A hourly rollup that is behind must catch up first, or the events between would be missing forever.
    const hourlyFollows = options.hourlyRollup && readCounter(db, 'hourly_core_event_id') === previousId;
    const hourly = new HourlySums();
    const headers = new HeaderSnapshots();
    let id = previousId;
    let implausible = 0;
    let key: string | Uint8Array = '';

    const claimKey = (claimed: string | Uint8Array, timestampMs: number) =>
      insertClaim.run(claimed, id + 1, timestampMs).changes > 0;

    function writePacked(event: PackedEvent): number {
      stopPoint('insert_claimed');
      const { timestampMs, snapshotKey } = event;
      insertEvent.run(id + 1, timestampMs, event.detail);
      const fact = event.fact(id + 1, symbols);
      insertFact(fact);
      // Nothing below can fail: a failed record changes nothing here.
      id += 1;
      if (hourlyFollows) hourly.add(fact);
      headers.addOf(snapshotKey, timestampMs, id);
      if ((fact.flags & FactFlag.implausibleTime) !== 0) implausible += 1;
      return id;
    }

    return {
      claim(event) {
        key = hashKey(event.event_hash);
        return claimKey(key, event.timestamp_ms);
      },
      write: (event, receivedAtMs, hashComputed) =>
        writePacked({
          key,
          timestampMs: event.timestamp_ms,
          detail: details.encode(event, hashComputed),
          snapshotKey: snapshotKeyOf(event, receivedAtMs),
          fact: (newId) => buildFact(event, { id: newId, key, receivedAtMs }, symbols),
        }),
      claimPacked: (event) => claimKey(event.key, event.timestampMs),
      writePacked,
      finish() {
        if (id === previousId) return;
        if (hourlyFollows) {
          hourly.writeTo(db);
          setCounter(db, 'hourly_core_event_id', id);
        }
        headers.writeTo(db);
        addToCounter(db, 'events', id - previousId);
        addToCounter(db, 'implausible_timestamps', implausible);
      },
    };
  }

  return {
    begin,
    wordId: (text) => words.idOf(text),
    symbols,
    correct(event, id) {
      updateDetail.run(details.encode(event), id);
    },
    detailOf: (event) => details.encode(event),
    rolledBack() {
      symbols.rolledBack();
      words.rolledBack();
    },
  };
}
