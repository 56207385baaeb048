import type { Database } from 'bun:sqlite';
import { type AccountRecord, couldBeSameAccount } from '@manager/core/accounts/identity';
import type { ReaderContext, WriterContext } from '../../../sqlite/contexts.ts';
import type { AccountScope, ClaimState } from '../claim.ts';
import type { Before, WantedChange } from '../wanted-change.ts';
import { end } from './change-claims.ts';
import { claimOfId, claimsOfScope, type StoredClaim, toClaim } from './claim-rows.ts';

/** A manual change without a stored result. */
export interface OpenManualChange {
  readonly id: number;
  readonly wanted: WantedChange;
  /** null = not read yet, so nothing was sent if it is needed. */
  readonly before: Before | null;
  readonly fileNames: readonly string[];
  /** The claims that it revoked. */
  readonly revoked: readonly RevokedAccount[];
}

export interface RevokedAccount {
  /** Of the claim. */
  readonly id: number;
  readonly account: AccountRecord;
}

/** A claim that the change revoked. */
interface RevokedClaim {
  readonly id: number;
  readonly state: ClaimState;
  readonly lastError: string;
  readonly fileName: string;
}

interface StoredChange {
  readonly id: number;
  readonly wanted: string;
  readonly before: string | null;
  readonly revoked: string;
}

export interface BeginManualChangeArgs {
  readonly scope: AccountScope;
  /** null = nothing is to be sent, and nothing can be restored. */
  readonly wanted: WantedChange | null;
}

/**
 * Write operation: a manual decision about accounts, which no automation may override.
 *
 * @returns null when no automation was affected
 */
export function beginManualChange(
  { db, now }: WriterContext,
  { scope, wanted }: BeginManualChangeArgs,
): Pick<OpenManualChange, 'id' | 'fileNames' | 'revoked'> | null {
  const nowMs = now();
  const claims = claimsOfScope(db, scope);
  const revoked = claims.map(
    ({ id, state, lastError, account }): RevokedClaim => ({ id, state, lastError, fileName: account.authFileName }),
  );
  for (const { id } of revoked) end(db, id, MANUAL_CHANGE, nowMs);
  if (wanted === null || revoked.length === 0) return null;
  const { lastInsertRowid } = db
    .query('INSERT INTO manual_changes (wanted, revoked, created_at_ms) VALUES (?, ?, ?)')
    .run(JSON.stringify(wanted), JSON.stringify(revoked), nowMs);
  return {
    id: Number(lastInsertRowid),
    fileNames: filesOf(revoked),
    revoked: claims.map(({ id, account }) => ({ id, account })),
  };
}

/** Last error of a claim that a manual change revoked. */
const MANUAL_CHANGE = 'manual change';

/**
 * Inside the caller's transaction: whether a person has decided about the account since, in place of an automation. A reason to
 * disable it from before says nothing any more. By `account_claims_ended`.
 */
export function isDecidedSince(db: Database, account: AccountRecord, sinceMs: number): boolean {
  return db
    .query<StoredClaim, [number, string, string]>(
      `SELECT *
       FROM account_claims
       WHERE state = 'ended' AND updated_at_ms >= ? AND last_error = ? AND auth_file_name = ?`,
    )
    .all(sinceMs, MANUAL_CHANGE, account.authFileName)
    .some((row) => couldBeSameAccount(toClaim(row).account, account));
}

export interface NoteManualChangeArgs {
  readonly id: number;
  readonly before: Before;
}

/** Write operation: stores the state from before the change. */
export function noteManualChange({ db }: WriterContext, { id, before }: NoteManualChangeArgs): void {
  db.query('UPDATE manual_changes SET before = ? WHERE id = ?').run(JSON.stringify(before), id);
}

export interface SettleManualChangeArgs {
  readonly id: number;
  /** Files whose result is known, or will never be known. Others stay open. */
  readonly decided: readonly string[];
  /** Unchanged files: their claims are restored, unless there are newer ones. */
  readonly unchanged: readonly string[];
  /** Claims of unchanged accounts in the other decided files. */
  readonly unchangedClaims?: readonly number[];
}

/** Write operation. */
export function settleManualChange(
  { db, now }: WriterContext,
  { id, decided, unchanged, unchangedClaims = [] }: SettleManualChangeArgs,
): void {
  const row = db.query<StoredChange, [number]>('SELECT * FROM manual_changes WHERE id = ?').get(id);
  if (row === null) return;
  const revoked = revokedOf(row);
  const open = revoked.filter(({ fileName }) => !decided.includes(fileName));
  if (open.length === 0) db.query('DELETE FROM manual_changes WHERE id = ?').run(id);
  else db.query('UPDATE manual_changes SET revoked = ? WHERE id = ?').run(JSON.stringify(open), id);
  const restore = db.query(
    `UPDATE OR IGNORE account_claims
     SET state = ?, last_error = ?, updated_at_ms = ?
     WHERE id = ? AND state = 'ended'`,
  );
  for (const { id: claim, state, lastError, fileName } of revoked) {
    const isUnchanged = unchanged.includes(fileName) || unchangedClaims.includes(claim);
    if (decided.includes(fileName) && isUnchanged) restore.run(state, lastError, now(), claim);
  }
}

/** Read operation: changes without a stored result. */
export function openManualChanges({ db }: ReaderContext, _args: null): OpenManualChange[] {
  return db
    .query<StoredChange, []>('SELECT * FROM manual_changes ORDER BY id')
    .all()
    .map((row) => ({
      id: row.id,
      wanted: JSON.parse(row.wanted),
      before: row.before === null ? null : JSON.parse(row.before),
      fileNames: filesOf(revokedOf(row)),
      revoked: revokedOf(row).flatMap(({ id }) => {
        const claim = claimOfId(db, id);
        return claim === null ? [] : [{ id, account: claim.account }];
      }),
    }));
}

/** Only this program writes it, in this form. */
function revokedOf({ revoked }: StoredChange): readonly RevokedClaim[] {
  return JSON.parse(revoked);
}

function filesOf(revoked: readonly RevokedClaim[]): readonly string[] {
  return [...new Set(revoked.map(({ fileName }) => fileName))];
}
