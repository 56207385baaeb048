import type { Claim } from './claim.ts';

/** What an automation that disables accounts says of itself. */
export interface ClaimOwner {
  /** Stored with its claims. */
  readonly kind: string;
  /** What was not disabled after all is requested again; otherwise the claim is dropped, and a new reason makes a new one. */
  readonly retries: boolean;
  /**
   * Stores what follows from it that the accounts are disabled now, in place of `held` alone.
   *
   * @returns false when they should not be any more: then they are enabled again
   */
  readonly hold?: (claims: readonly Claim[]) => Promise<boolean>;
}
