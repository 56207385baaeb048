import { createApplyAccountEffects } from '../../account-events/apply.ts';
import type { ManualScope } from '../../credentials/manual-changes.ts';
import { recordFailures } from '../../features/account-actions/queries/candidates.ts';
import type { OwnershipRow } from '../../features/inspection/ownership.ts';
import { removeOwnershipRows, restoreOwnershipRows } from '../../features/inspection/queries/ownership-rows.ts';
import {
  type ClosedCooldowns,
  closeCooldowns,
  reopenCooldowns,
} from '../../features/quota-cooldowns/queries/manual.ts';
import { addCooldownSignals } from '../../features/quota-cooldowns/queries/signals.ts';
import { writeObservations } from '../../features/quota-snapshots/queries/write-observations.ts';
import type { WriterContext } from '../contexts.ts';

/** What was revoked, for putting it back. */
export interface RevokedAutomation {
  readonly ownership: readonly OwnershipRow[];
  readonly cooldowns: ClosedCooldowns;
}

/** What concerns files of which this is true. */
export function revokedPart(
  { ownership, cooldowns }: RevokedAutomation,
  isMeant: (fileName: string) => boolean,
): RevokedAutomation {
  return {
    ownership: ownership.filter(({ authFileName }) => isMeant(authFileName)),
    cooldowns: {
      rows: cooldowns.rows.filter(({ file }) => isMeant(file)),
      signals: cooldowns.signals.filter(({ file }) => isMeant(file)),
    },
  };
}

/** Write operation: a person decides about credentials, so no automation may change them over that. */
export function revokeAutomation({ db, now }: WriterContext, scope: ManualScope): RevokedAutomation {
  return { ownership: removeOwnershipRows(db, scope), cooldowns: closeCooldowns(db, scope, now()) };
}

/** Write operation: the person's change did not happen. Rows that were written meanwhile stay. */
export function restoreAutomation({ db, now }: WriterContext, { ownership, cooldowns }: RevokedAutomation): void {
  const nowMs = now();
  restoreOwnershipRows(db, ownership, nowMs);
  reopenCooldowns(db, cooldowns, nowMs);
}

/** Write operation: see `createApplyAccountEffects`. */
const applyAccountEffects = createApplyAccountEffects({ writeObservations, addCooldownSignals, recordFailures });

export const automationWrites = { revokeAutomation, restoreAutomation, applyAccountEffects };
