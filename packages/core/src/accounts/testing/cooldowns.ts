import type { CooldownTarget } from '../cooldown/apply.ts';
import { COOLDOWN_OWNERS } from '../cooldown/owners.ts';
import type { CooldownRow } from '../cooldown/row.ts';
import type { CooldownCandidate } from '../cooldown/signals.ts';
import { hasState } from '../listed-account.ts';
import type { Resolved, StatusTarget } from '../status-scope.ts';

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

export function candidateOf(vector: CandidateVector): CooldownCandidate {
  const owner = COOLDOWN_OWNERS.find((known) => known === vector.owner);
  if (owner === undefined) throw new Error(`unknown owner ${vector.owner}`);
  const provider = owner === 'manager_usage_429' ? 'codex' : 'xai';
  return { ...vector, provider, owner, estimated: false, evidence: null };
}

export function rowOf(members: Partial<CooldownRow>): CooldownRow {
  return {
    id: 1,
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
    ...members,
  };
}

/** The result of a look-up. */
export function targetOf(resolved: Resolved<StatusTarget>): CooldownTarget {
  if (!resolved.found) return { state: resolved.refusal };
  const { scope, listed: account } = resolved.target;
  if (scope !== 'credential') return { state: 'ambiguous' };
  return { state: hasState(account, true) ? 'disabled' : 'enabled', listed: account };
}
