import type { ProviderUsage } from '../../usage/metadata-schema.ts';
import { type AccountParts, directSnapshot } from '../identity.ts';
import type { TargetProblem } from '../target-state.ts';
import { mergedEvidence } from './evidence.ts';
import { type CooldownFields, type CooldownRow, isCertain, isCooldownOf } from './row.ts';
import type { CooldownCandidate } from './signals.ts';

/** What the look-up under the lock of the auth file found for a candidate. */
export type CooldownTarget =
  | { readonly state: 'enabled' | 'disabled'; readonly listed: AccountParts }
  | { readonly state: TargetProblem };

export type SkipReason = TargetProblem | 'not_future' | 'unstable_identity' | 'disabled_by_other' | 'conflict';

/**
 * - `disable`: a cooldown starts; an older one is over, because somebody enabled the account
 * - `extend`: store over row `id`; the account is already disabled by us
 * - `conflict` as reason to skip: two cooldowns claim the account; nothing may be written
 */
export type ApplyDecision =
  | { readonly kind: 'disable'; readonly row: CooldownFields }
  | { readonly kind: 'extend'; readonly id: number; readonly row: CooldownFields }
  | { readonly kind: 'skip'; readonly reason: SkipReason };

/**
 * What a candidate changes. An account that is already disabled is never claimed, unless one of our own cooldowns disabled it.
 *
 * @param rows open cooldowns of the candidate's file
 */
export function applyDecision(
  candidate: CooldownCandidate,
  target: CooldownTarget,
  rows: readonly CooldownRow[],
  nowMs: number,
): ApplyDecision {
  if (candidate.recoverAtMs <= nowMs) return { kind: 'skip', reason: 'not_future' };
  if (target.state !== 'enabled' && target.state !== 'disabled') return { kind: 'skip', reason: target.state };
  const fields = fieldsOf(candidate, target.listed, nowMs);
  if (!isCertain(fields)) return { kind: 'skip', reason: 'unstable_identity' };
  const ours = rows.filter((row) => row.owner === fields.owner && isCooldownOf(row, fields));
  const [row] = ours;
  if (ours.length > 1) return { kind: 'skip', reason: 'conflict' };
  if (target.state === 'enabled') {
    if (row === undefined) return { kind: 'disable', row: fields };
    // Somebody enabled it meanwhile; the cooldown starts again now.
    return { kind: 'disable', row: { ...extended(row, fields), disabledAtMs: nowMs } };
  }
  if (row === undefined) return { kind: 'skip', reason: 'disabled_by_other' };
  return { kind: 'extend', id: row.id, row: extended(row, fields) };
}

function fieldsOf(candidate: CooldownCandidate, live: AccountParts, nowMs: number): CooldownFields {
  const { file } = candidate;
  return {
    file,
    authIndex: candidate.authIndex || live.authIndex,
    provider: candidate.provider,
    accountSnapshot: directSnapshot(candidate.accountSnapshot, file) || directSnapshot(live.accountSnapshot, file),
    owner: candidate.owner,
    reasonCode: candidate.reasonCode,
    windowKind: candidate.windowKind,
    evidence: candidate.evidence,
    eventHash: candidate.eventHash,
    preDisabledState: false,
    recoverAtMs: candidate.recoverAtMs,
    disabledAtMs: nowMs,
  };
}

/** The later recovery wins, with all its members. A row without an index gets the new one. */
function extended(row: CooldownRow, fields: CooldownFields): CooldownFields {
  const [winner, other] = fields.recoverAtMs >= row.recoverAtMs ? [fields, row] : [row, fields];
  return {
    file: row.file,
    authIndex: row.authIndex || fields.authIndex,
    provider: row.provider,
    accountSnapshot: fields.accountSnapshot || row.accountSnapshot,
    owner: row.owner,
    reasonCode: winner.reasonCode,
    windowKind: winner.windowKind,
    evidence: evidenceOf(winner.evidence, other.evidence, winner.recoverAtMs),
    eventHash: winner.eventHash,
    preDisabledState: row.preDisabledState,
    recoverAtMs: winner.recoverAtMs,
    disabledAtMs: Math.min(row.disabledAtMs, fields.disabledAtMs),
  };
}

function evidenceOf(
  winner: ProviderUsage | null,
  other: ProviderUsage | null,
  recoverAtMs: number,
): ProviderUsage | null {
  return winner === null && other === null ? null : mergedEvidence(winner ?? {}, other ?? {}, recoverAtMs);
}
