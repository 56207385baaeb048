import type { Credential } from '@manager/core/accounts/credential';
import type { AccountScope } from '../../../gateway/claims/claim.ts';
import { WANTS_ANYTHING, type WantedChange } from '../../../gateway/claims/wanted-change.ts';

/** Reads from the upstream that a plan needs, made while its lock is held. */
export interface AuthFileReader {
  list(): Promise<readonly Credential[]>;
  download(name: string): Promise<Uint8Array>;
}

/** What is sent on in place of the original request. Nothing given = the request as it came. */
export interface Override {
  readonly body?: Uint8Array<ArrayBuffer>;
  readonly search?: string;
}

/** How one request is carried out: which lock it needs, and what it becomes once the target is verified. */
export interface MutationPlan {
  /** Physical file names; null = all files. */
  readonly files: readonly string[] | null;
  resolve(reader: AuthFileReader): Promise<ResolvedMutation>;
}

export interface ResolvedMutation {
  readonly override: Override;
  /** Whose automation ends, and what the request is to lead to; null for a change that leaves `disabled` as it is. */
  readonly decides: { readonly scope: AccountScope; readonly wanted: WantedChange } | null;
}

export interface MutationRequest {
  readonly method: string;
  readonly headers: Headers;
  readonly url: URL;
  readonly body: Uint8Array<ArrayBuffer>;
}

/** Sent as it came, while nothing else changes auth files: what it changes is not known. */
export const UNCHANGED: MutationPlan = {
  files: null,
  resolve: async () => ({ override: {}, decides: { scope: { kind: 'all' }, wanted: WANTS_ANYTHING } }),
};
