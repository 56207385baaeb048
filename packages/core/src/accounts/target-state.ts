import type { TargetRefusal } from './status-scope.ts';

/**
 * Why an automation must not change an account. `lock_refused` and `unavailable` may pass, the others concern the
 * account itself.
 */
export type TargetProblem = TargetRefusal | 'lock_refused' | 'unavailable';

/** Shown to the operator; stored as the last error of a row. */
export const TARGET_PROBLEMS: Readonly<Record<TargetProblem, string>> = {
  identity_mismatch: 'the auth file now holds another account',
  not_found: 'the account no longer exists',
  ambiguous: 'the change would affect other accounts of the same auth file',
  lock_refused: 'another change of the auth file was in progress',
  unavailable: 'the gateway did not return the list of auth files',
};
