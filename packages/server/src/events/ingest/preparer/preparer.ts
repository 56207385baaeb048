import { receiveMessageOnPort } from 'node:worker_threads';
import type { AccountSnapshotTable } from '@manager/core/usage/event';
import { endHelper, type HelperThread, startHelper } from '../../../platform/helper-thread.ts';
import type { Word } from '../../detail/word-mirror.ts';
import type { IngestRecord } from '../ingest-record.ts';
import type { PackedEvents } from '../packed-events.ts';
import { createLoad, type Load } from './load.ts';
import {
  CHUNK_RECORDS,
  MOST_CHUNKS,
  type PrepareBatch,
  type PreparedChunk,
  packRecords,
  READY_PLACE,
  STATES_LENGTH,
  State,
  stateOf,
} from './protocol.ts';

export interface PreparerOptions {
  /** The file that calls `servePreparer`. */
  readonly entry: string | URL;
  /** Processors that the process can keep busy: with one a second thread does not help. */
  readonly cores: number;
  /** Of the writer's thread by batches. Default: high when they keep it busy for half of the time. */
  readonly load?: Load;
  /** It ends after this time without such a load. Default a minute. */
  readonly restMs?: number;
  /** How long a chunk may take before the writer does it. Default two seconds. */
  readonly patienceMs?: number;
}

/**
 * A second thread that reads, normalizes and packs records while the writer stores others of the same batch. It starts when
 * batches keep the writer busy for most of the time and ends after a while without that. It writes nothing and nothing depends on it:
 * what it has not prepared, the writer does.
 */
export interface Preparer {
  /** Hands a batch over; null = the writer does all of it. `end` must follow. */
  begin(records: readonly IngestRecord[], snapshots: AccountSnapshotTable | null): SharedBatch | null;
  /** Processor time of the writer's thread for a batch: a second thread is no help while it waits for a disk or a processor. */
  tookMs(ms: number): void;
  /** Words that it wanted, after their transaction was committed. */
  learn(words: readonly Word[]): void;
  close(): void;
}

/** A batch that both threads work on. */
export interface SharedBatch {
  readonly chunks: readonly (readonly IngestRecord[])[];
  /**
   * The events of a chunk; null when the caller has to read its records. `meanwhile` is called with chunks that the caller
   * may read ahead, and which are then left to it.
   */
  take(chunk: number, meanwhile: (chunk: number) => void): PackedEvents | null;
  /** Takes the other chunks from the preparer. */
  end(): void;
}

/** Characters of a batch from which on nothing is copied. */
const MOST_CHARACTERS = 4 * 1024 * 1024;
const BUSY_SHARE = 0.5;
const REST_MS = 60_000;
const PATIENCE_MS = 2_000;

interface Running extends HelperThread {
  readonly states: Int32Array<SharedArrayBuffer>;
  /** What it knows. */
  snapshots: AccountSnapshotTable | null;
  words: Word[];
}

export function createPreparer(options: PreparerOptions): Preparer {
  const { entry, restMs = REST_MS, patienceMs = PATIENCE_MS } = options;
  const load = options.load ?? createLoad(BUSY_SHARE, () => performance.now());
  let running: Running | null = null;
  let rest: Timer | null = null;
  let batch = 0;

  function start(): void {
    const states = new SharedArrayBuffer(4 * STATES_LENGTH);
    const thread = startHelper({
      entry,
      name: 'event preparer',
      open: (port) => ({ kind: 'open', port, states }),
      onEnd: (ended) => {
        if (ended.worker === running?.worker) stop(running);
      },
    });
    running = { ...thread, states: new Int32Array(states), snapshots: null, words: [] };
  }

  function stop(stopped: Running | null): void {
    if (stopped === null || stopped !== running) return;
    running = null;
    endHelper(stopped);
  }

  function share(on: Running, records: readonly IngestRecord[], snapshots: AccountSnapshotTable | null): SharedBatch {
    batch += 1;
    const { states } = on;
    const chunks = chunksOf(records);
    const [free, writers, preparers] = [State.free, State.writers, State.preparers].map((state) =>
      stateOf(batch, state),
    ) as [number, number, number];
    const prepared = new Map<number, PackedEvents>();
    for (const chunk of chunks.keys()) Atomics.store(states, chunk, free);
    const message: PrepareBatch = {
      kind: 'batch',
      batch,
      chunks: chunks.map(packRecords),
      words: on.words,
      ...(snapshots === on.snapshots ? {} : { snapshots }),
    };
    on.worker.postMessage(message);
    on.snapshots = snapshots;
    on.words = [];

    const reserve = (chunk: number, from: number) => Atomics.compareExchange(states, chunk, from, writers) === from;

    function received(chunk: number): PackedEvents | null {
      while (!prepared.has(chunk)) {
        const message = receiveMessageOnPort(on.port) as { readonly message: PreparedChunk } | undefined;
        if (message === undefined) return null;
        // What was given up earlier may have been prepared nevertheless.
        if (message.message.batch === batch) prepared.set(message.message.chunk, message.message.events);
      }
      return prepared.get(chunk) ?? null;
    }

    function readAhead(chunk: number, meanwhile: (chunk: number) => void): boolean {
      for (let next = chunk + 1; next < chunks.length; next += 1) {
        if (!reserve(next, free)) continue;
        meanwhile(next);
        return true;
      }
      return false;
    }

    return {
      chunks,
      take(chunk, meanwhile) {
        if (reserve(chunk, free)) return null;
        while (Atomics.load(states, chunk) === preparers) {
          if (readAhead(chunk, meanwhile)) continue;
          if (Atomics.wait(states, chunk, preparers, patienceMs) === 'timed-out' && reserve(chunk, preparers)) {
            // It hangs, or its thread has ended.
            stop(on);
          }
        }
        return Atomics.load(states, chunk) === writers ? null : received(chunk);
      },
      end() {
        for (const chunk of chunks.keys()) reserve(chunk, free);
      },
    };
  }

  return {
    begin(records, snapshots) {
      if (running === null || Atomics.load(running.states, READY_PLACE) === 0) return null;
      if (records.length < 2 * CHUNK_RECORDS || charactersOf(records) > MOST_CHARACTERS) return null;
      try {
        return share(running, records, snapshots);
      } catch {
        stop(running);
        return null;
      }
    },
    tookMs(ms) {
      if (options.cores < 2 || !load.isHigh(ms)) return;
      if (rest !== null) clearTimeout(rest);
      rest = setTimeout(() => stop(running), restMs);
      rest.unref();
      if (running !== null) return;
      try {
        start();
      } catch {
        // No thread to be had: what was just committed must not look as if it had failed.
        stop(running);
      }
    },
    learn(words) {
      running?.words.push(...words);
    },
    close() {
      if (rest !== null) clearTimeout(rest);
      stop(running);
    },
  };
}

function chunksOf(records: readonly IngestRecord[]): (readonly IngestRecord[])[] {
  const size = Math.max(CHUNK_RECORDS, Math.ceil(records.length / MOST_CHUNKS));
  const chunks: (readonly IngestRecord[])[] = [];
  for (let at = 0; at < records.length; at += size) chunks.push(records.slice(at, at + size));
  return chunks;
}

function charactersOf(records: readonly IngestRecord[]): number {
  let sum = 0;
  for (const { text } of records) sum += text.length;
  return sum;
}
