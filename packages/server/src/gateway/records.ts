import { GatewayError } from './errors.ts';

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
const LITTLE_ROOM_BYTES = 512 * 1024;
/** From here on, so that many huge records need little more. */
const FULL_ANSWER_BYTES = 64 * 1024 * 1024;
const LEAST_ROOM_BYTES = 64 * 1024;
/** No gateway that hands over what it was asked for comes near this. */
const MAX_ANSWER_BYTES = 128 * 1024 * 1024;
const USUAL_RECORD_BYTES = 16 * 1024;

/** What a record costs in memory besides its text: a gateway may send millions of empty ones. */
export const RECORD_OVERHEAD_BYTES = 512;

/** Bytes that the next record may need in memory. @param keptBytes of the records before it in the same answer */
export function roomAfter(keptBytes: number): number {
  if (keptBytes >= FULL_ANSWER_BYTES) return LEAST_ROOM_BYTES;
  return Math.max(LITTLE_ROOM_BYTES, Math.min(ROOM_BYTES, ANSWER_BYTES - keptBytes));
}

/** @throws GatewayError when an answer goes on without end. @param count of the records that were asked for, where that is known */
export function requireEnd(keptBytes: number, count = 0): void {
  if (keptBytes > MAX_ANSWER_BYTES + count * USUAL_RECORD_BYTES)
    throw new GatewayError('protocol', 'the gateway hands over far more than it was asked for');
}

/** Kept bytes of a larger one. */
export const OVERSIZED_HEAD_BYTES = 4096;
