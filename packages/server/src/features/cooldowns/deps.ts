import type { Credentials } from '../../gateway/accounts/credentials.ts';
import type { OwnedChanges } from '../../gateway/claims/change-account.ts';

/** Dependencies of one step of a cooldown. */
export interface CooldownDeps {
  readonly credentials: Credentials;
  readonly changes: OwnedChanges;
  readonly now: () => number;
}
