import type { Database } from 'bun:sqlite';
import type { UsageEvent } from '@manager/core/usage/event';
import { isImplausibleTime } from '@manager/core/usage/timestamp';
import { stopPoint } from '../../platform/stop-point.ts';
import { createDetailEncoder } from '../detail/detail-codec.ts';
import { createWordTable } from '../detail/words.ts';
import { addToCounter, readCounter, setCounter } from './counters.ts';
import { buildFact } from './fact-row.ts';
import { hashKey } from './hash-key.ts';
import { HeaderSnapshots } from './header-snapshots.ts';
import { HourlySums } from './hourly-rollup.ts';
import { createSymbolWriter, type SymbolWriter } from './symbols.ts';
import { createTailInserter } from './tail-rows.ts';

/** Writes events inside the caller's transaction: ledger, raw row, fact, hourly rollup, header snapshots, counters. */
export interface EventWriter {
  begin(): EventBatch;
  /** Overwrites the raw row with a corrected event, if the row still exists. The caller corrects the fact. */
  correct(event: UsageEvent, id: number): void;
  /** The stored form of an event. */
  detailOf(event: UsageEvent): Uint8Array;
  readonly symbols: Pick<SymbolWriter, 'idOf' | 'idOfCaller' | 'withoutRoom'>;
  /** The caller's transaction was rolled back. */
  rolledBack(): void;
}

export interface EventBatch {
  /**
   * Claims the identity; false = the event is already known. After true, `write` must follow in the same transaction.
   */
  claim(event: UsageEvent): boolean;
  /** Returns the new id. */
  write(event: UsageEvent, receivedAtMs: number): number;
  /** Writes sums and counters of the whole batch. */
  finish(): void;
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
    return {
      claim(event) {
        key = hashKey(event.event_hash);
        return insertClaim.run(key, id + 1, event.timestamp_ms).changes > 0;
      },
      write(event, receivedAtMs) {
        stopPoint('insert_claimed');
        insertEvent.run(id + 1, event.timestamp_ms, details.encode(event));
        const fact = buildFact(event, { id: id + 1, key, receivedAtMs }, symbols);
        insertFact(fact);
        // Nothing below can fail: a failed record changes nothing here.
        id += 1;
        if (hourlyFollows) hourly.add(fact);
        headers.add(event, id, receivedAtMs);
        if (isImplausibleTime(event.timestamp_ms, receivedAtMs)) implausible += 1;
        return id;
      },
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
