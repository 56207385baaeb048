import type { Database } from 'bun:sqlite';
import type { CandidateRow } from '@manager/core/accounts/failures/candidates';
import {
  type AccountSuccess,
  afterSuccess,
  CONFIRMATION_MS,
  confirmedAtMs,
  isDeactivation,
  SUPERSEDED,
  successKeys,
} from '@manager/core/accounts/failures/confirmation';
import { delayRequests, endReason, withdrawRequests } from '../../../gateway/claims/queries/change-claims.ts';
import type { ReaderContext, WriterContext } from '../../../sqlite/contexts.ts';
import { ACCOUNT_ACTION, subjectOf } from '../claim.ts';
import { find, type StoredCandidate, toRow } from './candidates.ts';
import { keepSuccesses, lastSuccess } from './successes.ts';

/** Inside the caller's transaction: successes withdraw older failures. */
export function recordSuccesses(db: Database, successes: readonly AccountSuccess[], nowMs: number): void {
  keepSuccesses(db, successes, nowMs);
  const keys = new Set(successes.flatMap(successKeys));
  for (const row of failingRows(db)) {
    if (!successKeys(row).some((key) => keys.has(key))) continue;
    const after = afterSuccess(row, lastSuccess(db, row, nowMs), nowMs);
    if (after === 'superseded') supersede(db, row.id, nowMs);
    else if (after === 'again' && row.status === 'pending') confirmAgain(db, row, nowMs);
  }
}

type FailingRow = Pick<
  CandidateRow,
  | 'id'
  | 'status'
  | 'actionType'
  | 'file'
  | 'provider'
  | 'authIndex'
  | 'accountSnapshot'
  | 'firstSeenAtMs'
  | 'lastSeenAtMs'
>;

/**
 * Candidates that a success concerns: pending, or with an account that is disabled, or is again if a manual change did not
 * happen. Often read, so without evidence.
 */
function failingRows(db: Database): FailingRow[] {
  return db
    .query<FailingRow, [string]>(
      `SELECT id, status, action_type AS actionType, auth_file_name AS file, provider, auth_index AS authIndex,
         account_snapshot AS accountSnapshot, first_seen_at_ms AS firstSeenAtMs, last_seen_at_ms AS lastSeenAtMs
       FROM account_action_candidates
       WHERE status = 'pending' OR id IN (
         SELECT CAST(subject AS INTEGER)
         FROM account_claims
         WHERE owner = ? AND until_ms IS NULL AND (
           state = 'held'
           OR id IN (SELECT claim.value ->> 'id' FROM manual_changes, json_each(manual_changes.revoked) AS claim)
         )
       )`,
    )
    .all(ACCOUNT_ACTION);
}

/**
 * Read operation: candidates whose time of confirmation has passed, also before a clock was set back. By
 * `account_action_candidates_confirming`.
 */
export function dueConfirmations({ db }: ReaderContext, nowMs: number): CandidateRow[] {
  return db
    .query<StoredCandidate, [number, number]>(
      `SELECT *
       FROM account_action_candidates
       WHERE status = 'pending' AND confirming_until_ms IS NOT NULL
         AND (confirming_until_ms <= ? OR confirming_until_ms > ?)
       ORDER BY confirming_until_ms`,
    )
    .all(nowMs, nowMs + CONFIRMATION_MS)
    .map(toRow);
}

/** Read operation: when the next candidate is to be confirmed; null = none. */
export function nextConfirmation({ db }: ReaderContext, _args: null): number | null {
  const row = db
    .query<{ at_ms: number | null }, []>(
      `SELECT min(confirming_until_ms) AS at_ms
       FROM account_action_candidates
       WHERE status = 'pending' AND confirming_until_ms IS NOT NULL`,
    )
    .get();
  return row?.at_ms ?? null;
}

/** Read operation: candidates under whose claims accounts are disabled. */
export function disabledCandidates({ db }: ReaderContext, _args: null): CandidateRow[] {
  return db
    .query<StoredCandidate, [string]>(
      `SELECT c.*
       FROM account_claims AS claim
       JOIN account_action_candidates AS c ON c.id = CAST(claim.subject AS INTEGER)
       WHERE claim.owner = ? AND claim.state = 'held' AND claim.until_ms IS NULL`,
    )
    .all(ACCOUNT_ACTION)
    .map(toRow);
}

/** Read operation: the newest collected event that waits to be read; null = none. */
export function lastUnreadEvent({ db }: ReaderContext, _args: null): number | null {
  const row = db.query<{ id: number | null }, []>('SELECT max(last_event_id) AS id FROM collected_batches').get();
  return row?.id ?? null;
}

/** Read operation: whether that event or an older one waits to be read, which may show that an account works. */
export function areEventsUnread({ db }: Pick<ReaderContext, 'db'>, lastEventId: number): boolean {
  return (
    db.query<unknown, [number]>('SELECT 1 FROM collected_batches WHERE first_event_id <= ?').get(lastEventId) !== null
  );
}

export interface ConfirmArgs {
  readonly ids: readonly number[];
  /** Events up to this one must have been read; null = none. */
  readonly lastEventId: number | null;
  /** One whose confirmation has started again meanwhile is left out. */
  readonly nowMs: number;
}

/**
 * Write operation: nothing contradicts these failures.
 *
 * @returns false when events wait to be read, which may do so: nothing was confirmed
 */
export function confirmCandidates({ db }: WriterContext, { ids, lastEventId, nowMs }: ConfirmArgs): boolean {
  if (lastEventId !== null && areEventsUnread({ db }, lastEventId)) return false;
  const confirm = db.query(
    `UPDATE account_action_candidates
     SET confirming_until_ms = NULL, updated_at_ms = ?1
     WHERE id = ?2 AND status = 'pending' AND (confirming_until_ms <= ?1 OR confirming_until_ms > ?3)`,
  );
  for (const id of ids) confirm.run(nowMs, id, nowMs + CONFIRMATION_MS);
  return true;
}

/** The newest handled failure of an account that had to sign in again. */
export interface HandledLogin {
  readonly file: string;
  readonly authIndex: string;
  readonly lastSeenAtMs: number;
  /** The account works since; null = a person closed the entry, which proves nothing. */
  readonly worksSinceMs: number | null;
  /** The account was deleted; null = it was not, as far as is known. */
  readonly goneSinceMs: number | null;
}

/** Read operation: one for each account. */
export function handledLogins({ db }: ReaderContext, _args: null): HandledLogin[] {
  return db
    .query<HandledLogin, [string]>(
      // The other columns are those of the row with the maximum.
      `SELECT auth_file_name AS file, auth_index AS authIndex, max(last_seen_at_ms) AS lastSeenAtMs,
         iif(status = 'resolved' AND reason = ?, updated_at_ms, NULL) AS worksSinceMs,
         iif(status = 'deleted', updated_at_ms, NULL) AS goneSinceMs
       FROM account_action_candidates
       WHERE status <> 'pending' AND action_type = 'reauth'
       GROUP BY auth_file_name, auth_index`,
    )
    .all(SUPERSEDED);
}

export interface SupersedeArgs {
  readonly id: number;
  /** Of the failure that is superseded: a newer one stays. */
  readonly lastSeenAtMs: number;
}

/** Write operation: the account works. @returns false when there is a newer failure */
export function supersedeCandidate({ db, now }: WriterContext, { id, lastSeenAtMs }: SupersedeArgs): boolean {
  if (find(db, id)?.lastSeenAtMs !== lastSeenAtMs) return false;
  supersede(db, id, now());
  return true;
}

/** Withdraws the candidate and all that follows from it; an account that automation disabled is enabled again. */
function supersede(db: Database, id: number, nowMs: number): void {
  db.query(
    `UPDATE account_action_candidates
     SET status = 'resolved', reason = ?, confirming_until_ms = NULL, last_error = '', updated_at_ms = ?
     WHERE id = ? AND status = 'pending'`,
  ).run(SUPERSEDED, nowMs, id);
  withdrawRequests(db, ACCOUNT_ACTION, subjectOf(id));
  const claims = db
    .query<{ id: number }, [string, string]>('SELECT id FROM account_claims WHERE owner = ? AND subject = ?')
    .all(ACCOUNT_ACTION, subjectOf(id));
  for (const claim of claims) endReason(db, claim.id, nowMs);
}

/** Only the failures after a success count. */
function confirmAgain(db: Database, row: FailingRow, nowMs: number): void {
  const untilMs = confirmedAtMs(row.lastSeenAtMs, nowMs);
  delayRequests(db, ACCOUNT_ACTION, subjectOf(row.id), untilMs);
  db.query(
    `UPDATE account_action_candidates
     SET first_seen_at_ms = last_seen_at_ms, confirming_until_ms = ?, updated_at_ms = ?
     WHERE id = ?`,
  ).run(isDeactivation(row) ? null : untilMs, nowMs, row.id);
}
