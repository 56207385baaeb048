import { controlOf } from '@manager/core/usage/control';
import type { AccountSnapshotTable } from '@manager/core/usage/event';
import type { DeadLetter } from '../../events/ingest/dead-letters.ts';
import type { IngestResult } from '../../events/ingest/ingest.ts';
import { type QueueRecord, RECORD_OVERHEAD_BYTES } from '../../gateway/records.ts';
import { createGarbageCollector } from '../../platform/garbage.ts';
import { databaseProblem } from '../../sqlite/database-problem.ts';
import { addReceived, type Received } from './answer-sums.ts';
import {
  LARGE_RECORD_BYTES,
  MAX_BATCH_BYTES,
  MAX_BATCH_RECORDS,
  MEMORY_BYTES,
  MEMORY_RECORDS,
  REST_BYTES,
  ROOM_BYTES,
  SPOOLED_COPIES,
  SPOOLING_BYTES,
} from './limits.ts';
import type { CollectorStore, Ingest } from './ports.ts';
import { createRecordQueue, fromSpool, ingestRecordOf, type PendingRecord, type RecordQueue } from './record-queue.ts';
import type { Snapshots } from './snapshots.ts';
import type { Spool } from './spool.ts';
import { createSpoolWriter, type SpoolWriter } from './spool-writer.ts';
import type { CollectorTiming } from './timing.ts';
import { createBackoff, createSignal, pause } from './wait.ts';

/**
 * Between the socket and the writer: accepts every record at once, passes batches on, keeps them until they are committed. A kill
 * loses what is in memory, so memory holds two batches: pops wait for their share of it, and pushed records that find no room go to
 * the spool file. The socket never waits for the database, only for that file.
 */
export interface Inserter {
  /**
   * A pushed record. `handedOverSinceMs`: earliest time at which the gateway can have sent it. A promise asks that nothing more be read
   * until it resolves.
   */
  offer(record: QueueRecord, handedOverSinceMs: number): Promise<void> | null;
  /**
   * Waits until inserts work and one more batch fits: then one may be popped. With `maxSpooled`, its records are written to the spool
   * file, which may hold fewer than these before. Null when `signal` aborts.
   */
  reserve(signal: AbortSignal, maxSpooled?: number): Promise<Reservation | null>;
  /** Waits until inserts work and memory holds no more than it should: then a subscription may start. */
  ready(signal: AbortSignal): Promise<void>;
  /** Resolves when neither memory nor the spool file has room: then a subscription must end. */
  whenFull(signal: AbortSignal): Promise<void>;
  /** Earliest send time of a record that is neither committed nor spooled. */
  oldestUncommitted(): number | null;
  /** Stored events per `auth_index` since the last call. */
  takeReceived(): Received;
  /** Commits the remaining records, else spools them. Returns those that fit nowhere. */
  finish(): Promise<readonly PendingRecord[]>;
}

/** Room for the records of one pop. */
export interface Reservation {
  offer(record: QueueRecord, handedOverSinceMs: number): void;
  /** Gives back what was not used. */
  end(): void;
}

export interface InserterDeps {
  readonly ingest: Ingest;
  readonly store: CollectorStore;
  readonly spool: Spool;
  readonly snapshots: Snapshots;
  readonly now: () => number;
  readonly timing: CollectorTiming;
  readonly batchSize: number;
  /** Records that an earlier run could neither commit nor spool. */
  readonly leftover: readonly PendingRecord[];
  readonly onConsumed: () => void;
  readonly onRefresh: () => void;
  readonly onOutcome: (outcome: IngestResult) => void;
  readonly onDeadLetters: (count: number, dropped: number) => void;
  readonly onSpooledRepaired: (count: number) => void;
  /** '' = inserts work again. */
  readonly onProblem: (text: string) => void;
}

export function createInserter(deps: InserterDeps): Inserter {
  const queue: RecordQueue = createRecordQueue();
  const letters: (DeadLetter & { readonly sinceMs: number })[] = [];
  const finishing = new AbortController();
  const arrived = createSignal();
  const changed = createSignal();
  const filled = createSignal();
  const backoff = createBackoff(deps.timing.backoffMs);
  const collectGarbageOf = createGarbageCollector();
  const memoryRecords = Math.min(2 * deps.batchSize, MEMORY_RECORDS);
  // The rest is for what is on its way into the spool file, or still in the socket.
  const pushedRecords = memoryRecords - Math.floor(deps.batchSize / 2);
  const toSpool: SpoolWriter = createSpoolWriter({
    spool: deps.spool,
    backoffMs: deps.timing.backoffMs,
    onSpooled: countSpooled,
    onChange() {
      if (toSpool.broken()) filled.notify();
      changed.notify();
      arrived.notify();
    },
  });
  let inFlight: readonly PendingRecord[] = [];
  let inFlightBytes = 0;
  /** Records that running pops may still return. */
  let reserved = 0;
  let problem = '';
  let sentSnapshots: AccountSnapshotTable | null = null;
  let spooling: Promise<void> | null = null;
  let received: Received = new Map();

  for (const record of deps.leftover) queue.push(record);
  const pumping = pump();

  /** The record with its times, null when it is no event. */
  function pendingOf(record: QueueRecord, handedOverSinceMs: number): PendingRecord | null {
    deps.onConsumed();
    if ('oversizedBytes' in record) {
      const error = `event of ${record.oversizedBytes} bytes: above the limit, only its beginning is kept`;
      letters.push({ payload: record.head, error, sinceMs: handedOverSinceMs });
      arrived.notify();
      return null;
    }
    const control = controlOf(record.text);
    if (control === 'refresh') deps.onRefresh();
    if (control !== null) return null;
    if (record.bytes >= LARGE_RECORD_BYTES) collectGarbageOf(record.bytes);
    return { ...record, bytes: record.bytes + RECORD_OVERHEAD_BYTES, receivedAtMs: deps.now(), handedOverSinceMs };
  }

  function offer(record: QueueRecord, handedOverSinceMs: number): Promise<void> | null {
    const pending = pendingOf(record, handedOverSinceMs);
    if (pending !== null) {
      if (uncommitted() + reserved < pushedRecords && bytes() < ROOM_BYTES) enqueue(pending);
      else spool(pending);
    }
    if (isPressed(SPOOLING_BYTES)) spooling ??= waitForSpool();
    return spooling;
  }

  async function waitForSpool(): Promise<void> {
    while (isPressed(SPOOLING_BYTES / 2) && !finishing.signal.aborted) await changed.wait(finishing.signal);
    spooling = null;
  }

  /** Without a spool file the subscription ends instead. */
  function isPressed(limitBytes: number): boolean {
    return toSpool.broken() ? bytes() >= MEMORY_BYTES + REST_BYTES : toSpool.bytes() >= limitBytes;
  }

  function enqueue(pending: PendingRecord): void {
    queue.push(pending);
    if (queue.size() === 1 || queue.size() >= deps.batchSize) arrived.notify();
  }

  function spool(pending: PendingRecord): void {
    toSpool.push(pending);
    if (isFull()) filled.notify();
  }

  function countSpooled(batch: readonly PendingRecord[]): void {
    deps.onSpooledRepaired(batch.filter((record) => record.repaired).length);
    collectGarbageOf(batch.reduce((sum, record) => sum + SPOOLED_COPIES * record.bytes, 0));
  }

  /** Everything that a kill would lose. */
  function uncommitted(): number {
    return queue.size() + inFlight.length + toSpool.waiting().length + letters.length;
  }

  function bytes(): number {
    return queue.bytes() + inFlightBytes + toSpool.bytes();
  }

  /** The only place that passes batches on: one transaction at a time. */
  async function pump(): Promise<void> {
    while (!finishing.signal.aborted) {
      if (letters.length > 0) await writeLetters();
      else if (queue.size() > 0) await insertFront();
      else if (refill() > 0) continue;
      else if (deps.spool.size() > 0) await replay();
      else await arrived.wait(finishing.signal);
    }
  }

  async function insertFront(): Promise<void> {
    const front = queue.front();
    if (front === null) return;
    // A clock that was set back must not delay a batch.
    const patienceMs = () => deps.timing.batchWaitMs - Math.abs(deps.now() - front.receivedAtMs);
    const spooled = deps.spool.size() > 0;
    if (queue.size() < deps.batchSize && patienceMs() > 0 && !spooled) {
      const wake = new AbortController();
      const stop = AbortSignal.any([finishing.signal, wake.signal]);
      await Promise.race([pause(patienceMs(), stop), arrived.wait(stop)]);
      wake.abort();
      if (queue.size() < deps.batchSize && patienceMs() > 0) return;
    }
    const batch = queue.take(MAX_BATCH_RECORDS, MAX_BATCH_BYTES);
    setInFlight(batch);
    await insertUntilDone(batch);
    refill();
    changed.notify();
    if (deps.spool.size() > 0 && problem === '' && !finishing.signal.aborted) await replay();
  }

  /** Leaves `inFlight` filled only when the run ends before the batch could be committed. */
  async function insertUntilDone(batch: readonly PendingRecord[]): Promise<void> {
    while (!(await tryInsert(batch))) {
      if (finishing.signal.aborted) return;
      await pause(backoff.next(), finishing.signal);
      if (finishing.signal.aborted) return;
    }
    setInFlight([]);
  }

  async function tryInsert(batch: readonly PendingRecord[]): Promise<boolean> {
    try {
      await ingest(batch);
      worked();
      return true;
    } catch (error) {
      sentSnapshots = null;
      failed(error);
      return false;
    }
  }

  async function ingest(batch: readonly PendingRecord[]): Promise<void> {
    const snapshots = await deps.snapshots.forBatch();
    const outcome = await deps.ingest({
      records: batch.map(ingestRecordOf),
      ...(snapshots === sentSnapshots ? {} : { snapshots }),
    });
    sentSnapshots = snapshots;
    received = addReceived(received, outcome.receivedByAuthIndex);
    deps.onOutcome(outcome);
  }

  async function writeLetters(): Promise<void> {
    const batch = letters.slice(0, 100);
    try {
      const { droppedDeadLetters } = await deps.store.recordDeadLetters(
        batch.map(({ payload, error }) => ({ payload, error })),
      );
      deps.onDeadLetters(batch.length, droppedDeadLetters);
    } catch (error) {
      failed(error);
      await pause(backoff.next(), finishing.signal);
      return;
    }
    letters.splice(0, batch.length);
    worked();
    changed.notify();
  }

  /** Spooled records use the same insert; they leave the file after their commit. */
  async function replay(): Promise<void> {
    let batch: readonly PendingRecord[];
    try {
      batch = fromSpool(await deps.spool.peek(MAX_BATCH_RECORDS, MAX_BATCH_BYTES), deps.now());
    } catch (error) {
      failed(error);
      await pause(backoff.next(), finishing.signal);
      return;
    }
    if (batch.length === 0) return;
    while (!(await tryInsert(batch))) {
      await pause(backoff.next(), finishing.signal);
      if (finishing.signal.aborted) return;
    }
    await deps.spool.drop().catch(() => {});
    changed.notify();
  }

  /** Without a working spool file, what waits for it is inserted directly. Returns how many records it moved. */
  function refill(): number {
    let moved = 0;
    while (queue.size() + inFlight.length < memoryRecords) {
      const record = toSpool.takeBack();
      if (record === null) break;
      queue.push(record);
      moved += 1;
    }
    return moved;
  }

  function setInFlight(batch: readonly PendingRecord[]): void {
    inFlight = batch;
    inFlightBytes = batch.reduce((sum, record) => sum + record.bytes, 0);
  }

  function failed(error: unknown): void {
    problem = databaseProblem(error);
    deps.onProblem(problem);
  }

  function worked(): void {
    backoff.reset();
    if (problem === '') return;
    problem = '';
    deps.onProblem('');
    changed.notify();
  }

  const works = () => problem === '' && toSpool.waiting().length === 0;
  const hasRoom = () => works() && uncommitted() <= deps.batchSize && bytes() < ROOM_BYTES;
  const isFull = () => toSpool.broken() && (uncommitted() >= MEMORY_RECORDS || bytes() >= MEMORY_BYTES);

  return {
    offer,
    async reserve(signal, maxSpooled) {
      // Also while it waits, so that pushed records leave the room.
      let left = deps.batchSize;
      reserved += left;
      while (!signal.aborted && !(hasRoom() && (maxSpooled === undefined || deps.spool.size() < maxSpooled)))
        await changed.wait(signal);
      const end = () => {
        reserved -= left;
        left = 0;
      };
      if (signal.aborted) {
        end();
        return null;
      }
      return {
        offer(record, handedOverSinceMs) {
          const pending = pendingOf(record, handedOverSinceMs);
          if (left > 0) {
            left -= 1;
            reserved -= 1;
          }
          if (pending === null) return;
          if (maxSpooled === undefined) enqueue(pending);
          else spool(pending);
        },
        end,
      };
    },
    async ready(signal) {
      while (!(works() && uncommitted() <= memoryRecords) && !signal.aborted) await changed.wait(signal);
    },
    async whenFull(signal) {
      while (!isFull() && !signal.aborted) await filled.wait(signal);
    },
    oldestUncommitted() {
      const times = [...inFlight, ...toSpool.waiting()].map((record) => record.handedOverSinceMs);
      const oldest = queue.oldest();
      if (oldest !== null) times.push(oldest);
      for (const letter of letters) times.push(letter.sinceMs);
      return times.reduce<number | null>((least, time) => (least === null || time < least ? time : least), null);
    },
    takeReceived() {
      const taken = received;
      received = new Map();
      return taken;
    },
    async finish() {
      finishing.abort();
      await pumping;
      return drain(await toSpool.finish());
    },
  };

  /** Last chance of a run: one attempt per batch, then the spool. */
  async function drain(unspooled: readonly PendingRecord[]): Promise<readonly PendingRecord[]> {
    const rest = [...inFlight, ...queue.take(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY), ...unspooled];
    setInFlight([]);
    let at = 0;
    while (at < rest.length && problem === '') {
      const batch = rest.slice(at, at + MAX_BATCH_RECORDS);
      setInFlight(rest.slice(at));
      if (!(await tryInsert(batch))) break;
      at += batch.length;
    }
    if (letters.length > 0) await writeLetters();
    await replayBefore(performance.now() + deps.timing.stopPatienceMs);
    let left = rest.slice(at);
    if (left.length > 0 && (await spoolRest(left))) left = [];
    setInFlight(left);
    return left;
  }

  /** A database without its spool file would lack events until the next start. */
  async function replayBefore(endMs: number): Promise<void> {
    while (deps.spool.size() > 0 && problem === '' && performance.now() < endMs) await replay();
  }

  async function spoolRest(rest: readonly PendingRecord[]): Promise<boolean> {
    try {
      await deps.spool.append(rest.map((record) => record.text));
    } catch {
      return false;
    }
    countSpooled(rest);
    return true;
  }
}
