import type { ListedAccount } from '@manager/core/accounts/listed-account';
import type { AccountScope } from '../../../gateway/claims/claim.ts';
import { WANTS_ANYTHING, type WantedChange } from '../../../gateway/claims/wanted-change.ts';

/** Reads from the gateway that a plan needs, while its lock is held. */
export interface AuthFileReader {
  list(): Promise<readonly ListedAccount[]>;
  download(name: string): Promise<Uint8Array>;
}

/** Replaces parts of the original request; empty = the original request. */
export interface Override {
  readonly body?: Uint8Array<ArrayBuffer>;
  readonly search?: string;
}

/** How one request is executed: the lock it needs, and its form once the target is verified. */
export interface MutationPlan {
  /** Physical file names; null = all files. */
  readonly files: readonly string[] | null;
  resolve(reader: AuthFileReader): Promise<ResolvedMutation>;
}

export interface ResolvedMutation {
  readonly override: Override;
  /** Scope of the automation to revoke, and the intended change; null for a change that does not affect `disabled`. */
  readonly decides: { readonly scope: AccountScope; readonly wanted: WantedChange } | null;
}

export interface MutationRequest {
  readonly method: string;
  readonly headers: Headers;
  readonly url: URL;
  readonly body: Uint8Array<ArrayBuffer>;
}

/** Sent unchanged, while nothing else changes auth files: its effect is unknown. */
export const UNCHANGED: MutationPlan = {
  files: null,
  resolve: async () => ({ override: {}, decides: { scope: { kind: 'all' }, wanted: WANTS_ANYTHING } }),
};
