import type { Database } from 'bun:sqlite';
import { type CooldownRow, isClosedBy, MANUAL_CHANGE, type ManualChange } from '@manager/core/accounts/cooldown/row';
import type { CooldownCandidate } from '@manager/core/accounts/cooldown/signals';
import type { ManualScope } from '../../../gateway/accounts/manual-changes.ts';
import { openRows } from './rows.ts';
import { addCooldownSignals, removeSignal, waitingSignals } from './signals.ts';

/** Cooldowns that ended because a person decided about the credential. */
export interface ClosedCooldowns {
  readonly rows: readonly Pick<CooldownRow, 'id' | 'status' | 'file' | 'lastError'>[];
  readonly signals: readonly CooldownCandidate[];
}

/** Inside a transaction of the caller: ends cooldowns of the scope, and forgets what called for others. */
export function closeCooldowns(db: Database, scope: ManualScope, nowMs: number): ClosedCooldowns {
  const changes = changesOf(scope);
  const isClosed = (subject: Parameters<typeof isClosedBy>[0]) => changes.some((change) => isClosedBy(subject, change));
  const rows = filesOf(scope)
    .flatMap((file) => openRows(db, file))
    .filter(isClosed);
  const close = db.query(
    "UPDATE quota_cooldowns SET status = 'skipped', last_error = ?, updated_at_ms = ? WHERE id = ?",
  );
  for (const { id } of rows) close.run(MANUAL_CHANGE, nowMs, id);

  const signals = filesOf(scope)
    .flatMap((file) => waitingSignals(db, file))
    .filter(({ candidate }) => isClosed(candidate));
  for (const { id } of signals) removeSignal(db, id);
  return { rows, signals: signals.map(({ candidate }) => candidate) };
}

/** Inside a transaction of the caller: the change did not happen. Cooldowns that began meanwhile stay. */
export function reopenCooldowns(db: Database, { rows, signals }: ClosedCooldowns, nowMs: number): void {
  const reopen = db.query(
    `UPDATE OR IGNORE quota_cooldowns
     SET status = ?, last_error = ?, updated_at_ms = ?
     WHERE id = ? AND status = 'skipped'`,
  );
  for (const row of rows) reopen.run(row.status, row.lastError, nowMs, row.id);
  addCooldownSignals(db, signals, nowMs);
}

/** Inside a transaction of the caller: the credentials were found enabled, so their cooldowns are over. */
export function endEnabledCooldowns(db: Database, identities: CredentialScope['identities'], nowMs: number): void {
  const scope: ManualScope = { kind: 'credentials', identities };
  const changes = changesOf(scope);
  const end = db.query(
    "UPDATE quota_cooldowns SET status = 'recovered', last_error = '', recovered_at_ms = ?1, updated_at_ms = ?1 WHERE id = ?2",
  );
  // Nothing came of a row that is pending.
  const drop = db.query('DELETE FROM quota_cooldowns WHERE id = ?');
  for (const row of filesOf(scope).flatMap((file) => openRows(db, file))) {
    if (!changes.some((change) => isClosedBy(row, change))) continue;
    if (row.status === 'pending') drop.run(row.id);
    else end.run(nowMs, row.id);
  }
}

type CredentialScope = Extract<ManualScope, { kind: 'credentials' }>;

/** null = all files. */
function filesOf(scope: ManualScope): readonly (string | null)[] {
  if (scope.kind === 'all') return [null];
  if (scope.kind === 'files') return [...new Set(scope.fileNames)];
  return [...new Set(scope.identities.map(({ authFileName }) => authFileName))];
}

function changesOf(scope: ManualScope): readonly ManualChange[] {
  if (scope.kind === 'all') return [{ kind: 'all' }];
  if (scope.kind === 'files') return scope.fileNames.map((file) => ({ kind: 'file', file }));
  return scope.identities.map(({ authFileName, authIndex, provider, accountSnapshot }) => ({
    kind: 'credential',
    subject: { file: authFileName, authIndex, provider, accountSnapshot },
  }));
}
