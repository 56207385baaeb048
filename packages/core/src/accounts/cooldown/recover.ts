import { type StepOutcome, TARGET_PROBLEMS, type TargetState } from '../target-state.ts';
import { isCooldownOwner } from './owners.ts';
import { type CooldownRow, isCertain } from './row.ts';

/** Results of the steps taken so far. When a cooldown is due is decided by `dueCooldowns` of the server's store. */
export interface RecoveryProgress {
  /** Read under the lock of the auth file, which is held until the end. */
  readonly target?: TargetState;
  readonly enable?: StepOutcome;
  readonly save?: StepOutcome;
  readonly disableAgain?: StepOutcome;
}

/**
 * - `resolve`: take the lock and find the credential
 * - `save`: store the row as recovered
 * - `disable_again`: verify the identity once more, then undo; detached from any caller
 * - `wait`: nothing can be done now, the row stays as it is
 * - `skip`: store the row as skipped with that error; it will never be tried again
 * - `retry`: store the error and the time of the next attempt; the row stays active
 */
export type RecoveryStep =
  | { readonly step: 'resolve' | 'enable' | 'save' | 'disable_again' | 'wait' | 'recovered' }
  | { readonly step: 'skip' | 'retry'; readonly lastError: string };

/**
 * The next step in ending a cooldown that is due. Whether the switch for new cooldowns is on plays no part.
 *
 * @param configured whether URL and key of the upstream are known
 */
export function recoveryStep(row: CooldownRow, configured: boolean, progress: RecoveryProgress): RecoveryStep {
  if (!configured) return { step: 'wait' };
  if (!isCooldownOwner(row.owner)) return { step: 'skip', lastError: 'unknown owner' };
  if (row.preDisabledState) return { step: 'skip', lastError: 'the account was already disabled before the cooldown' };
  if (!isCertain(row)) return { step: 'skip', lastError: 'the account cannot be identified with certainty' };
  const { target, enable, save, disableAgain } = progress;
  if (target === undefined) return { step: 'resolve' };
  if (target === 'identity_mismatch' || target === 'not_found')
    return { step: 'skip', lastError: TARGET_PROBLEMS[target] };
  if (target !== 'enabled' && target !== 'disabled') return { step: 'retry', lastError: TARGET_PROBLEMS[target] };
  if (target === 'disabled') {
    if (enable === undefined) return { step: 'enable' };
    if (enable === 'failed') return { step: 'retry', lastError: 'the gateway did not confirm the change' };
  }
  if (save === undefined) return { step: 'save' };
  if (save === 'done') return { step: 'recovered' };
  const lastError = 'the end of the cooldown could not be stored';
  return target === 'disabled' && disableAgain === undefined ? { step: 'disable_again' } : { step: 'retry', lastError };
}

const FIRST_RETRY_MS = 15_000;
const LONGEST_RETRY_MS = 15 * 60 * 1000;

/**
 * When a cooldown that could not be ended is tried again: after 15 s, then ever later, so that many broken rows cannot keep
 * later ones waiting.
 *
 * @param failedAttempts with the one that has just failed
 */
export function nextAttemptMs(failedAttempts: number, nowMs: number): number {
  return nowMs + Math.min(FIRST_RETRY_MS * 2 ** Math.max(0, failedAttempts - 1), LONGEST_RETRY_MS);
}

/**
 * What becomes of a row that a stop of the process left between its insert and the answer of the upstream: a credential that is
 * disabled now was disabled by us.
 */
export function pendingOutcome(target: TargetState): 'activate' | 'drop' | 'wait' {
  if (target === 'disabled') return 'activate';
  return target === 'enabled' || target === 'identity_mismatch' || target === 'not_found' ? 'drop' : 'wait';
}
