import type { Database } from 'bun:sqlite';
import { nextAttemptMs } from '@manager/core/accounts/next-attempt';
import type { WriterContext } from '../../../sqlite/contexts.ts';
import type { AccountScope, Claim, ClaimFields, NewClaim } from '../claim.ts';
import { claimsOfScope, OPEN, type StoredClaim, toClaim } from './claim-rows.ts';

/** How long ended claims are kept, to show who disabled an account. */
const KEPT_MS = 90 * 86_400_000;

/**
 * Inside the caller's transaction: requests that an account is disabled. Of two requests of one subject the one with the later
 * end is kept, under a new id, so that work on the older one does not remove it.
 *
 * @param dueMs when it is executed; default: at once
 */
export function requestClaim(db: Database, owner: string, claim: ClaimFields, nowMs: number, dueMs = nowMs): void {
  const other = db
    .query<{ id: number; until_ms: number | null }, [string, string]>(
      "SELECT id, until_ms FROM account_claims WHERE owner = ? AND subject = ? AND state = 'requested'",
    )
    .get(owner, claim.subject);
  if (other !== null) {
    if ((other.until_ms ?? 0) >= (claim.untilMs ?? 0)) return;
    remove(db, other.id);
  }
  insert(db, owner, 'requested', claim, nowMs, dueMs);
}

/** Inside the caller's transaction: removes the requests of a subject. */
export function withdrawRequests(db: Database, owner: string, subject: string): void {
  db.query("DELETE FROM account_claims WHERE owner = ? AND subject = ? AND state = 'requested'").run(owner, subject);
}

/** Inside the caller's transaction: the requests of a subject are not executed before. */
export function delayRequests(db: Database, owner: string, subject: string, dueMs: number): void {
  db.query(
    `UPDATE account_claims
     SET next_attempt_at_ms = max(next_attempt_at_ms, ?)
     WHERE owner = ? AND subject = ? AND state = 'requested'`,
  ).run(dueMs, owner, subject);
}

/**
 * Inside the caller's transaction: the reason of a claim has ended, so its owner enables the account. Also one that a manual
 * change revoked: it may be restored.
 */
export function endReason(db: Database, id: number, nowMs: number): void {
  db.query(
    `UPDATE account_claims
     SET until_ms = 0,
       failed_attempts = 0,
       next_attempt_at_ms = ?1,
       updated_at_ms = iif(state = 'ended', updated_at_ms, ?1)
     WHERE id = ?2 AND state <> 'requested' AND until_ms IS NULL`,
  ).run(nowMs, id);
}

export interface BeginDisablingArgs {
  readonly owner: string;
  readonly claims: readonly NewClaim[];
  /** Found enabled, so claims on them have ended. */
  readonly enabled: AccountScope;
}

/**
 * Write operation, before the change is sent.
 *
 * @returns the claims, without those whose request was withdrawn meanwhile
 */
export function beginDisabling({ db, now }: WriterContext, { owner, claims, enabled }: BeginDisablingArgs): Claim[] {
  const nowMs = now();
  for (const { id, state } of claimsOfScope(db, enabled)) if (state !== 'requested') end(db, id, '', nowMs);
  return claims.flatMap((claim) => {
    if (claim.request === null) return [toClaim(insert(db, owner, 'disabling', claim, nowMs))];
    const row = rewrite(db, claim.request, 'disabling', claim, nowMs);
    return row === null ? [] : [toClaim(row)];
  });
}

/** Write operation, before the change is sent. */
export function beginEnabling(context: WriterContext, ids: readonly number[]): void {
  settleClaims(context, { ids, as: 'enabling' });
}

export interface SettleClaimsArgs {
  readonly ids: readonly number[];
  /** `dropped`: the change did not happen. */
  readonly as: 'requested' | 'held' | 'enabling' | 'ended' | 'dropped';
  readonly lastError?: string;
}

/** Write operation: the result of claims. One that has ended meanwhile does not change. */
export function settleClaims({ db, now }: WriterContext, { ids, as, lastError = '' }: SettleClaimsArgs): void {
  const nowMs = now();
  for (const id of ids) {
    if (as === 'dropped') remove(db, id);
    else if (as === 'ended') end(db, id, lastError, nowMs);
    else {
      const { changes } = db
        .query(`UPDATE OR IGNORE account_claims SET state = ?, updated_at_ms = ? WHERE id = ? AND ${OPEN}`)
        .run(as, nowMs, id);
      // A newer request of the same subject replaces it.
      if (changes === 0 && as === 'requested') db.query(`DELETE FROM account_claims WHERE id = ? AND ${OPEN}`).run(id);
    }
  }
}

export interface ContinueClaimArgs {
  readonly id: number;
  /** Its request is completed with it. */
  readonly claim: NewClaim;
}

/** Write operation: an account that is disabled under a claim has a new reason. */
export function continueClaim({ db, now }: WriterContext, { id, claim }: ContinueClaimArgs): void {
  rewrite(db, id, 'held', claim, now());
  if (claim.request !== null) remove(db, claim.request);
}

export interface PostponeClaimsArgs {
  readonly ids: readonly number[];
  readonly lastError: string;
  /** The gateway did not answer at all, so the claims are not the cause: they are retried soon. */
  readonly soon?: boolean;
}

/** Write operation: a failed step is retried later, with growing delays. */
export function postponeClaims({ db, now }: WriterContext, { ids, lastError, soon = false }: PostponeClaimsArgs): void {
  const nowMs = now();
  const attemptsOf = db.query<{ failed_attempts: number }, [number]>(
    "SELECT failed_attempts FROM account_claims WHERE id = ? AND state <> 'ended'",
  );
  const postpone = db.query(
    `UPDATE account_claims
     SET last_error = ?, failed_attempts = ?, next_attempt_at_ms = ?, updated_at_ms = ?
     WHERE id = ?`,
  );
  for (const id of ids) {
    const row = attemptsOf.get(id);
    if (row === null) continue;
    const attempts = row.failed_attempts + (soon ? 0 : 1);
    postpone.run(lastError, attempts, nextAttemptMs(soon ? 1 : attempts, nowMs), nowMs, id);
  }
}

/** Inside a transaction of the caller. */
export function end(db: Database, id: number, lastError: string, nowMs: number): void {
  db.query("UPDATE account_claims SET state = 'ended', last_error = ?, updated_at_ms = ? WHERE id = ?").run(
    lastError,
    nowMs,
    id,
  );
  db.query("DELETE FROM account_claims WHERE state = 'ended' AND updated_at_ms < ?").run(nowMs - KEPT_MS);
}

function remove(db: Database, id: number): void {
  db.query('DELETE FROM account_claims WHERE id = ?').run(id);
}

function insert(
  db: Database,
  owner: string,
  state: 'requested' | 'disabling',
  claim: ClaimFields,
  nowMs: number,
  dueMs = nowMs,
): StoredClaim {
  const values = { owner, state, ...valuesOf(claim), nowMs, dueMs };
  const row = db
    .query<StoredClaim, typeof values>(
      `INSERT INTO account_claims (
         owner, subject, state, auth_file_name, provider, auth_index, account_id, account_snapshot, details, until_ms,
         next_attempt_at_ms, created_at_ms, updated_at_ms
       )
       VALUES (
         $owner, $subject, $state, $authFileName, $provider, $authIndex, $accountId, $accountSnapshot, $details, $untilMs,
         $dueMs, $nowMs, $nowMs
       )
       RETURNING *`,
    )
    .get(values);
  if (row === null) throw new Error('a row that was written is not given back');
  return row;
}

/** null = it no longer exists. */
function rewrite(
  db: Database,
  id: number,
  state: 'disabling' | 'held',
  claim: ClaimFields,
  nowMs: number,
): StoredClaim | null {
  const values = { id, state, ...valuesOf(claim), nowMs };
  return db
    .query<StoredClaim, typeof values>(
      `UPDATE account_claims
       SET state = $state,
         subject = $subject,
         auth_file_name = $authFileName,
         provider = $provider,
         auth_index = $authIndex,
         account_id = $accountId,
         account_snapshot = $accountSnapshot,
         details = $details,
         until_ms = $untilMs,
         failed_attempts = 0,
         next_attempt_at_ms = $nowMs,
         last_error = '',
         updated_at_ms = $nowMs
       WHERE id = $id AND state <> 'ended'
       RETURNING *`,
    )
    .get(values);
}

function valuesOf({ subject, account, details, untilMs }: ClaimFields) {
  return { subject, ...account, details: details === null ? null : JSON.stringify(details), untilMs };
}
