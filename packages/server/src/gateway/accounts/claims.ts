import type { OwnershipRecord } from '@manager/core/accounts/inspection/ownership';

/** What disables credentials by itself. */
type Automation = 'inspection' | 'cooldown' | 'account_action';

export interface EndedClaims {
  readonly identities: readonly OwnershipRecord[];
  /** Who disables them now, and looks after its own records itself. */
  readonly by: Automation;
}

/**
 * Before an automation disables credentials that it found enabled, under the lock of their file: whoever else had disabled them
 * has no claim any more. Left behind, such a claim would enable them over the one that disables them now.
 */
export type EndClaims = (ended: EndedClaims) => Promise<void>;
