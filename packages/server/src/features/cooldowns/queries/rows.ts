import type { Database } from 'bun:sqlite';
import type { CooldownFields } from '@manager/core/accounts/cooldown/apply';
import { normalizedEvidence } from '@manager/core/accounts/cooldown/evidence';
import { nextAttemptMs } from '@manager/core/accounts/cooldown/recover';
import { type CooldownRow, type CooldownStatus, cooldownIdentityKey } from '@manager/core/accounts/cooldown/row';
import { parseJson } from '@manager/core/json/json';
import type { ReaderContext, WriterContext } from '../../../sqlite/contexts.ts';
import { removeSignal } from './signals.ts';

interface Stored {
  readonly id: number;
  readonly status: CooldownStatus;
  readonly auth_file_name: string;
  readonly auth_index: string;
  readonly provider: string;
  readonly account_snapshot: string;
  readonly owner: string;
  readonly reason_code: string;
  readonly window_kind: string;
  readonly evidence: string | null;
  readonly event_hash: string;
  readonly pre_disabled_state: number;
  readonly recover_at_ms: number;
  readonly disabled_at_ms: number;
  readonly recovered_at_ms: number | null;
  readonly last_error: string;
  readonly failed_attempts: number;
  readonly next_attempt_at_ms: number;
  readonly created_at_ms: number;
  readonly updated_at_ms: number;
}

const OPEN = "status IN ('pending', 'active')";

/** Read operation: active cooldowns, overdue ones included, by the time of their end. */
export function activeCooldowns({ db }: ReaderContext, _args: null): CooldownRow[] {
  return db
    .query<Stored, []>("SELECT * FROM quota_cooldowns WHERE status = 'active' ORDER BY recover_at_ms, id")
    .all()
    .map(toRow);
}

export interface DueArgs {
  readonly nowMs: number;
  /** The clock is ahead by so much: times at which a quota is back come so much later by it. */
  readonly aheadMs: number;
  readonly limit: number;
}

/** Read operation: cooldowns whose end is to be tried now, the longest overdue first. */
export function dueCooldowns({ db }: ReaderContext, { nowMs, aheadMs, limit }: DueArgs): CooldownRow[] {
  return db
    .query<Stored, [number, number, number]>(
      `SELECT *
       FROM quota_cooldowns
       WHERE status = 'active' AND next_attempt_at_ms <= ?1 AND recover_at_ms <= ?1 - ?2
       ORDER BY next_attempt_at_ms, id
       LIMIT ?3`,
    )
    .all(nowMs, aheadMs, limit)
    .map(toRow);
}

/** Read operation: when the next end or signal is to be tried, null = nothing waits. */
export function nextCooldownTime({ db }: ReaderContext, { aheadMs }: Pick<DueArgs, 'aheadMs'>): number | null {
  const row = db
    .query<{ at_ms: number | null }, [number]>(
      `SELECT MIN(at_ms) AS at_ms
       FROM (
         SELECT MIN(MAX(next_attempt_at_ms, recover_at_ms + ?)) AS at_ms FROM quota_cooldowns WHERE status = 'active'
         UNION ALL
         SELECT MIN(next_attempt_at_ms) FROM quota_cooldown_signals
       )`,
    )
    .get(aheadMs);
  return row?.at_ms ?? null;
}

/** Read operation: rows of which it is not known whether the upstream was told. */
export function pendingCooldowns({ db }: ReaderContext, _args: null): CooldownRow[] {
  return db.query<Stored, []>("SELECT * FROM quota_cooldowns WHERE status = 'pending' ORDER BY id").all().map(toRow);
}

/** Read operation: pending and active cooldowns of a file. */
export function openCooldownsOfFile({ db }: ReaderContext, fileName: string): CooldownRow[] {
  return openRows(db, fileName);
}

/** Inside a transaction of the caller, or alone: those of one file, null = of all. */
export function openRows(db: Database, fileName: string | null): CooldownRow[] {
  return db
    .query<Stored, [string | null, string | null]>(
      `SELECT * FROM quota_cooldowns WHERE ${OPEN} AND (? IS NULL OR auth_file_name = ?) ORDER BY id`,
    )
    .all(fileName, fileName)
    .map(toRow);
}

export interface StoreCooldownArgs {
  /** The row to write over; null = a new one. */
  readonly id: number | null;
  readonly row: CooldownFields;
  readonly status: 'pending' | 'active';
  /** Taken off with it; null = it stays. */
  readonly signalId: number | null;
}

/** Write operation: stores a cooldown that begins or is extended. @returns its id */
export function storeCooldown({ db, now }: WriterContext, { id, row, status, signalId }: StoreCooldownArgs): number {
  const values = {
    id,
    status,
    file: row.file,
    authIndex: row.authIndex,
    provider: row.provider,
    accountSnapshot: row.accountSnapshot,
    owner: row.owner,
    identityKey: cooldownIdentityKey(row),
    reasonCode: row.reasonCode,
    windowKind: row.windowKind,
    evidence: row.evidence === null ? null : JSON.stringify(row.evidence),
    eventHash: row.eventHash,
    preDisabledState: row.preDisabledState ? 1 : 0,
    recoverAtMs: row.recoverAtMs,
    disabledAtMs: row.disabledAtMs,
    nowMs: now(),
  };
  const stored = db.query<{ id: number }, typeof values>(UPSERT).get(values);
  if (stored === null) throw new Error('a row that was written is not given back');
  if (signalId !== null) removeSignal(db, signalId);
  return stored.id;
}

const UPSERT = `
INSERT INTO quota_cooldowns (
  id, status, auth_file_name, auth_index, provider, account_snapshot, owner, identity_key, reason_code, window_kind,
  evidence, event_hash, pre_disabled_state, recover_at_ms, disabled_at_ms, last_error, failed_attempts,
  next_attempt_at_ms, created_at_ms, updated_at_ms
)
VALUES (
  $id, $status, $file, $authIndex, $provider, $accountSnapshot, $owner, $identityKey, $reasonCode, $windowKind,
  $evidence, $eventHash, $preDisabledState, $recoverAtMs, $disabledAtMs, '', 0, $recoverAtMs, $nowMs, $nowMs
)
ON CONFLICT (id) DO UPDATE SET
  status = excluded.status,
  auth_index = excluded.auth_index,
  account_snapshot = excluded.account_snapshot,
  identity_key = excluded.identity_key,
  reason_code = excluded.reason_code,
  window_kind = excluded.window_kind,
  evidence = excluded.evidence,
  event_hash = excluded.event_hash,
  recover_at_ms = excluded.recover_at_ms,
  disabled_at_ms = excluded.disabled_at_ms,
  last_error = '',
  failed_attempts = 0,
  next_attempt_at_ms = excluded.recover_at_ms,
  updated_at_ms = excluded.updated_at_ms
RETURNING id`;

export interface SettleCooldownArgs {
  readonly id: number;
  /** `active`: the credential was disabled by us; `dropped`: it was not. */
  readonly as: 'active' | 'dropped';
}

/** Write operation: what became of a pending row. */
export function settleCooldown({ db, now }: WriterContext, { id, as }: SettleCooldownArgs): void {
  if (as === 'dropped') db.query("DELETE FROM quota_cooldowns WHERE id = ? AND status = 'pending'").run(id);
  else {
    db.query("UPDATE quota_cooldowns SET status = 'active', updated_at_ms = ? WHERE id = ? AND status = 'pending'").run(
      now(),
      id,
    );
  }
}

export interface EndCooldownArgs {
  readonly id: number;
  readonly status: 'recovered' | 'skipped';
  readonly lastError: string;
}

/** Write operation: final. */
export function endCooldown({ db, now }: WriterContext, { id, status, lastError }: EndCooldownArgs): void {
  const nowMs = now();
  db.query(
    `UPDATE quota_cooldowns
     SET status = ?, last_error = ?, recovered_at_ms = ?, updated_at_ms = ?
     WHERE id = ? AND status = 'active'`,
  ).run(status, lastError, status === 'recovered' ? nowMs : null, nowMs, id);
}

export interface CooldownRetryArgs {
  readonly id: number;
  readonly lastError: string;
  /** Nobody was heard at all, so the row is not to blame: it is tried again soon. */
  readonly soon?: boolean;
}

/** Write operation: the end failed and is tried again later, ever later. */
export function postponeCooldown({ db, now }: WriterContext, { id, lastError, soon = false }: CooldownRetryArgs): void {
  const row = db
    .query<{ failed_attempts: number }, [number]>('SELECT failed_attempts FROM quota_cooldowns WHERE id = ?')
    .get(id);
  if (row === null) return;
  const attempts = row.failed_attempts + (soon ? 0 : 1);
  const nowMs = now();
  db.query(
    `UPDATE quota_cooldowns
     SET last_error = ?, failed_attempts = ?, next_attempt_at_ms = ?, updated_at_ms = ?
     WHERE id = ? AND status = 'active'`,
  ).run(lastError, attempts, nextAttemptMs(soon ? 1 : attempts, nowMs), nowMs, id);
}

function toRow(row: Stored): CooldownRow {
  return {
    id: row.id,
    status: row.status,
    file: row.auth_file_name,
    authIndex: row.auth_index,
    provider: row.provider,
    accountSnapshot: row.account_snapshot,
    owner: row.owner,
    reasonCode: row.reason_code,
    windowKind: row.window_kind,
    evidence: row.evidence === null ? null : normalizedEvidence(parseJson(row.evidence)),
    eventHash: row.event_hash,
    preDisabledState: row.pre_disabled_state !== 0,
    recoverAtMs: row.recover_at_ms,
    disabledAtMs: row.disabled_at_ms,
    recoveredAtMs: row.recovered_at_ms,
    lastError: row.last_error,
    failedAttempts: row.failed_attempts,
    nextAttemptAtMs: row.next_attempt_at_ms,
    createdAtMs: row.created_at_ms,
    updatedAtMs: row.updated_at_ms,
  };
}
