import { COOLDOWN_OWNERS } from '../cooldown/owners.ts';
import type { CooldownRow } from '../cooldown/row.ts';
import type { CooldownCandidate } from '../cooldown/signals.ts';

interface CandidateVector {
  readonly file: string;
  readonly authIndex: string;
  readonly provider: string;
  readonly accountSnapshot: string;
  readonly owner: string;
  readonly reasonCode: string;
  readonly windowKind: string;
  readonly recoverAtMs: number;
  readonly eventHash: string;
}

/** The candidate of a vector. */
export function candidateOf(vector: CandidateVector): CooldownCandidate {
  const owner = COOLDOWN_OWNERS.find((known) => known === vector.owner);
  if (owner === undefined) throw new Error(`unknown owner ${vector.owner}`);
  const provider = owner === 'manager_usage_429' ? 'codex' : 'xai';
  return { ...vector, provider, owner, estimated: false, evidence: null };
}

/** A stored cooldown with the given members. */
export function rowOf(members: Partial<CooldownRow>): CooldownRow {
  return {
    id: 1,
    status: 'active',
    file: '',
    authIndex: '',
    provider: '',
    accountSnapshot: '',
    owner: '',
    reasonCode: '',
    windowKind: '',
    evidence: null,
    eventHash: '',
    preDisabledState: false,
    recoverAtMs: 0,
    disabledAtMs: 0,
    recoveredAtMs: null,
    lastError: '',
    failedAttempts: 0,
    nextAttemptAtMs: 0,
    createdAtMs: 0,
    updatedAtMs: 0,
    ...members,
  };
}
