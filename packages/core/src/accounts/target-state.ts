import { type Credential, hasState } from './credential.ts';
import type { Resolved, StatusTarget, TargetRefusal } from './status-scope.ts';

/**
 * What an automation finds when it looks for the credential it wants to change: its state when it is the one, else why it must
 * not be touched. `lock_refused` and `unavailable` may pass, the others speak of the credential itself.
 */
export type TargetState = 'enabled' | 'disabled' | TargetRefusal | 'lock_refused' | 'unavailable';

export type TargetProblem = Exclude<TargetState, 'enabled' | 'disabled'>;

/** For people; kept as the last error of a row. */
export const TARGET_PROBLEMS: Readonly<Record<TargetProblem, string>> = {
  identity_mismatch: 'the auth file now holds another account',
  not_found: 'the account no longer exists',
  ambiguous: 'the change would affect other accounts of the same auth file',
  lock_refused: 'another change of the auth file was in progress',
  unavailable: 'the gateway did not return the list of auth files',
};

/** Result of one step that was taken. */
export type StepOutcome = 'done' | 'failed';

/** The one credential that a change reaches, and what the upstream is to be told. */
export type AutomationTarget =
  | { readonly state: 'enabled' | 'disabled'; readonly credential: Credential; readonly selector: string }
  | { readonly state: TargetProblem };

/** A change of a single credential never uses the row of a whole file: that would reach its siblings. */
export function automationTarget(resolved: Resolved<StatusTarget>): AutomationTarget {
  if (!resolved.found) return { state: resolved.refusal };
  const { scope, credential, selector } = resolved.target;
  if (scope !== 'credential') return { state: 'ambiguous' };
  return { state: hasState(credential, true) ? 'disabled' : 'enabled', credential, selector };
}
