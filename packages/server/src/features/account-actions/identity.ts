import type { CandidateRow } from '@manager/core/accounts/failures/candidates';
import { type CredentialIdentity, credentialIdentity } from '@manager/core/accounts/identity';

/** The credential a candidate speaks of. Its label is for display only. */
export function candidateIdentity(row: CandidateRow): CredentialIdentity {
  return credentialIdentity({
    authFileName: row.file,
    authIndex: row.authIndex,
    provider: row.provider,
    accountId: row.accountId,
    accountSnapshot: row.accountSnapshot,
  });
}
