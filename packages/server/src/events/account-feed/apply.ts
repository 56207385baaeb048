import type { Database } from 'bun:sqlite';
import type { SeenCooldown } from '@manager/core/accounts/cooldown/signals';
import type { CandidateReport } from '@manager/core/accounts/failures/candidate';
import type { AccountSuccess } from '@manager/core/accounts/failures/confirmation';
import type { QuotaObservation } from '@manager/core/accounts/quota/observation';
import { stopPoint } from '../../platform/stop-point.ts';
import type { WriterContext } from '../../sqlite/contexts.ts';
import { takeCollected } from '../ingest/collected-batches.ts';
import type { AccountEffects } from './derive.ts';

/** How each feature stores its part, inside the transaction that removes the range. */
export interface EffectWriters {
  writeObservations(db: Database, observations: readonly QuotaObservation[], nowMs: number): void;
  requestCooldowns(db: Database, seen: readonly SeenCooldown[], nowMs: number): void;
  recordSuccesses(db: Database, successes: readonly AccountSuccess[], nowMs: number): void;
  recordFailures(
    db: Database,
    reports: readonly CandidateReport[],
    options: { readonly autoDisable: boolean; readonly nowMs: number },
  ): void;
}

export interface ApplyArgs {
  readonly effects: AccountEffects;
  /** Whether it was enabled when the events were read. */
  readonly autoDisable: boolean;
}

/**
 * Write operation: stores the effects of a range of events and removes the range, in one transaction, so that no event
 * counts twice and none is lost.
 *
 * @returns false when the range was already removed
 */
export function createApplyAccountEffects(writers: EffectWriters) {
  return ({ db, now }: WriterContext, { effects, autoDisable }: ApplyArgs): boolean => {
    if (!takeCollected(db, effects.range)) return false;
    const nowMs = now();
    if (effects.observations.length > 0) writers.writeObservations(db, effects.observations, nowMs);
    if (effects.cooldowns.length > 0) writers.requestCooldowns(db, effects.cooldowns, nowMs);
    // First: a failure before a success means nothing.
    if (effects.successes.length > 0) writers.recordSuccesses(db, effects.successes, nowMs);
    if (effects.failures.length > 0) writers.recordFailures(db, effects.failures, { autoDisable, nowMs });
    stopPoint('account_effects_written');
    return true;
  };
}
