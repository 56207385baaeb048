/**
 * What an automation finds when it looks for the credential it wants to change: its state when it is the one, else why it must
 * not be touched. `lock_refused` and `unavailable` may pass, the others speak of the credential itself.
 */
export type TargetState =
  | 'enabled'
  | 'disabled'
  | 'identity_mismatch'
  | 'not_found'
  | 'scope_ambiguous'
  | 'lock_refused'
  | 'unavailable';

export type TargetProblem = Exclude<TargetState, 'enabled' | 'disabled'>;

/** For people; kept as the last error of a row. */
export const TARGET_PROBLEMS: Readonly<Record<TargetProblem, string>> = {
  identity_mismatch: 'the auth file now holds another credential',
  not_found: 'the credential is gone',
  scope_ambiguous: 'a change would reach other credentials of the same auth file',
  lock_refused: 'another change of the auth file was under way',
  unavailable: 'the upstream did not answer the list of auth files',
};

/** Result of one step that was taken. */
export type StepOutcome = 'done' | 'failed';
