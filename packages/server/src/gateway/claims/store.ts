import type { OperationClient } from '../../sqlite/contexts.ts';
import { beginDisabling, beginEnabling, continueClaim, postponeClaims, settleClaims } from './queries/change-claims.ts';
import { dueClaims, findClaim, nextClaimTime, openClaims, unsettledClaims } from './queries/claim-rows.ts';
import {
  beginManualChange,
  noteManualChange,
  openManualChanges,
  settleManualChange,
} from './queries/manual-changes.ts';

/** Listed in `workers/operations/reads.ts`. */
export const claimReads = { openClaims, findClaim, unsettledClaims, dueClaims, nextClaimTime, openManualChanges };

/** Listed in `workers/operations/writes.ts`; each runs inside one transaction. */
export const claimWrites = {
  beginDisabling,
  beginEnabling,
  settleClaims,
  continueClaim,
  postponeClaims,
  beginManualChange,
  noteManualChange,
  settleManualChange,
};

export interface ClaimStore {
  readonly reader: Pick<OperationClient<typeof claimReads>, 'run'>;
  readonly writer: Pick<OperationClient<typeof claimWrites>, 'run'>;
}
