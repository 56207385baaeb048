/** What the collector receives. */
export type QueueRecord = TextRecord | OversizedRecord;

export interface TextRecord {
  readonly text: string;
  /** Invalid UTF-8 was replaced. */
  readonly repaired: boolean;
  /** Bytes on the wire, for the limits of queues. */
  readonly bytes: number;
}

/** A record above the limit: its bytes were skipped, only the start is kept. */
export interface OversizedRecord {
  readonly oversizedBytes: number;
  readonly head: string;
}

/** Largest record that is kept completely. Larger ones are skipped, so that they cannot end every connection. */
export const MAX_RECORD_BYTES = 64 * 1024 * 1024;

/** Kept bytes of a larger one. */
export const OVERSIZED_HEAD_BYTES = 4096;
