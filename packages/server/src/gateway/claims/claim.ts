import { type AccountRecord, accountRecord, identityOf } from '@manager/core/accounts/identity';
import type { Reach } from '../accounts/reach.ts';

/**
 * An account that an automation disabled, so that only this automation enables it again, or that it should disable.
 *
 * ```
 * requested ─▶ disabling ─▶ held ─▶ enabling ─▶ ended
 * ```
 *
 * `disabling` and `enabling` are stored before the change is sent: after a crash a look-up in the gateway's list decides.
 */
export type ClaimState = 'requested' | 'disabling' | 'held' | 'enabling' | 'ended';

export interface Claim {
  readonly id: number;
  /** Kind of the automation. */
  readonly owner: string;
  readonly state: ClaimState;
  readonly subject: string;
  readonly account: AccountRecord;
  /** The owner's own data. */
  readonly details: unknown;
  /** When the reason ends; null = never. */
  readonly untilMs: number | null;
  readonly lastError: string;
  readonly createdAtMs: number;
}

export interface ClaimFields {
  /** The owner's key of its claims: one requested and one open claim have the same. */
  readonly subject: string;
  readonly account: AccountRecord;
  readonly details: unknown;
  readonly untilMs: number | null;
}

export interface NewClaim extends ClaimFields {
  /** The requested claim that is executed; null = none. */
  readonly request: number | null;
}

/** Changes that a crash, or a gateway without an answer, left open. */
export interface Settled {
  readonly found: number;
  /** Number of changes whose result is still unknown. */
  readonly left: number;
}

/** Accounts that a change affects. */
export type AccountScope =
  | { readonly kind: 'all' }
  | { readonly kind: 'files'; readonly fileNames: readonly string[] }
  | { readonly kind: 'accounts'; readonly accounts: readonly AccountRecord[] };

/** All accounts of the file, or the one. */
export function scopeOf({ kind, members }: Pick<Reach, 'kind' | 'members'>): AccountScope {
  if (kind === 'file') return { kind: 'files', fileNames: [...new Set(members.map(({ name }) => name))] };
  return { kind: 'accounts', accounts: members.map((member) => accountRecord(identityOf(member))) };
}

/** null = all files. */
export function filesOf(scope: AccountScope): ReadonlySet<string> | null {
  if (scope.kind === 'all') return null;
  return new Set(scope.kind === 'files' ? scope.fileNames : scope.accounts.map(({ authFileName }) => authFileName));
}
