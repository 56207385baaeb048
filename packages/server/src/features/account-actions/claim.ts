import type { CandidateRow } from '@manager/core/accounts/failures/candidates';
import { type AccountIdentity, accountIdentity, accountRecord } from '@manager/core/accounts/identity';
import type { Claim, ClaimFields } from '../../gateway/claims/claim.ts';

/** Kind of the claims of accounts that were disabled for a failure. */
export const ACCOUNT_ACTION = 'account_action';

/** The account of a candidate. Its label is for display only. */
export function candidateIdentity(row: CandidateRow): AccountIdentity {
  return accountIdentity({
    authFileName: row.file,
    authIndex: row.authIndex,
    provider: row.provider,
    accountId: row.accountId,
    accountSnapshot: row.accountSnapshot,
  });
}

export function fieldsOf(row: CandidateRow): ClaimFields {
  const subject = subjectOf(row.id);
  return { subject, account: accountRecord(candidateIdentity(row)), details: null, untilMs: null };
}

export function subjectOf(candidateId: number): string {
  return String(candidateId);
}

export function candidateIdOf({ subject }: Claim): number {
  return Number(subject);
}
