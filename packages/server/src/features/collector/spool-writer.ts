import { MAX_BATCH_BYTES, MAX_BATCH_RECORDS } from './limits.ts';
import type { PendingRecord } from './record-queue.ts';
import type { Spool } from './spool.ts';
import { createBackoff, pause } from './wait.ts';

/** Fewer records wait this long for more, because each write is opened, synced and closed. */
const FEW_RECORDS = 20;
const GATHER_MS = 5;

/** Records on their way into the spool file; those that arrive within a few milliseconds, or during a write, together. */
export interface SpoolWriter {
  push(record: PendingRecord): void;
  /** Records that are not in the file yet. */
  waiting(): readonly PendingRecord[];
  bytes(): number;
  /** The last write failed: the records wait in memory for the next try. */
  broken(): boolean;
  /** The first record, out of the way to the file. Null while one is written. */
  takeBack(): PendingRecord | null;
  /** Ends the tries and takes what is left. */
  finish(): Promise<readonly PendingRecord[]>;
}

export function createSpoolWriter(deps: {
  readonly spool: Spool;
  readonly backoffMs: readonly number[];
  readonly onSpooled: (batch: readonly PendingRecord[]) => void;
  /** Written, or failed. */
  readonly onChange: () => void;
}): SpoolWriter {
  const ended = new AbortController();
  const backoff = createBackoff(deps.backoffMs);
  let waiting: PendingRecord[] = [];
  let bytes = 0;
  let broken = false;
  let writing: Promise<void> | null = null;
  let pausing = false;

  function start(): void {
    if (writing !== null || pausing || waiting.length === 0 || ended.signal.aborted) return;
    writing = writeAll().finally(() => {
      writing = null;
      deps.onChange();
      if (broken) void tryLater();
      else start();
    });
  }

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      if (waiting.length < FEW_RECORDS) await pause(GATHER_MS, ended.signal);
      const batch = waiting.slice(0, countOfNextWrite());
      try {
        await deps.spool.append(batch.map((record) => record.text));
      } catch {
        broken = true;
        return;
      }
      broken = false;
      backoff.reset();
      remove(batch.length);
      deps.onSpooled(batch);
      deps.onChange();
    }
  }

  /** At least one. */
  function countOfNextWrite(): number {
    let total = 0;
    const end = waiting.slice(0, MAX_BATCH_RECORDS).findIndex((record, index) => {
      total += record.bytes;
      return index > 0 && total > MAX_BATCH_BYTES;
    });
    return end < 0 ? MAX_BATCH_RECORDS : end;
  }

  async function tryLater(): Promise<void> {
    pausing = true;
    await pause(backoff.next(), ended.signal);
    pausing = false;
    start();
  }

  function remove(count: number): void {
    for (const record of waiting.splice(0, count)) bytes -= record.bytes;
  }

  return {
    push(record) {
      waiting.push(record);
      bytes += record.bytes;
      start();
    },
    waiting: () => waiting,
    bytes: () => bytes,
    broken: () => broken,
    takeBack() {
      const [first] = waiting;
      if (first === undefined || writing !== null) return null;
      remove(1);
      return first;
    },
    async finish() {
      ended.abort();
      await writing;
      const rest = waiting;
      waiting = [];
      bytes = 0;
      return rest;
    },
  };
}
