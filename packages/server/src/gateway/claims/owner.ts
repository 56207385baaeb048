import type { Claim } from './claim.ts';

/** An automation that disables accounts. */
export interface ClaimOwner {
  /** Stored with its claims. */
  readonly kind: string;
  /**
   * True: an account that was not disabled in the end is requested again; otherwise the claim is dropped, and a new reason
   * creates a new one.
   */
  readonly retries: boolean;
  /**
   * Stores `held` and what else follows from the disabled accounts.
   *
   * @returns false when they should no longer be disabled: then the claims are held with an ended reason, so that the owner
   * enables the accounts if that fails now
   */
  readonly hold?: (claims: readonly Claim[]) => Promise<boolean>;
}
