import type { Database } from 'bun:sqlite';
import { enrich } from '@manager/core/usage/enrich';
import type { AccountSnapshotTable } from '@manager/core/usage/event';
import { prepareForInsert } from '@manager/core/usage/insert';
import { type RecordOutcome, readRecord } from '@manager/core/usage/record';
import { sha256Hex } from '../../platform/sha256.ts';
import { threadMs } from '../../platform/thread-time.ts';
import { isRecordFailure } from '../../sqlite/worker/errors.ts';
import type { Word } from '../detail/word-mirror.ts';
import { addCollectedBatch } from './collected-batches.ts';
import { type DeadLetter, insertDeadLetters } from './dead-letters.ts';
import type { EventBatch, EventWriter } from './event-writer.ts';
import type { IngestRecord } from './ingest-record.ts';
import { type ReceivedEvent, unpack } from './packed-events.ts';
import type { Preparer, SharedBatch } from './preparer/preparer.ts';
import { createTailCounter } from './tail-rows.ts';

export interface IngestArgs {
  readonly records: readonly IngestRecord[];
  /** Left out = as before; null = no snapshots. */
  readonly snapshots?: AccountSnapshotTable | null;
}

export interface IngestResult {
  readonly inserted: number;
  readonly skipped: number;
  readonly deadLettered: number;
  readonly blank: number;
  /** Inserted events with replaced characters, cut nesting or unusable token counts. */
  readonly repaired: number;
  /** Inserted events that were cut to the record limit. */
  readonly cut: number;
  readonly insertedIds: readonly number[];
  readonly receivedByAuthIndex: ReadonlyMap<string, ReceivedEvents>;
  /** Old dead letters that were removed for new ones. */
  readonly droppedDeadLetters: number;
  /** Facts that wait for sealing. */
  readonly tailRows: number;
  /** Names and addresses that found no room, and are shown as `(other)`. */
  readonly namesWithoutRoom: number;
}

export interface ReceivedEvents {
  readonly success: number;
  readonly failed: number;
}

export interface Ingester {
  ingest(args: IngestArgs): IngestResult;
}

/** Counts of a batch while it is written. */
interface Tally {
  inserted: number;
  skipped: number;
  blank: number;
  repaired: number;
  cut: number;
  readonly insertedIds: number[];
  readonly received: Map<string, { success: number; failed: number }>;
  readonly letters: DeadLetter[];
  readonly failures: unknown[];
  /** That the preparer wanted. */
  readonly words: Word[];
}

/**
 * Converts raw records to rows. One call is one transaction: all records are committed or none. A record that fails
 * even alone becomes a dead letter; a full disk, a lock or an I/O error changes nothing and throws.
 */
export function createIngester(
  db: Database,
  writer: EventWriter,
  now: () => number,
  preparer: Preparer | null = null,
): Ingester {
  let snapshots: AccountSnapshotTable | null = null;
  const tailRows = createTailCounter(db);

  function writeRecord(record: IngestRecord, batch: EventBatch, tally: Tally, outcome = read(record)): void {
    if (outcome.kind === 'blank') {
      tally.blank += 1;
    } else if (outcome.kind === 'dead_letter') {
      tally.letters.push({ payload: record.text, error: outcome.error });
    } else if (outcome.kind === 'event') {
      if (!batch.claim(outcome.event)) {
        tally.skipped += 1;
        return;
      }
      const enriched = snapshots === null ? outcome.event : enrich(outcome.event, snapshots);
      const { event, cut } = prepareForInsert(enriched);
      // The hash is that of the names before they were cut.
      const id = batch.write(event, record.receivedAtMs, outcome.hashComputed && !cut);
      const { auth_index: authIndex, failed } = event;
      count(tally, id, record, { authIndex, failed, repaired: outcome.repaired, cut });
    }
  }

  /** Writes what the preparer has prepared; it gets the words of `tally` after the commit. */
  function writeShared(shared: SharedBatch, batch: EventBatch, tally: Tally): void {
    const ahead = new Map<number, readonly RecordOutcome[]>();
    for (const [chunk, records] of shared.chunks.entries()) {
      const outcomes = ahead.get(chunk);
      const packed =
        outcomes === undefined
          ? shared.take(chunk, (next) => ahead.set(next, (shared.chunks[next] ?? []).map(read)))
          : null;
      ahead.delete(chunk);
      const insertedBefore = tally.inserted;
      const next = packed === null ? null : unpack(packed);
      for (const [index, record] of records.entries()) {
        const event = next === null ? null : next();
        if (event !== null) writePacked(event, record, batch, tally);
        else writeRecord(record, batch, tally, outcomes?.[index]);
      }
      if (packed === null || tally.inserted === insertedBefore) continue;
      for (const text of packed.words) tally.words.push([text, writer.wordId(text)]);
    }
  }

  function writePacked(event: ReceivedEvent, record: IngestRecord, batch: EventBatch, tally: Tally): void {
    if (batch.claimPacked(event)) count(tally, batch.writePacked(event), record, event);
    else tally.skipped += 1;
  }

  /** All records at once, if it helps with the preparer. */
  function writeTogether(records: readonly IngestRecord[], batch: EventBatch, tally: Tally): void {
    const shared = preparer?.begin(records, snapshots) ?? null;
    if (shared === null) {
      for (const record of records) writeRecord(record, batch, tally);
      return;
    }
    try {
      writeShared(shared, batch, tally);
    } finally {
      shared.end();
    }
  }

  function writeAll(records: readonly IngestRecord[], write: typeof writeTogether): IngestResult {
    const tally = emptyTally();
    const withoutRoom = writer.symbols.withoutRoom;
    const dropped = db
      .transaction(() => {
        const batch = writer.begin();
        write(records, batch, tally);
        // When all of several records fail, the records are not the cause.
        if (tally.failures.length > 1 && tally.failures.length === records.length) throw tally.failures[0];
        batch.finish();
        addCollectedBatch(db, tally.insertedIds);
        return insertDeadLetters(db, tally.letters, now());
      })
      .immediate();
    preparer?.learn(tally.words);
    return toResult(tally, {
      droppedDeadLetters: dropped,
      tailRows: tailRows(),
      namesWithoutRoom: writer.symbols.withoutRoom - withoutRoom,
    });
  }

  /** Each record in a separate savepoint, so that the failing one is found. */
  function writeEach(records: readonly IngestRecord[], batch: EventBatch, tally: Tally): void {
    for (const record of records) writeAlone(record, batch, tally);
  }

  function writeAlone(record: IngestRecord, batch: EventBatch, tally: Tally): void {
    try {
      db.transaction(() => writeRecord(record, batch, tally))();
    } catch (error) {
      if (!isRecordFailure(error)) throw error;
      writer.rolledBack();
      tally.failures.push(error);
      tally.letters.push({ payload: record.text, error: 'the record cannot be stored' });
    }
  }

  function store(records: readonly IngestRecord[]): IngestResult {
    try {
      return writeAll(records, writeTogether);
    } catch (error) {
      writer.rolledBack();
      if (!isRecordFailure(error)) throw error;
    }
    try {
      return writeAll(records, writeEach);
    } catch (error) {
      writer.rolledBack();
      throw error;
    }
  }

  return {
    ingest(args) {
      if (args.snapshots !== undefined) snapshots = args.snapshots;
      const beganMs = threadMs();
      try {
        return store(args.records);
      } finally {
        preparer?.tookMs(threadMs() - beganMs);
      }
    },
  };
}

function read(record: IngestRecord): RecordOutcome {
  return readRecord(record.text, { nowMs: record.receivedAtMs, sha256Hex });
}

function count(
  tally: Tally,
  id: number,
  record: IngestRecord,
  event: Pick<ReceivedEvent, 'authIndex' | 'failed' | 'repaired' | 'cut'>,
): void {
  tally.inserted += 1;
  tally.insertedIds.push(id);
  if (event.repaired || record.repaired === true) tally.repaired += 1;
  if (event.cut) tally.cut += 1;
  if (event.authIndex === '') return;
  const received = tally.received.get(event.authIndex) ?? { success: 0, failed: 0 };
  received[event.failed ? 'failed' : 'success'] += 1;
  tally.received.set(event.authIndex, received);
}

function emptyTally(): Tally {
  return {
    inserted: 0,
    skipped: 0,
    blank: 0,
    repaired: 0,
    cut: 0,
    insertedIds: [],
    received: new Map(),
    letters: [],
    failures: [],
    words: [],
  };
}

function toResult(
  tally: Tally,
  after: Pick<IngestResult, 'droppedDeadLetters' | 'tailRows' | 'namesWithoutRoom'>,
): IngestResult {
  return {
    inserted: tally.inserted,
    skipped: tally.skipped,
    deadLettered: tally.letters.length,
    blank: tally.blank,
    repaired: tally.repaired,
    cut: tally.cut,
    insertedIds: tally.insertedIds,
    receivedByAuthIndex: tally.received,
    ...after,
  };
}
