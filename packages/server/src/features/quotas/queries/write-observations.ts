import type { Database } from 'bun:sqlite';
import type { QuotaObservation } from '@manager/core/accounts/quota/observation';
import { SNAPSHOT_LIMITS } from '@manager/core/contract/constants';
import { createObservationWriter } from './observation-writer.ts';

/**
 * Stores what events told of quotas, inside the transaction of the caller. An event that lies in the future, because a clock
 * is wrong, says nothing: it would count as the newest one for as long.
 */
export function writeObservations(db: Database, observations: readonly QuotaObservation[], nowMs: number): void {
  const writer = createObservationWriter(db);
  for (const observation of observations) {
    if (observation.observedAtMs <= nowMs + SNAPSHOT_LIMITS.aheadMs) writer.fromEvent(observation);
  }
  writer.flush();
}

/**
 * Stores observations that may come again, inside the transaction of the caller.
 *
 * @returns rows stored of each, in order
 */
export function writeSentObservations(db: Database, observations: readonly QuotaObservation[]): readonly number[] {
  const writer = createObservationWriter(db);
  const counts = observations.map((observation) => writer.fromSender(observation));
  writer.flush();
  return counts;
}
