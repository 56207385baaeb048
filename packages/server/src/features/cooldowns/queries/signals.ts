import type { Database } from 'bun:sqlite';
import { nextAttemptMs } from '@manager/core/accounts/cooldown/recover';
import { cooldownIdentityKey } from '@manager/core/accounts/cooldown/row';
import type { CooldownCandidate } from '@manager/core/accounts/cooldown/signals';
import type { ReaderContext, WriterContext } from '../../../sqlite/contexts.ts';

/** A call for a cooldown that waits to be acted on. */
export interface WaitingSignal {
  readonly id: number;
  readonly candidate: CooldownCandidate;
}

interface Stored {
  readonly id: number;
  readonly candidate: string;
}

/**
 * Inside a transaction of the caller: keeps signals until they were acted on. A storm of failures of one credential is one
 * signal: the one with the latest recovery. It gets a new id, so that work on the older one does not take it off.
 */
export function addCooldownSignals(db: Database, signals: readonly CooldownCandidate[], nowMs: number): void {
  const waiting = db.query<Stored, [string, string, string]>(
    'SELECT id, candidate FROM quota_cooldown_signals WHERE auth_file_name = ? AND owner = ? AND identity_key = ?',
  );
  for (const signal of signals) {
    const key = cooldownIdentityKey(signal);
    const other = waiting.get(signal.file, signal.owner, key);
    if (other !== null) {
      if (candidateOf(other).recoverAtMs >= signal.recoverAtMs) continue;
      removeSignal(db, other.id);
    }
    insert(db, signal, key, nowMs);
  }
}

function insert(db: Database, signal: CooldownCandidate, key: string, nowMs: number): void {
  db.query(
    `INSERT INTO quota_cooldown_signals (
       auth_file_name, owner, identity_key, candidate, next_attempt_at_ms, created_at_ms
     )
     VALUES (?1, ?2, ?3, ?4, ?5, ?5)
     ON CONFLICT DO NOTHING`,
  ).run(signal.file, signal.owner, key, JSON.stringify(signal), nowMs);
}

export interface DueSignalsArgs {
  readonly nowMs: number;
  readonly limit: number;
}

/** Read operation: signals that are to be acted on now, oldest first. */
export function dueCooldownSignals({ db }: ReaderContext, { nowMs, limit }: DueSignalsArgs): WaitingSignal[] {
  return db
    .query<Stored, [number, number]>(
      `SELECT id, candidate
       FROM quota_cooldown_signals
       WHERE next_attempt_at_ms <= ?
       ORDER BY next_attempt_at_ms, id
       LIMIT ?`,
    )
    .all(nowMs, limit)
    .map((row) => ({ id: row.id, candidate: candidateOf(row) }));
}

/** Write operation: nothing more is to be done about it. */
export function dropCooldownSignal({ db }: WriterContext, id: number): void {
  removeSignal(db, id);
}

export interface SignalRetryArgs {
  readonly id: number;
  /** Nobody was heard at all, so the signal is not to blame: it is tried again soon. */
  readonly soon?: boolean;
}

/** Write operation: it could not be acted on, and is looked at again later, ever later. */
export function postponeCooldownSignal({ db, now }: WriterContext, { id, soon = false }: SignalRetryArgs): void {
  const row = db
    .query<{ failed_attempts: number }, [number]>('SELECT failed_attempts FROM quota_cooldown_signals WHERE id = ?')
    .get(id);
  if (row === null) return;
  const attempts = row.failed_attempts + (soon ? 0 : 1);
  db.query('UPDATE quota_cooldown_signals SET failed_attempts = ?, next_attempt_at_ms = ? WHERE id = ?').run(
    attempts,
    nextAttemptMs(soon ? 1 : attempts, now()),
    id,
  );
}

/** Inside a transaction of the caller. */
export function removeSignal(db: Database, id: number): void {
  db.query('DELETE FROM quota_cooldown_signals WHERE id = ?').run(id);
}

/** Inside a transaction of the caller: signals of one file, null = all. */
export function waitingSignals(db: Database, fileName: string | null): WaitingSignal[] {
  return db
    .query<Stored, [string | null, string | null]>(
      'SELECT id, candidate FROM quota_cooldown_signals WHERE ? IS NULL OR auth_file_name = ? ORDER BY id',
    )
    .all(fileName, fileName)
    .map((row) => ({ id: row.id, candidate: candidateOf(row) }));
}

/** Written by this program alone, in this shape. */
function candidateOf({ candidate }: Stored): CooldownCandidate {
  return JSON.parse(candidate);
}
