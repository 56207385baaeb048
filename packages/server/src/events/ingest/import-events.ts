import type { Database } from 'bun:sqlite';
import type { UsageEvent } from '@manager/core/usage/event';
import { stopPoint } from '../../platform/stop-point.ts';
import { isRecordFailure } from '../../sqlite/worker/errors.ts';
import { createEventWriter, type EventBatch, type EventWriter, type EventWriterOptions } from './event-writer.ts';
import { createTailCounter } from './tail-rows.ts';

/**
 * Most events of one transaction, and bytes of their JSON text: small enough that a batch of the collector waits little.
 * Decoded and parsed a batch needs four times its text, so at most 32 MiB are used for it; a single event may be larger.
 */
export const IMPORT_BATCH_EVENTS = 256;
export const IMPORT_BATCH_BYTES = 8 * 1024 * 1024;
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
}

export interface ImportInserter {
  /**
   * Stores the new events of a batch in one transaction: all or none. Events are written unchanged: their reader has
   * done the work of `prepareForInsert`.
   */
  insert(events: readonly UsageEvent[]): ImportInsertResult;
}

/** For a command with its own writable database, while the server does not run. */
export function createOfflineImportInserter(
  db: Database,
  options: EventWriterOptions & { readonly now: () => number },
): ImportInserter {
  return createImportInserter(db, createEventWriter(db, options), options.now);
}

type Tally = { added: number; skipped: number; failed: number };
type Write = (event: UsageEvent, batch: EventBatch, tally: Tally) => void;

/** An inserter that shares its writer with other inserts of one connection. */
export function createImportInserter(db: Database, writer: EventWriter, now: () => number): ImportInserter {
  const tailRows = createTailCounter(db);
  const write: Write = (event, batch, tally) => {
    if (!batch.claim(event)) {
      tally.skipped += 1;
      return;
    }
    // The original arrival decides whether a time is plausible, so that an import gives the same result as the first database.
    batch.write(event, Math.min(event.created_at_ms, now()));
    tally.added += 1;
  };

  /** In separate savepoints, so that the failing event is found. */
  const writeAlone: Write = (event, batch, tally) => {
    const before = { ...tally };
    try {
      db.transaction(() => write(event, batch, tally))();
    } catch (error) {
      if (!isRecordFailure(error)) throw error;
      writer.rolledBack();
      Object.assign(tally, before);
      tally.failed += 1;
    }
  };

  function writeAll(events: readonly UsageEvent[], one: Write): ImportInsertResult {
    const tally: Tally = { added: 0, skipped: 0, failed: 0 };
    try {
      db.transaction(() => {
        const batch = writer.begin();
        for (const event of events) one(event, batch, tally);
        // When all of several events fail, the events are not the cause.
        if (tally.failed > 1 && tally.failed === events.length) throw new Error('none of the events can be stored');
        batch.finish();
        stopPoint('import_batch_written');
      }).immediate();
    } catch (error) {
      writer.rolledBack();
      throw error;
    }
    stopPoint('import_batch_stored');
    return { ...tally, tailRows: tailRows() };
  }

  return {
    insert(events) {
      try {
        return writeAll(events, write);
      } catch (error) {
        if (!isRecordFailure(error)) throw error;
      }
      return writeAll(events, writeAlone);
    },
  };
}
