import { type StepOutcome, TARGET_PROBLEMS, type TargetState } from '../target-state.ts';

/** What the disabling of a candidate's credential depends on. */
export interface AutoDisableFacts {
  /** The processing policy allows it now. */
  readonly effective: boolean;
  /** By the decision about this very event; an older row may be eligible by another one. */
  readonly eligible: boolean;
  readonly stableIdentity: boolean;
}

/** Results of the steps taken so far. */
export interface AutoDisableProgress {
  /** Read under the lock of the auth file, which is held until the end. */
  readonly target?: TargetState;
  readonly disable?: StepOutcome;
  /** `not_pending`: a person has dealt with the candidate meanwhile. */
  readonly mark?: StepOutcome | 'not_pending';
  readonly enableAgain?: StepOutcome;
}

/**
 * - `resolve`: take the lock and find the credential
 * - `mark`: store when it was disabled, only while the row is pending
 * - `enable_again`: verify the identity once more, then undo; detached from any caller
 * - `done`: `lastError` is stored unless null
 */
export type AutoDisableStep =
  | { readonly step: 'resolve' | 'disable' | 'mark' | 'enable_again' }
  | { readonly step: 'done'; readonly autoDisabled: boolean; readonly lastError: string | null };

function done(autoDisabled: boolean, lastError: string | null): AutoDisableStep {
  return { step: 'done', autoDisabled, lastError };
}

/** The next step in disabling the credential of a candidate. Nothing enables it again but a person. */
export function autoDisableStep(facts: AutoDisableFacts, progress: AutoDisableProgress): AutoDisableStep {
  if (!facts.effective || !facts.eligible) return done(false, null);
  if (!facts.stableIdentity) return done(false, 'the account cannot be identified with certainty');
  const { target, disable, mark, enableAgain } = progress;
  if (target === undefined) return { step: 'resolve' };
  // Disabled by somebody else, who alone may decide when it ends.
  if (target === 'disabled') return done(false, null);
  if (target !== 'enabled') return done(false, TARGET_PROBLEMS[target]);
  if (disable === undefined) return { step: 'disable' };
  if (disable === 'failed') return done(false, 'the gateway did not confirm the change');
  if (mark === undefined) return { step: 'mark' };
  if (mark === 'done') return done(true, null);
  if (enableAgain === undefined) return { step: 'enable_again' };
  const cause = mark === 'failed' ? 'the change could not be stored' : 'the action queue entry was already handled';
  return done(false, enableAgain === 'done' ? `${cause}; undone` : `${cause}; the account stays disabled`);
}
