/** What the collector receives. */
export type QueueRecord = TextRecord | OversizedRecord;

export interface TextRecord {
  readonly text: string;
  /** Invalid UTF-8 was replaced. */
  readonly repaired: boolean;
  /** Kept bytes, for the limits of queues. */
  readonly bytes: number;
}

/** A record above the limit: its bytes were skipped, only the start is kept. */
export interface OversizedRecord {
  readonly oversizedBytes: number;
  readonly head: string;
}

/** Larger records are skipped, so that they cannot end every connection. */
export const MAX_RECORD_BYTES = 64 * 1024 * 1024;

/**
 * A record of more bytes is stored with its long strings cut, whatever its kind, so they are cut while it arrives. One that has
 * so much beside strings is skipped.
 */
const ROOM_BYTES = 12 * 1024 * 1024;
/** All records of one answer: the next ones get less room. */
const ANSWER_BYTES = 32 * 1024 * 1024;
const LEAST_ROOM_BYTES = 512 * 1024;

/** Bytes that the next record may need in memory. @param keptBytes of the records before it in the same answer */
export function roomAfter(keptBytes: number): number {
  return Math.max(LEAST_ROOM_BYTES, Math.min(ROOM_BYTES, ANSWER_BYTES - keptBytes));
}

/** Kept bytes of a larger one. */
export const OVERSIZED_HEAD_BYTES = 4096;
