import type { Database } from 'bun:sqlite';
import type { UsageEvent } from '@manager/core/usage/event';
import { stopPoint } from '../../platform/stop-point.ts';
import { isRecordFailure } from '../../sqlite/worker/errors.ts';
import type { Word } from '../detail/word-mirror.ts';
import { createEventWriter, type EventBatch, type EventWriter, type EventWriterOptions } from './event-writer.ts';
import { type PackedEvents, unpack } from './packed-events.ts';
import { createTailCounter } from './tail-rows.ts';

/**
 * Most events of one transaction, and bytes of their records after which a batch ends: small enough that a batch of the collector
 * waits little, and that little is in memory. A single record may be larger.
 */
export const IMPORT_BATCH_EVENTS = 256;
export const IMPORT_BATCH_BYTES = 4 * 1024 * 1024;
/**
 * Such a batch exists in several copies for a while: nothing else of an import is in memory then, and garbage is collected.
 */
export const HEAVY_BATCH_BYTES = 4 * 1024 * 1024;

export interface ImportInsertResult {
  readonly added: number;
  readonly skipped: number;
  /** Events that fail even alone. */
  readonly failed: number;
  /** Facts that wait for sealing. */
  readonly tailRows: number;
  /** Words that a packed batch wanted, for the thread that packs the next one. */
  readonly words: readonly Word[];
}

/**
 * Stores the new events of a batch in one transaction: all or none. Events are written unchanged: their reader has done
 * the work of `prepareForInsert`.
 */
export interface ImportInserter {
  insert(events: readonly UsageEvent[]): ImportInsertResult;
  /** The same for events that another thread has packed. */
  insertPacked(events: PackedEvents): ImportInsertResult;
}

/** For a command with its own writable database, while the server does not run. */
export function createOfflineImportInserter(
  db: Database,
  options: EventWriterOptions & { readonly now: () => number },
): ImportInserter {
  return createImportInserter(db, createEventWriter(db, options), options.now);
}

/**
 * When an imported event counts as received: the original arrival decides whether its time is plausible, so that an import gives the same
 * result as the first database.
 */
export function receivedAt(event: UsageEvent, nowMs: number): number {
  return Math.min(event.created_at_ms, nowMs);
}

interface Tally {
  added: number;
  skipped: number;
  failed: number;
  words: readonly Word[];
}

/** Stores one event; false = it is already known. */
type Entry = (batch: EventBatch) => boolean;

/** An inserter that shares its writer with other inserts of one connection. */
export function createImportInserter(db: Database, writer: EventWriter, now: () => number): ImportInserter {
  const tailRows = createTailCounter(db);

  function write(entry: Entry, batch: EventBatch, tally: Tally): void {
    if (entry(batch)) tally.added += 1;
    else tally.skipped += 1;
  }

  /** In a separate savepoint, so that the failing event is found. */
  function writeAlone(entry: Entry, batch: EventBatch, tally: Tally): void {
    const before = { ...tally };
    try {
      db.transaction(() => write(entry, batch, tally))();
    } catch (error) {
      if (!isRecordFailure(error)) throw error;
      writer.rolledBack();
      Object.assign(tally, before);
      tally.failed += 1;
    }
  }

  function writeAll(entries: Iterable<Entry>, one: typeof write, wanted: readonly string[]): ImportInsertResult {
    const tally: Tally = { added: 0, skipped: 0, failed: 0, words: [] };
    try {
      db.transaction(() => {
        const batch = writer.begin();
        for (const entry of entries) one(entry, batch, tally);
        // When all of several events fail, the events are not the cause.
        if (tally.failed > 1 && tally.added + tally.skipped === 0) throw new Error('none of the events can be stored');
        batch.finish();
        // What only known events have is no use.
        if (tally.added > 0) tally.words = wanted.map((text) => [text, writer.wordId(text)]);
        stopPoint('import_batch_written');
      }).immediate();
    } catch (error) {
      writer.rolledBack();
      throw error;
    }
    stopPoint('import_batch_stored');
    return { ...tally, tailRows: tailRows() };
  }

  /** @param entries of the batch, from its beginning */
  function store(entries: () => Iterable<Entry>, wanted: readonly string[]): ImportInsertResult {
    try {
      return writeAll(entries(), write, wanted);
    } catch (error) {
      if (!isRecordFailure(error)) throw error;
    }
    return writeAll(entries(), writeAlone, []);
  }

  function entryOf(event: UsageEvent): Entry {
    return (batch) => {
      if (!batch.claim(event)) return false;
      batch.write(event, receivedAt(event, now()));
      return true;
    };
  }

  return {
    insert: (events) => store(() => events.map(entryOf), []),
    insertPacked: (events) => store(() => packedEntries(events), events.words),
  };
}

function* packedEntries(packed: PackedEvents): Generator<Entry, void> {
  const next = unpack(packed);
  for (let event = next(); event !== null; event = next()) {
    const unpacked = event;
    yield (batch) => {
      if (!batch.claimPacked(unpacked)) return false;
      batch.writePacked(unpacked);
      return true;
    };
  }
}
