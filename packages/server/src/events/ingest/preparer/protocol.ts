import type { AccountSnapshotTable } from '@manager/core/usage/event';
import type { Word } from '../../detail/word-mirror.ts';
import type { IngestRecord } from '../ingest-record.ts';
import type { PackedEvents } from '../packed-events.ts';

/** Records on their way to the preparer. */
export interface PackedRecords {
  readonly texts: readonly string[];
  readonly receivedAtMs: Float64Array<ArrayBuffer>;
}

export function packRecords(records: readonly IngestRecord[]): PackedRecords {
  return {
    texts: records.map(({ text }) => text),
    receivedAtMs: Float64Array.from(records, (record) => record.receivedAtMs),
  };
}

/** Messages of the writer to the preparer. */
export type ToPreparer =
  | { readonly kind: 'open'; readonly port: MessagePort; readonly states: SharedArrayBuffer }
  | PrepareBatch;

export interface PrepareBatch {
  readonly kind: 'batch';
  /** Number of the batch. */
  readonly batch: number;
  readonly chunks: readonly PackedRecords[];
  /** Left out = as before. */
  readonly snapshots?: AccountSnapshotTable | null;
  /** Words that were committed since the batch before. */
  readonly words: readonly Word[];
}

/** A prepared chunk: put on the port before its state says so. */
export interface PreparedChunk {
  readonly batch: number;
  readonly chunk: number;
  readonly events: PackedEvents;
}

/**
 * The state of a chunk is one number shared by both threads: that of the batch and one of these, so that a late change of
 * an earlier batch never counts. Whoever takes a free chunk does its work.
 */
export const State = { free: 0, writers: 1, preparers: 2, prepared: 3 } as const;
const STATES = 4;

export function stateOf(batch: number, state: number): number {
  // Wraps around after half a billion batches.
  return (batch * STATES + state) | 0;
}

/** Smaller chunks cost more messages, larger ones more waiting. */
export const CHUNK_RECORDS = 25;
/** Chunks of the largest batch. */
export const MOST_CHUNKS = 64;
export const STATES_LENGTH = MOST_CHUNKS + 1;
/** Says that the preparer has started. */
export const READY_PLACE = STATES_LENGTH - 1;
