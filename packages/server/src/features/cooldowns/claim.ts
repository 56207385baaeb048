import type { Database } from 'bun:sqlite';
import { normalizedEvidence } from '@manager/core/accounts/cooldown/evidence';
import {
  type CooldownFields,
  type CooldownRow,
  cooldownIdentity,
  cooldownIdentityKey,
} from '@manager/core/accounts/cooldown/row';
import type { CooldownCandidate, SeenCooldown } from '@manager/core/accounts/cooldown/signals';
import { accountRecord } from '@manager/core/accounts/identity';
import type { Claim, ClaimFields } from '../../gateway/claims/claim.ts';
import { requestClaim } from '../../gateway/claims/queries/change-claims.ts';
import { isDecidedSince } from '../../gateway/claims/queries/manual-changes.ts';

/** Kind of the claims of cooldowns. */
export const COOLDOWN = 'cooldown';

/**
 * Inside the caller's transaction: stores requests for cooldowns until they are executed. Many failures of one account are one
 * request, and those from before a person's decision none.
 */
export function requestCooldowns(db: Database, seen: readonly SeenCooldown[], nowMs: number): void {
  for (const { candidate, seenAtMs } of seen) {
    const claim = fieldsOf(candidate);
    if (!isDecidedSince(db, claim.account, seenAtMs)) requestClaim(db, COOLDOWN, claim, nowMs);
  }
}

/** A cooldown, or a request for one, in the form of its claim. */
export function fieldsOf(cooldown: CooldownFields | CooldownCandidate): ClaimFields {
  return {
    subject: JSON.stringify([cooldown.file, cooldown.owner, cooldownIdentityKey(cooldown)]),
    account: accountRecord(cooldownIdentity(cooldown)),
    details: cooldown,
    untilMs: cooldown.recoverAtMs,
  };
}

/** The cause of a cooldown. Only this program writes it, in this form. */
export function candidateOf({ details }: Claim): CooldownCandidate {
  return details as CooldownCandidate;
}

export function cooldownOf({ id, details }: Claim): CooldownRow {
  const fields = details as CooldownFields;
  return { ...fields, id, evidence: fields.evidence === null ? null : normalizedEvidence(fields.evidence) };
}
