import type { Database } from 'bun:sqlite';
import { couldBeSameAccount } from '@manager/core/accounts/identity';
import { LONGEST_RETRY_MS } from '@manager/core/accounts/next-attempt';
import type { ReaderContext } from '../../../sqlite/contexts.ts';
import { type AccountScope, type Claim, type ClaimState, filesOf } from '../claim.ts';

export interface StoredClaim {
  readonly id: number;
  readonly owner: string;
  readonly subject: string;
  readonly state: ClaimState;
  readonly auth_file_name: string;
  readonly provider: string;
  readonly auth_index: string;
  readonly account_id: string;
  readonly account_snapshot: string;
  readonly details: string | null;
  readonly until_ms: number | null;
  readonly failed_attempts: number;
  readonly last_error: string;
  readonly created_at_ms: number;
}

/** The account may be disabled under the claim. */
export const OPEN = "state IN ('disabling', 'held', 'enabling')";

/** Read operation: open claims of one owner. */
export function openClaims({ db }: ReaderContext, owner: string): Claim[] {
  return db
    .query<StoredClaim, [string]>(`SELECT * FROM account_claims WHERE owner = ? AND ${OPEN} ORDER BY id`)
    .all(owner)
    .map(toClaim);
}

/** Read operation: a claim that has not ended; null = none. */
export function findClaim({ db }: ReaderContext, id: number): Claim | null {
  const row = db.query<StoredClaim, [number]>("SELECT * FROM account_claims WHERE id = ? AND state <> 'ended'").get(id);
  return row === null ? null : toClaim(row);
}

/** Also one that has ended; null = it was deleted. */
export function claimOfId(db: Database, id: number): Claim | null {
  const row = db.query<StoredClaim, [number]>('SELECT * FROM account_claims WHERE id = ?').get(id);
  return row === null ? null : toClaim(row);
}

/** Read operation: claims whose change may or may not have happened. */
export function unsettledClaims({ db }: ReaderContext, _args: null): Claim[] {
  return db
    .query<StoredClaim, []>("SELECT * FROM account_claims WHERE state IN ('disabling', 'enabling') ORDER BY id")
    .all()
    .map(toClaim);
}

export interface DueClaimsArgs {
  readonly owner: string;
  /** Held: with an ended reason. */
  readonly state: 'requested' | 'held';
  readonly nowMs: number;
  /** How far the clock is ahead: reasons end that much later on it. */
  readonly aheadMs: number;
  readonly limit: number;
}

/** Read operation: due claims, the longest overdue first, also after a clock was set back. By `account_claims_due`. */
export function dueClaims({ db }: ReaderContext, { owner, state, nowMs, aheadMs, limit }: DueClaimsArgs): Claim[] {
  return db
    .query<StoredClaim, [string, string, number, number, number, number]>(
      `SELECT *
       FROM account_claims
       WHERE owner = ?1 AND state = ?2 AND state <> 'ended'
         AND (next_attempt_at_ms <= ?3 OR next_attempt_at_ms > ?6)
         AND (state = 'requested' OR until_ms <= ?3 - ?4)
       ORDER BY next_attempt_at_ms, id
       LIMIT ?5`,
    )
    .all(owner, state, nowMs, aheadMs, limit, nowMs + LONGEST_RETRY_MS)
    .map(toClaim);
}

/** Read operation: when the next claim of the owner is due; null = none. */
export function nextClaimTime(
  { db }: ReaderContext,
  { owner, aheadMs }: Pick<DueClaimsArgs, 'owner' | 'aheadMs'>,
): number | null {
  const row = db
    .query<{ at_ms: number | null }, [string, number]>(
      `SELECT MIN(iif(state = 'requested', next_attempt_at_ms, MAX(next_attempt_at_ms, until_ms + ?2))) AS at_ms
       FROM account_claims
       WHERE owner = ?1 AND state IN ('requested', 'held')`,
    )
    .get(owner, aheadMs);
  return row?.at_ms ?? null;
}

/**
 * Inside the caller's transaction: claims that have not ended and may belong to the scope. By `account_claims_file`.
 */
export function claimsOfScope(db: Database, scope: AccountScope): Claim[] {
  const files = filesOf(scope);
  const rows =
    files === null
      ? db.query<StoredClaim, []>("SELECT * FROM account_claims WHERE state <> 'ended' ORDER BY id").all()
      : [...files].flatMap((file) =>
          db
            .query<StoredClaim, [string]>(
              "SELECT * FROM account_claims WHERE auth_file_name = ? AND state <> 'ended' ORDER BY id",
            )
            .all(file),
        );
  const claims = rows.map(toClaim);
  if (scope.kind !== 'accounts') return claims;
  return claims.filter((claim) => scope.accounts.some((account) => couldBeSameAccount(claim.account, account)));
}

export function toClaim(row: StoredClaim): Claim {
  return {
    id: row.id,
    owner: row.owner,
    state: row.state,
    subject: row.subject,
    account: {
      authFileName: row.auth_file_name,
      provider: row.provider,
      authIndex: row.auth_index,
      accountId: row.account_id,
      accountSnapshot: row.account_snapshot,
    },
    details: row.details === null ? null : JSON.parse(row.details),
    untilMs: row.until_ms,
    lastError: row.last_error,
    createdAtMs: row.created_at_ms,
  };
}
