import { controlOf } from '@manager/core/usage/control';
import type { AccountSnapshotTable } from '@manager/core/usage/event';
import type { DeadLetter } from '../../events/ingest/dead-letters.ts';
import type { IngestResult } from '../../events/ingest/ingest.ts';
import type { QueueRecord } from '../../gateway/records.ts';
import { databaseProblem } from '../../sqlite/database-problem.ts';
import type { CollectorStore, Ingest } from './ports.ts';
import { createRecordQueue, type PendingRecord, type RecordQueue } from './record-queue.ts';
import type { Snapshots } from './snapshots.ts';
import type { Spool } from './spool.ts';
import type { CollectorTiming } from './timing.ts';
import { createBackoff, createSignal, pause } from './wait.ts';

const MEMORY_RECORDS = 50_000;
const MEMORY_BYTES = 64 * 1024 * 1024;
/** With a backlog, larger transactions catch up faster; a kill loses the current one. */
const MAX_BATCH_RECORDS = 500;
/**
 * A subscription can be faster than the writer: while records wait longer than this behind a full batch, new ones go to the
 * spool file, where a kill cannot lose them.
 */
const LAG_MS = 100;
const MAX_BATCH_BYTES = 16 * 1024 * 1024;
/**
 * Pops wait while this many records are not committed: in the gateway's queue they are safe for its retention, here a kill
 * would lose them.
 */
const POP_LIMIT_RECORDS = 200;
const POP_LIMIT_BYTES = 32 * 1024 * 1024;
/** Spooled records are replayed between batches of new ones while the queue is not longer than this. */
const REPLAY_LIMIT_RECORDS = 5_000;

/**
 * Between the socket and the writer: accepts every record at once, passes batches on, keeps them until they are committed.
 */
export interface Inserter {
  /** Never waits. `handedOverSinceMs`: earliest time at which the gateway can have sent it. */
  offer(record: QueueRecord, handedOverSinceMs: number): void;
  /** Waits until inserts work and few records are uncommitted; by default so few that a pop risks little. */
  room(signal: AbortSignal, maxRecords?: number): Promise<void>;
  /** Resolves when neither memory nor the spool file has room: then a subscription must end. */
  whenFull(signal: AbortSignal): Promise<void>;
  /** Earliest send time of a record that is neither committed nor spooled. */
  oldestUncommitted(): number | null;
  /** Events received per `auth_index` since the last call. */
  takeReceived(): ReadonlyMap<string, number>;
  /** Commits the remaining records, else spools them. Returns those that fit nowhere. */
  finish(): Promise<readonly PendingRecord[]>;
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
  const overflow: PendingRecord[] = [];
  const letters: (DeadLetter & { readonly sinceMs: number })[] = [];
  const finishing = new AbortController();
  const arrived = createSignal();
  const changed = createSignal();
  const filled = createSignal();
  const backoff = createBackoff(deps.timing.backoffMs);
  let inFlight: readonly PendingRecord[] = [];
  let inFlightBytes = 0;
  let problem = '';
  let spooling: Promise<void> | null = null;
  let spoolBroken = false;
  let sentSnapshots: AccountSnapshotTable | null = null;
  let received = new Map<string, number>();

  for (const record of deps.leftover) queue.push(record);
  const pumping = pump();

  function offer(record: QueueRecord, handedOverSinceMs: number): void {
    deps.onConsumed();
    const receivedAtMs = deps.now();
    if ('oversizedBytes' in record) {
      const error = `event of ${record.oversizedBytes} bytes: above the limit, only its beginning is kept`;
      letters.push({ payload: record.head, error, sinceMs: handedOverSinceMs });
      arrived.notify();
      return;
    }
    const control = controlOf(record.text);
    if (control !== null) {
      if (control === 'refresh') deps.onRefresh();
      return;
    }
    const pending = { ...record, receivedAtMs, handedOverSinceMs };
    if (overflow.length === 0 && fitsInMemory() && !lagsBehind(receivedAtMs)) {
      queue.push(pending);
      if (queue.size() === 1 || queue.size() >= deps.batchSize) arrived.notify();
    } else {
      overflow.push(pending);
      spooling ??= spoolOverflow().finally(() => {
        spooling = null;
        arrived.notify();
      });
    }
  }

  async function spoolOverflow(): Promise<void> {
    while (overflow.length > 0) {
      const batch = overflow.slice(0, MAX_BATCH_RECORDS);
      if (!(await spoolRecords(batch))) {
        spoolBroken = true;
        filled.notify();
        return;
      }
      overflow.splice(0, batch.length);
      spoolBroken = false;
    }
  }

  async function spoolRecords(batch: readonly PendingRecord[]): Promise<boolean> {
    try {
      await deps.spool.append(batch.map((record) => record.text));
    } catch {
      return false;
    }
    deps.onSpooledRepaired(batch.filter((record) => record.repaired).length);
    return true;
  }

  /** The only place that passes batches on: one transaction at a time. */
  async function pump(): Promise<void> {
    while (!finishing.signal.aborted) {
      if (letters.length > 0) await writeLetters();
      else if (queue.size() > 0) await insertFront();
      else if (overflow.length > 0 && spooling === null) refill();
      else if (deps.spool.size() > 0) await replay();
      else await arrived.wait(finishing.signal);
    }
  }

  async function insertFront(): Promise<void> {
    const front = queue.front();
    if (front === null) return;
    const ageMs = deps.now() - front.receivedAtMs;
    // A clock that was set back must not delay a batch.
    const patienceMs = Math.min(deps.timing.batchWaitMs - ageMs, deps.timing.batchWaitMs);
    if (queue.size() < deps.batchSize && patienceMs > 0) {
      const wake = new AbortController();
      const stop = AbortSignal.any([finishing.signal, wake.signal]);
      await Promise.race([pause(patienceMs, stop), arrived.wait(stop)]);
      wake.abort();
      if (queue.size() < deps.batchSize && deps.now() - front.receivedAtMs < deps.timing.batchWaitMs) return;
    }
    const limit = queue.size() > deps.batchSize ? MAX_BATCH_RECORDS : deps.batchSize;
    const batch = queue.take(Math.min(limit, MAX_BATCH_RECORDS), MAX_BATCH_BYTES);
    setInFlight(batch);
    await insertUntilDone(batch);
    refill();
    changed.notify();
    if (deps.spool.size() > 0 && queue.size() < REPLAY_LIMIT_RECORDS && problem === '' && !finishing.signal.aborted) {
      await replay();
    }
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
      records: batch.map(({ text, receivedAtMs, repaired }) =>
        repaired ? { text, receivedAtMs, repaired } : { text, receivedAtMs },
      ),
      ...(snapshots === sentSnapshots ? {} : { snapshots }),
    });
    sentSnapshots = snapshots;
    for (const [index, count] of Object.entries(outcome.receivedByAuthIndex)) {
      received.set(index, (received.get(index) ?? 0) + count);
    }
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
  }

  /** Spooled records use the same insert; they leave the file after their commit. */
  async function replay(): Promise<void> {
    let texts: readonly string[];
    try {
      texts = await deps.spool.peek(MAX_BATCH_RECORDS, MAX_BATCH_BYTES);
    } catch (error) {
      failed(error);
      await pause(backoff.next(), finishing.signal);
      return;
    }
    if (texts.length === 0) return;
    const now = deps.now();
    const batch = texts.map((text) => ({
      text,
      repaired: false,
      bytes: text.length,
      receivedAtMs: now,
      handedOverSinceMs: now,
    }));
    while (!(await tryInsert(batch))) {
      await pause(backoff.next(), finishing.signal);
      // Safe in the file.
      if (finishing.signal.aborted) return;
    }
    await deps.spool.drop().catch(() => {});
  }

  function refill(): void {
    if (spooling !== null) return;
    let moved = 0;
    while (moved < overflow.length && fitsInMemory()) {
      const record = overflow[moved];
      if (record !== undefined) queue.push(record);
      moved += 1;
    }
    if (moved === 0) return;
    overflow.splice(0, moved);
    if (overflow.length === 0) spoolBroken = false;
  }

  function setInFlight(batch: readonly PendingRecord[]): void {
    inFlight = batch;
    inFlightBytes = batch.reduce((sum, record) => sum + record.bytes, 0);
  }

  function fitsInMemory(): boolean {
    return queue.size() + inFlight.length < MEMORY_RECORDS && queue.bytes() + inFlightBytes < MEMORY_BYTES;
  }

  /** While the database refuses batches, memory is the buffer, because the spool file may be on the same disk. */
  function lagsBehind(nowMs: number): boolean {
    const front = queue.front();
    return (
      problem === '' &&
      front !== null &&
      inFlight.length > 0 &&
      queue.size() >= deps.batchSize &&
      nowMs - front.receivedAtMs > LAG_MS
    );
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

  const popLimit = Math.max(POP_LIMIT_RECORDS, 2 * deps.batchSize);
  const hasRoom = (maxRecords: number) =>
    problem === '' &&
    overflow.length === 0 &&
    queue.size() + inFlight.length < maxRecords &&
    queue.bytes() + inFlightBytes < POP_LIMIT_BYTES;

  return {
    offer,
    async room(signal, maxRecords = popLimit) {
      while (!hasRoom(maxRecords) && !signal.aborted) await changed.wait(signal);
    },
    async whenFull(signal) {
      while (!spoolBroken && !signal.aborted) await filled.wait(signal);
    },
    oldestUncommitted() {
      const times = [...inFlight, ...overflow].map((record) => record.handedOverSinceMs);
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
      await spooling;
      return drain();
    },
  };

  /** Last chance of a run: one attempt per batch, then the spool. */
  async function drain(): Promise<readonly PendingRecord[]> {
    const rest = [...inFlight, ...queue.take(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY), ...overflow];
    overflow.length = 0;
    setInFlight([]);
    let at = 0;
    while (at < rest.length && problem === '') {
      const batch = rest.slice(at, at + MAX_BATCH_RECORDS);
      setInFlight(rest.slice(at));
      if (!(await tryInsert(batch))) break;
      at += batch.length;
    }
    if (letters.length > 0) await writeLetters();
    let left = rest.slice(at);
    if (left.length > 0 && (await spoolRecords(left))) left = [];
    setInFlight(left);
    return left;
  }
}
