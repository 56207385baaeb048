import { type AccountRecord, accountRecord, identityOf } from '@manager/core/accounts/identity';
import type { Reach } from '../../gateway/accounts/reach.ts';
import type { NewClaim } from '../../gateway/claims/claim.ts';

/** Kind of the claims of accounts that an inspection disabled. */
export const INSPECTION = 'inspection';

/** One per affected account. */
export function claimsOf({ members }: Pick<Reach, 'members'>): readonly NewClaim[] {
  return members.map((member) => {
    const account = accountRecord(identityOf(member));
    return { subject: subjectOf(account), account, details: null, untilMs: null, request: null };
  });
}

function subjectOf({ authFileName, provider, authIndex, accountId, accountSnapshot }: AccountRecord): string {
  return JSON.stringify([authFileName, provider, authIndex, accountId, accountSnapshot]);
}
