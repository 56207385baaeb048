import type { Database } from 'bun:sqlite';
import type { CandidateReport } from '@manager/core/accounts/failures/candidate';
import {
  type CandidateFields,
  type CandidateRow,
  candidateChange,
  candidateIdentityKey,
} from '@manager/core/accounts/failures/candidates';
import { confirmedAtMs } from '@manager/core/accounts/failures/confirmation';
import {
  type CandidateAction,
  type CandidateStatus,
  candidateEvidenceSchema,
} from '@manager/core/contract/account-actions';
import { parseJson } from '@manager/core/json/json';
import {
  endReason,
  requestClaim,
  settleClaims,
  withdrawRequests,
} from '../../../gateway/claims/queries/change-claims.ts';
import { isDecidedSince } from '../../../gateway/claims/queries/manual-changes.ts';
import type { ReaderContext, WriterContext } from '../../../sqlite/contexts.ts';
import { ACCOUNT_ACTION, fieldsOf, subjectOf } from '../claim.ts';
import { lastSuccess } from './successes.ts';

export interface StoredCandidate {
  readonly id: number;
  readonly status: CandidateStatus;
  readonly auth_file_name: string;
  readonly provider: string;
  readonly auth_index: string;
  readonly account_id: string;
  readonly account_snapshot: string;
  readonly auth_label: string;
  readonly action_type: CandidateAction;
  readonly reason_code: string;
  readonly reason: string;
  readonly auto_disable_eligible: number;
  readonly auto_disabled_at_ms: number | null;
  readonly confirming_until_ms: number | null;
  readonly evidence: string | null;
  readonly last_error: string;
  readonly first_seen_at_ms: number;
  readonly last_seen_at_ms: number;
  readonly hit_count: number;
  readonly created_at_ms: number;
  readonly updated_at_ms: number;
}

const DAY_MS = 86_400_000;

/** Inside the caller's transaction: changes the queue for some failures. Those before a known success mean nothing. */
export function recordFailures(
  db: Database,
  reports: readonly CandidateReport[],
  { autoDisable, nowMs }: { readonly autoDisable: boolean; readonly nowMs: number },
): void {
  for (const report of reports) {
    if (lastSuccess(db, report, nowMs) >= report.seenAtMs) continue;
    const change = candidateChange(alike(db, report, nowMs), report, nowMs);
    if (change.kind !== 'insert' && change.kind !== 'update') continue;
    const id = write(db, change.kind === 'update' ? change.id : null, change.row, nowMs);
    if (!autoDisable || !report.autoDisableEligible) continue;
    const row = find(db, id);
    if (row === null) continue;
    const claim = fieldsOf(row);
    if (isDecidedSince(db, claim.account, report.seenAtMs)) continue;
    requestClaim(db, ACCOUNT_ACTION, claim, nowMs, confirmedAtMs(report.seenAtMs, nowMs));
  }
}

/** Pending rows of the same file, action and reason, and recently ignored ones. */
function alike(db: Database, { file, actionType, reasonCode }: CandidateReport, nowMs: number): CandidateRow[] {
  return db
    .query<StoredCandidate, [string, string, string, number]>(
      `SELECT *
       FROM account_action_candidates
       WHERE auth_file_name = ? AND action_type = ? AND reason_code = ?
         AND (status = 'pending' OR (status = 'ignored' AND updated_at_ms > ?))`,
    )
    .all(file, actionType, reasonCode, nowMs - DAY_MS)
    .map(toRow);
}

function write(db: Database, id: number | null, row: CandidateFields, nowMs: number): number {
  const values = {
    id,
    status: row.status,
    file: row.file,
    provider: row.provider,
    authIndex: row.authIndex,
    accountId: row.accountId,
    accountSnapshot: row.accountSnapshot,
    authLabel: row.authLabel,
    identityKey: candidateIdentityKey(row),
    actionType: row.actionType,
    reasonCode: row.reasonCode,
    reason: row.reason,
    eligible: row.autoDisableEligible ? 1 : 0,
    autoDisabledAtMs: row.autoDisabledAtMs,
    confirmingUntilMs: row.confirmingUntilMs,
    evidence: row.evidence === null ? null : JSON.stringify(row.evidence),
    lastError: row.lastError,
    firstSeenAtMs: row.firstSeenAtMs,
    lastSeenAtMs: row.lastSeenAtMs,
    hitCount: row.hitCount,
    nowMs,
  };
  const stored = db.query<{ id: number }, typeof values>(UPSERT).get(values);
  if (stored === null) throw new Error('a row that was written is not given back');
  return stored.id;
}

const UPSERT = `
INSERT INTO account_action_candidates (
  id, status, auth_file_name, provider, auth_index, account_id, account_snapshot, auth_label, identity_key, action_type,
  reason_code, reason, auto_disable_eligible, auto_disabled_at_ms, confirming_until_ms, evidence, last_error,
  first_seen_at_ms, last_seen_at_ms, hit_count, created_at_ms, updated_at_ms
)
VALUES (
  $id, $status, $file, $provider, $authIndex, $accountId, $accountSnapshot, $authLabel, $identityKey, $actionType,
  $reasonCode, $reason, $eligible, $autoDisabledAtMs, $confirmingUntilMs, $evidence, $lastError,
  $firstSeenAtMs, $lastSeenAtMs, $hitCount, $nowMs, $nowMs
)
ON CONFLICT (id) DO UPDATE SET
  provider = excluded.provider,
  auth_index = excluded.auth_index,
  account_id = excluded.account_id,
  account_snapshot = excluded.account_snapshot,
  auth_label = excluded.auth_label,
  identity_key = excluded.identity_key,
  reason = excluded.reason,
  auto_disable_eligible = excluded.auto_disable_eligible,
  evidence = excluded.evidence,
  last_error = excluded.last_error,
  first_seen_at_ms = excluded.first_seen_at_ms,
  last_seen_at_ms = excluded.last_seen_at_ms,
  hit_count = excluded.hit_count,
  updated_at_ms = excluded.updated_at_ms
RETURNING id`;

export interface ListCandidatesArgs {
  /** '' = all. */
  readonly status: string;
  readonly limit: number;
}

/** Read operation: pending first, then the last seen first; with the count of all pending ones. */
export function listCandidates(
  { db }: ReaderContext,
  { status, limit }: ListCandidatesArgs,
): { readonly rows: CandidateRow[]; readonly pendingCount: number } {
  const rows = db
    .query<StoredCandidate, [string, string, number]>(
      `SELECT *
       FROM account_action_candidates
       WHERE ? = '' OR status = ?
       ORDER BY status <> 'pending', last_seen_at_ms DESC, id DESC
       LIMIT ?`,
    )
    .all(status, status, limit)
    .map(toRow);
  const pending = db
    .query<{ n: number }, []>("SELECT COUNT(*) AS n FROM account_action_candidates WHERE status = 'pending'")
    .get();
  return { rows, pendingCount: pending?.n ?? 0 };
}

/** Read operation; null = not found. */
export function findCandidate({ db }: ReaderContext, id: number): CandidateRow | null {
  return find(db, id);
}

export function find(db: Database, id: number): CandidateRow | null {
  const row = db.query<StoredCandidate, [number]>('SELECT * FROM account_action_candidates WHERE id = ?').get(id);
  return row === null ? null : toRow(row);
}

export interface HoldAutoDisabledArgs {
  readonly candidateId: number;
  readonly claimId: number;
}

/**
 * Write operation: the account was disabled.
 *
 * @returns false when the candidate was handled or withdrawn meanwhile: the account is to be enabled again
 */
export function holdAutoDisabled(context: WriterContext, { candidateId, claimId }: HoldAutoDisabledArgs): boolean {
  const { changes } = context.db
    .query(
      `UPDATE account_action_candidates
       SET auto_disabled_at_ms = ?1, last_error = '', updated_at_ms = ?1
       WHERE id = ?2 AND status = 'pending'`,
    )
    .run(context.now(), candidateId);
  settleClaims(context, { ids: [claimId], as: 'held' });
  if (changes > 0) return true;
  endReason(context.db, claimId, context.now());
  return false;
}

export interface CloseCandidateArgs {
  readonly id: number;
  readonly status: Exclude<CandidateStatus, 'pending'>;
}

/** Write operation: the operator handled it. @returns the current row, null when it was not pending any more */
export function closeCandidate({ db, now }: WriterContext, { id, status }: CloseCandidateArgs): CandidateRow | null {
  const row = db
    .query<StoredCandidate, [string, number, number]>(
      `UPDATE account_action_candidates
       SET status = ?, confirming_until_ms = NULL, last_error = '', updated_at_ms = ?
       WHERE id = ? AND status = 'pending'
       RETURNING *`,
    )
    .get(status, now(), id);
  if (row === null) return null;
  withdrawRequests(db, ACCOUNT_ACTION, subjectOf(id));
  return toRow(row);
}

export interface CandidateErrorArgs {
  readonly id: number;
  readonly lastError: string;
}

/** Write operation: records a failed attempt. */
export function setCandidateError({ db, now }: WriterContext, { id, lastError }: CandidateErrorArgs): void {
  db.query('UPDATE account_action_candidates SET last_error = ?, updated_at_ms = ? WHERE id = ?').run(
    lastError,
    now(),
    id,
  );
}

export function toRow(row: StoredCandidate): CandidateRow {
  const evidence = row.evidence === null ? null : candidateEvidenceSchema.safeParse(parseJson(row.evidence));
  return {
    id: row.id,
    status: row.status,
    file: row.auth_file_name,
    provider: row.provider,
    authIndex: row.auth_index,
    accountId: row.account_id,
    accountSnapshot: row.account_snapshot,
    authLabel: row.auth_label,
    actionType: row.action_type,
    reasonCode: row.reason_code,
    reason: row.reason,
    autoDisableEligible: row.auto_disable_eligible !== 0,
    autoDisabledAtMs: row.auto_disabled_at_ms,
    confirmingUntilMs: row.confirming_until_ms,
    evidence: evidence?.data ?? null,
    lastError: row.last_error,
    firstSeenAtMs: row.first_seen_at_ms,
    lastSeenAtMs: row.last_seen_at_ms,
    hitCount: row.hit_count,
    createdAtMs: row.created_at_ms,
    updatedAtMs: row.updated_at_ms,
  };
}
