import type { Database } from 'bun:sqlite';
import type { QuotaObservation } from '@manager/core/accounts/quota/observation';
import { SNAPSHOT_LIMITS } from '@manager/core/contract/constants';
import { createObservationWriter } from './observation-writer.ts';

/**
 * Stores the quota windows of events, inside the caller's transaction. An event in the future, from a wrong clock, is ignored:
 * it would stay the newest one until then.
 */
export function writeObservations(db: Database, observations: readonly QuotaObservation[], nowMs: number): void {
  const writer = createObservationWriter(db);
  for (const observation of observations) {
    if (observation.observedAtMs <= nowMs + SNAPSHOT_LIMITS.aheadMs) writer.fromEvent(observation);
  }
  writer.flush();
}

/**
 * Stores observations that may be repeated, inside the caller's transaction.
 *
 * @returns the stored rows of each, in order
 */
export function writeSentObservations(db: Database, observations: readonly QuotaObservation[]): readonly number[] {
  const writer = createObservationWriter(db);
  const counts = observations.map((observation) => writer.fromClient(observation));
  writer.flush();
  return counts;
}
