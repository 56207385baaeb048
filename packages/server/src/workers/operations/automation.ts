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
import type { ManualScope } from '../../gateway/accounts/manual-changes.ts';
import type { WriterContext } from '../../sqlite/contexts.ts';

/** What was revoked, for putting it back. */
export interface RevokedAutomation {
  readonly ownership: readonly OwnershipRow[];
  readonly cooldowns: ClosedCooldowns;
  readonly autoDisables: readonly WithdrawnAutoDisable[];
}

export function revokedFiles({ ownership, cooldowns, autoDisables }: RevokedAutomation): readonly string[] {
  const others = [...cooldowns.rows, ...cooldowns.signals, ...autoDisables];
  return [...ownership.map(({ authFileName }) => authFileName), ...others.map(({ file }) => file)];
}

/** What concerns files of which this is true. */
export function revokedPart(
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

/** Write operation: a person decides about credentials, so no automation may change them over that. */
export function revokeAutomation({ db, now }: WriterContext, scope: ManualScope): RevokedAutomation {
  return {
    ownership: removeOwnershipRows(db, scope),
    cooldowns: closeCooldowns(db, scope, now()),
    autoDisables: withdrawAutoDisables(db, scope),
  };
}

/** Write operation: the person's change did not happen. Rows that were written meanwhile stay. */
export function restoreAutomation({ db, now }: WriterContext, revoked: RevokedAutomation): void {
  const nowMs = now();
  restoreOwnershipRows(db, revoked.ownership, nowMs);
  reopenCooldowns(db, revoked.cooldowns, nowMs);
  restoreAutoDisables(db, revoked.autoDisables);
}

/** Write operation: see `EndClaims`. */
function endClaims({ db, now }: WriterContext, { identities, by }: EndedClaims): void {
  if (by !== 'inspection') removeOwnershipRows(db, { kind: 'credentials', identities });
  if (by !== 'cooldown') endEnabledCooldowns(db, identities, now());
}

/** Write operation: see `createApplyAccountEffects`. */
const applyAccountEffects = createApplyAccountEffects({ writeObservations, addCooldownSignals, recordFailures });

export const automationWrites = { revokeAutomation, restoreAutomation, endClaims, applyAccountEffects };
