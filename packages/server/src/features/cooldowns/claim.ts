import type { Database } from 'bun:sqlite';
import { normalizedEvidence } from '@manager/core/accounts/cooldown/evidence';
import {
  type CooldownFields,
  type CooldownRow,
  cooldownIdentity,
  cooldownIdentityKey,
} from '@manager/core/accounts/cooldown/row';
import type { CooldownCandidate } from '@manager/core/accounts/cooldown/signals';
import { accountRecord } from '@manager/core/accounts/identity';
import type { Claim, ClaimFields } from '../../gateway/claims/claim.ts';
import { requestClaim } from '../../gateway/claims/queries/change-claims.ts';

/** Kind of the claims of cooldowns. */
export const COOLDOWN = 'cooldown';

/** Inside a transaction of the caller: keeps calls for cooldowns until they were acted on. A storm of failures is one call. */
export function requestCooldowns(db: Database, candidates: readonly CooldownCandidate[], nowMs: number): void {
  for (const candidate of candidates) requestClaim(db, COOLDOWN, fieldsOf(candidate), nowMs);
}

/** A cooldown, or a call for one, as its claim says it. */
export function fieldsOf(cooldown: CooldownFields | CooldownCandidate): ClaimFields {
  return {
    subject: JSON.stringify([cooldown.file, cooldown.owner, cooldownIdentityKey(cooldown)]),
    account: accountRecord(cooldownIdentity(cooldown)),
    details: cooldown,
    untilMs: cooldown.recoverAtMs,
  };
}

/** What calls for a cooldown. Written by this program alone, in this shape. */
export function candidateOf({ details }: Claim): CooldownCandidate {
  return details as CooldownCandidate;
}

export function cooldownOf({ id, details }: Claim): CooldownRow {
  const fields = details as CooldownFields;
  return { ...fields, id, evidence: fields.evidence === null ? null : normalizedEvidence(fields.evidence) };
}
