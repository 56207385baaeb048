import type { GatewayAccounts } from '../../gateway/accounts/gateway-accounts.ts';
import type { OwnedChanges } from '../../gateway/claims/change-account.ts';

/** Dependencies of one step of a cooldown. */
export interface CooldownDeps {
  readonly gatewayAccounts: GatewayAccounts;
  readonly changes: OwnedChanges;
  readonly now: () => number;
}
