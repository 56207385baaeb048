import type { ManualScope } from '../../credentials/manual-changes.ts';
import type { OwnershipRow } from '../../features/inspection/ownership.ts';
import { removeOwnershipRows, restoreOwnershipRows } from '../../features/inspection/queries/ownership-rows.ts';
import type { WriterContext } from '../contexts.ts';

/** What was revoked, for putting it back. */
export interface RevokedAutomation {
  readonly ownership: readonly OwnershipRow[];
}

/** What concerns files of which this is true. */
export function revokedPart(
  { ownership }: RevokedAutomation,
  isMeant: (fileName: string) => boolean,
): RevokedAutomation {
  return { ownership: ownership.filter(({ authFileName }) => isMeant(authFileName)) };
}

/** Write operation: a person decides about credentials, so no automation may change them over that. */
export function revokeAutomation({ db }: WriterContext, scope: ManualScope): RevokedAutomation {
  return { ownership: removeOwnershipRows(db, scope) };
}

/** Write operation: the person's change did not happen. Rows that were written meanwhile stay. */
export function restoreAutomation({ db, now }: WriterContext, { ownership }: RevokedAutomation): void {
  restoreOwnershipRows(db, ownership, now());
}

export const automationWrites = { revokeAutomation, restoreAutomation };
