import type { Credentials } from '../../gateway/accounts/credentials.ts';
import type { OwnedChanges } from '../../gateway/claims/change-account.ts';

/** What one step of a cooldown needs. */
export interface CooldownDeps {
  readonly credentials: Credentials;
  readonly changes: OwnedChanges;
  readonly now: () => number;
}
