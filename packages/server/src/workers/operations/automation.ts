import { createApplyAccountEffects } from '../../events/account-feed/apply.ts';
import { recordFailures } from '../../features/account-actions/queries/candidates.ts';
import {
  restoreAutoDisables,
  type WithdrawnAutoDisable,
  withdrawAutoDisables,
} from '../../features/account-actions/queries/manual.ts';
import {
  type ClosedCooldowns,
  closeCooldowns,
  endEnabledCooldowns,
  reopenCooldowns,
} from '../../features/cooldowns/queries/manual.ts';
import { addCooldownSignals } from '../../features/cooldowns/queries/signals.ts';
import type { OwnershipRow } from '../../features/inspection/ownership.ts';
import { removeOwnershipRows, restoreOwnershipRows } from '../../features/inspection/queries/ownership-rows.ts';
import { writeObservations } from '../../features/quotas/queries/write-observations.ts';
import type { EndedClaims } from '../../gateway/accounts/claims.ts';
import type { ManualChangeStore, OpenManualChange } from '../../gateway/accounts/manual-changes.ts';
import type { ReaderContext, WriterContext } from '../../sqlite/contexts.ts';

/** What was revoked, for putting it back. */
interface RevokedAutomation {
  readonly ownership: readonly OwnershipRow[];
  readonly cooldowns: ClosedCooldowns;
  readonly autoDisables: readonly WithdrawnAutoDisable[];
}

function revokedFiles({ ownership, cooldowns, autoDisables }: RevokedAutomation): readonly string[] {
  const others = [...cooldowns.rows, ...cooldowns.signals, ...autoDisables];
  return [...new Set([...ownership.map(({ authFileName }) => authFileName), ...others.map(({ file }) => file)])];
}

/** What concerns files of which this is true. */
function revokedPart(
  { ownership, cooldowns, autoDisables }: RevokedAutomation,
  isMeant: (fileName: string) => boolean,
): RevokedAutomation {
  return {
    ownership: ownership.filter(({ authFileName }) => isMeant(authFileName)),
    cooldowns: {
      rows: cooldowns.rows.filter(({ file }) => isMeant(file)),
      signals: cooldowns.signals.filter(({ file }) => isMeant(file)),
    },
    autoDisables: autoDisables.filter(({ file }) => isMeant(file)),
  };
}

interface StoredChange {
  readonly id: number;
  readonly wanted: string;
  readonly before: string | null;
  readonly revoked: string;
}

/** Write operation: a person decides about accounts, so no automation may change them over that. */
function beginManualChange(
  { db, now }: WriterContext,
  { scope, wanted }: ArgsOf<'begin'>,
): Pick<OpenManualChange, 'id' | 'fileNames'> | null {
  const revoked: RevokedAutomation = {
    ownership: removeOwnershipRows(db, scope),
    cooldowns: closeCooldowns(db, scope, now()),
    autoDisables: withdrawAutoDisables(db, scope),
  };
  const fileNames = revokedFiles(revoked);
  if (wanted === null || fileNames.length === 0) return null;
  const { lastInsertRowid } = db
    .query('INSERT INTO manual_changes (wanted, revoked, created_at_ms) VALUES (?, ?, ?)')
    .run(JSON.stringify(wanted), JSON.stringify(revoked), now());
  return { id: Number(lastInsertRowid), fileNames };
}

/** Write operation. */
function noteManualChange({ db }: WriterContext, { id, before }: ArgsOf<'note'>): void {
  db.query('UPDATE manual_changes SET before = ? WHERE id = ?').run(JSON.stringify(before), id);
}

/** Write operation: where nothing came of it, automation is put back. Rows that were written meanwhile stay. */
function settleManualChange({ db, now }: WriterContext, { id, unchanged }: ArgsOf<'settle'>): void {
  const row = db.query<StoredChange, [number]>('DELETE FROM manual_changes WHERE id = ? RETURNING *').get(id);
  if (row === null) return;
  const files = new Set(unchanged);
  const revoked = revokedPart(revokedOf(row), (fileName) => files.has(fileName));
  const nowMs = now();
  restoreOwnershipRows(db, revoked.ownership, nowMs);
  reopenCooldowns(db, revoked.cooldowns, nowMs);
  restoreAutoDisables(db, revoked.autoDisables);
}

/** Read operation: changes of which it is not stored what came of them. */
function openManualChanges({ db }: ReaderContext, _args: null): OpenManualChange[] {
  return db
    .query<StoredChange, []>('SELECT * FROM manual_changes ORDER BY id')
    .all()
    .map((row) => ({
      id: row.id,
      wanted: JSON.parse(row.wanted),
      before: row.before === null ? null : JSON.parse(row.before),
      fileNames: revokedFiles(revokedOf(row)),
    }));
}

/** Written by this program alone, in this shape. */
function revokedOf({ revoked }: StoredChange): RevokedAutomation {
  return JSON.parse(revoked);
}

type ArgsOf<K extends keyof ManualChangeStore> = Parameters<ManualChangeStore[K]>[0];

/** Write operation: see `EndClaims`. */
function endClaims({ db, now }: WriterContext, { identities, by }: EndedClaims): void {
  if (by !== 'inspection') removeOwnershipRows(db, { kind: 'credentials', identities });
  if (by !== 'cooldown') endEnabledCooldowns(db, identities, now());
}

/** Write operation: see `createApplyAccountEffects`. */
const applyAccountEffects = createApplyAccountEffects({ writeObservations, addCooldownSignals, recordFailures });

export const automationReads = { openManualChanges };

export const automationWrites = {
  beginManualChange,
  noteManualChange,
  settleManualChange,
  endClaims,
  applyAccountEffects,
};
