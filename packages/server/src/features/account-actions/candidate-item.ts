import type { CandidateRow } from '@manager/core/accounts/failures/candidates';
import type { AccountActionCandidate } from '@manager/core/contract/account-actions';

/** A candidate in the API: unknown members are left out. */
export function candidateItem(row: CandidateRow): AccountActionCandidate {
  return {
    id: row.id,
    actionType: row.actionType,
    status: row.status,
    ...(row.provider === '' ? {} : { provider: row.provider }),
    authFileName: row.file,
    ...(row.authIndex === '' ? {} : { authIndex: row.authIndex }),
    ...(row.accountSnapshot === '' ? {} : { accountSnapshot: row.accountSnapshot }),
    ...(row.accountId === '' ? {} : { accountIdSnapshot: row.accountId }),
    ...(row.authLabel === '' ? {} : { authLabel: row.authLabel }),
    ...(row.reasonCode === '' ? {} : { reasonCode: row.reasonCode }),
    reason: row.reason,
    autoDisableEligible: row.autoDisableEligible,
    ...(row.autoDisabledAtMs === null ? {} : { autoDisabledAtMs: row.autoDisabledAtMs }),
    ...(row.confirmingUntilMs === null ? {} : { confirmingUntilMs: row.confirmingUntilMs }),
    ...(row.evidence === null ? {} : { evidence: row.evidence }),
    ...(row.lastError === '' ? {} : { lastError: row.lastError }),
    firstSeenAtMs: row.firstSeenAtMs,
    lastSeenAtMs: row.lastSeenAtMs,
    hitCount: row.hitCount,
    createdAtMs: row.createdAtMs,
    updatedAtMs: row.updatedAtMs,
  };
}
