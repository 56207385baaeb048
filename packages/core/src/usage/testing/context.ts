import type { RecordContext } from '../context.ts';
import type { UsageEvent } from '../event.ts';
import { readRecord } from '../record.ts';

/** 2026-03-02T00:00:00Z: arrival time of the tests' records. */
export const NOW_MS = 1_772_409_600_000;

export const context: RecordContext = {
  nowMs: NOW_MS,
  sha256Hex: (text) => new Bun.CryptoHasher('sha256').update(text).digest('hex'),
};

/** The event of a readable item. */
export function eventOf(item: object): UsageEvent {
  const outcome = readRecord(JSON.stringify(item), context);
  if (outcome.kind !== 'event') throw new Error(`an event expected, got ${outcome.kind}`);
  return outcome.event;
}
