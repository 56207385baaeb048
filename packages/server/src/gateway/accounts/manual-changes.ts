import type { OwnershipRecord } from '@manager/core/accounts/inspection/ownership';

/** What a person's change of auth files concerns. */
export type ManualScope =
  | { readonly kind: 'all' }
  | { readonly kind: 'files'; readonly fileNames: readonly string[] }
  | { readonly kind: 'credentials'; readonly identities: readonly OwnershipRecord[] };

/**
 * What automation has to forget when a person changes a credential: an inspection must not enable it again, a cooldown must
 * not end over it.
 */
export interface ManualChanges {
  /** Before the upstream is told, so that a crash in between leaves the person's decision standing. */
  begin(scope: ManualScope): Promise<Revocation>;
}

export interface Revocation {
  /** Files whose automation was revoked: without any there is nothing to be put back. */
  readonly fileNames: ReadonlySet<string>;
  /** The change did not happen: puts back what was revoked, for these files or for all. */
  restore(isUnchanged: (fileName: string) => boolean): Promise<void>;
}

export interface ManualChangesDeps<Revoked> {
  readonly revoke: (scope: ManualScope) => Promise<Revoked>;
  readonly restore: (revoked: Revoked) => Promise<unknown>;
  readonly filesOf: (revoked: Revoked) => readonly string[];
  /** The part that concerns files of which this is true. */
  readonly part: (revoked: Revoked, isMeant: (fileName: string) => boolean) => Revoked;
  readonly log: { warn(message: string): void };
}

export function createManualChanges<Revoked>(deps: ManualChangesDeps<Revoked>): ManualChanges {
  return {
    async begin(scope) {
      const revoked = await deps.revoke(scope);
      return {
        fileNames: new Set(deps.filesOf(revoked)),
        async restore(isUnchanged) {
          try {
            await deps.restore(deps.part(revoked, isUnchanged));
          } catch {
            // Nothing is enabled by itself then, which is the safe side, and a person sees the credential in the list.
            deps.log.warn('accounts: automation that was revoked for a change that failed cannot be put back');
          }
        },
      };
    },
  };
}
