import { isInconclusive } from '@manager/core/accounts/inspection/result';
import type { AccountActionCandidate } from '@manager/core/contract/account-actions';
import type { RecentRequest } from '@manager/core/contract/accounts/history';
import type { QuotaCooldown } from '@manager/core/contract/cooldowns';
import type { InspectionResult } from '@manager/core/contract/inspection/runs';
import { isDeactivated } from '../requests/deactivation.ts';
import type { Account } from './account.ts';
import { type AccountQuota, GOOD_QUOTA, LOW_QUOTA } from './quota.ts';

/** How long a success shows that an account works, and how long a limit without a known end lasts, ms. */
const FRESH_MS = 86_400_000;

export const AVAILABILITY_STATES = [
  'signIn',
  'deactivated',
  'cooldown',
  'spent',
  'failing',
  'low',
  'available',
  'unconfirmed',
  'disabled',
] as const;
export type AvailabilityState = (typeof AVAILABILITY_STATES)[number];

export type EvidenceSource = 'request' | 'candidate' | 'cooldown' | 'inspection' | 'quota' | 'gateway';
/** The sign-in is rejected; the provider has deactivated the workspace or the account. */
export type Refused = 'signIn' | 'deactivated';
/** One piece of evidence about the account. */
export type EvidenceSays = 'works' | Refused | 'limit' | 'failing' | 'neutral';

export interface Evidence {
  readonly source: EvidenceSource;
  readonly atMs: number;
  readonly says: EvidenceSays;
  /** HTTP status, 0 = none. */
  readonly status: number;
  /** The manager's code of the reason. */
  readonly code?: string | undefined;
  /** Text of the gateway, the provider or the manager; not masked. */
  readonly text: string;
}

export interface Availability {
  readonly state: AvailabilityState;
  /** Start; null = unknown. */
  readonly sinceMs: number | null;
  /** When it was last observed. */
  readonly lastMs: number | null;
  /** When it ends automatically. */
  readonly untilMs: number | null;
  /** HTTP status of the deciding failure, 0 = none. */
  readonly status: number;
  /** Consecutive failures. */
  readonly failures: number;
  /** Origin: who disabled it, or what shows that it works. */
  readonly by: 'manager' | 'hand' | 'success' | 'quota' | 'inspection' | '';
  /** An older failure that newer evidence overrides. */
  readonly recovered: boolean;
  /** Newest first. */
  readonly evidence: readonly Evidence[];
}

export interface AccountFacts {
  readonly account: Account;
  readonly quota: AccountQuota;
  /** Newest first. */
  readonly requests: readonly RecentRequest[];
  readonly candidates: readonly AccountActionCandidate[];
  readonly cooldown: QuotaCooldown | null;
  readonly inspection: InspectionResult | null;
  /** The last quota query, if the provider refused it. */
  readonly quotaRefusal: QuotaRefusal | null;
}

/** A quota query that a person started, which the provider refused to this account. */
export interface QuotaRefusal {
  readonly atMs: number;
  readonly says: Refused;
  readonly status: number;
  /** Text of the provider. */
  readonly text: string;
}

/** Invalid or canceled requests are no evidence about the account. */
const NEUTRAL_STATUSES: ReadonlySet<number> = new Set([400, 409, 413, 422, 499]);

function requestEvidenceKind(request: RecentRequest): EvidenceSays {
  const { failed, fail_status_code: status = 0, header_error_kind = '' } = request;
  if (!failed) return 'works';
  if (NEUTRAL_STATUSES.has(status) || /cancel/i.test(header_error_kind)) return 'neutral';
  const refused = refusedBy(status, request.fail_summary, request.header_error_code);
  if (refused !== null) return refused;
  // The sign-in works, the quota is used up.
  return status === 402 || status === 429 ? 'limit' : 'failing';
}

/** What a failure proves against the account; null = nothing. */
export function refusedBy(status: number, text?: string, code?: string): Refused | null {
  if (isDeactivated({ status, text, code })) return 'deactivated';
  return status === 401 ? 'signIn' : null;
}

const isRefused = (one: Evidence): one is Evidence & { readonly says: Refused } =>
  one.says === 'signIn' || one.says === 'deactivated';

const WORKS_BY: Readonly<Partial<Record<EvidenceSource, Availability['by']>>> = {
  inspection: 'inspection',
  quota: 'quota',
};

export function accountAvailability(facts: AccountFacts, nowMs: number): Availability {
  const { account, quota, cooldown, candidates } = facts;
  const evidence = evidenceOf(facts);
  const last = (says: EvidenceSays) => evidence.find((one) => one.says === says) ?? null;
  const works = last('works');
  const refused = evidence.find(isRefused);
  const limit = last('limit');
  const worksAt = works?.atMs ?? 0;
  const failures = failuresInARow(facts.requests);
  const since = (says: EvidenceSays) => rowStart(says, facts, evidence, worksAt);
  const overruled = evidence.some((one) => (isRefused(one) || one.says === 'limit') && one.atMs < worksAt);
  const result = ({
    state,
    sinceMs = null,
    lastMs = sinceMs,
    untilMs = null,
    status = 0,
    by = '',
  }: Partial<Availability> & Pick<Availability, 'state'>): Availability => ({
    state,
    sinceMs,
    lastMs,
    untilMs,
    status,
    failures,
    by,
    recovered: overruled && state === 'available',
    evidence,
  });

  if (account.listed.disabled) {
    const automatic =
      candidates.find(({ autoDisabledAtMs }) => autoDisabledAtMs !== undefined)?.autoDisabledAtMs ?? null;
    const byInspection = facts.inspection?.executedAction === 'disable';
    if (cooldown !== null)
      return result({
        state: 'disabled',
        by: 'manager',
        sinceMs: cooldown.disabledAtMs,
        untilMs: cooldown.recoverAtMs,
      });
    if (automatic !== null) return result({ state: 'disabled', by: 'manager', sinceMs: automatic });
    if (byInspection)
      return result({ state: 'disabled', by: 'inspection', sinceMs: facts.inspection?.createdAtMs ?? null });
    return result({ state: 'disabled', by: 'hand', sinceMs: account.updatedAtMs });
  }
  if (refused !== undefined && refused.atMs >= worksAt) {
    const { says: state, atMs: lastMs, status } = refused;
    return result({ state, sinceMs: since(state), lastMs, status });
  }
  if (cooldown !== null && cooldown.recoverAtMs > nowMs && cooldown.disabledAtMs >= worksAt)
    return result({ state: 'cooldown', by: 'manager', sinceMs: cooldown.disabledAtMs, untilMs: cooldown.recoverAtMs });
  if (account.unavailable && account.nextRetryMs !== null && account.nextRetryMs > nowMs)
    return result({ state: 'cooldown', untilMs: account.nextRetryMs, sinceMs: account.updatedAtMs });
  if (quota.left === 0) return result({ state: 'spent', untilMs: quota.resetAtMs, lastMs: quota.observedAtMs });
  if (
    limit !== null &&
    limit.atMs >= worksAt &&
    nowMs - limit.atMs < FRESH_MS &&
    (quota.observedAtMs ?? 0) <= limit.atMs
  )
    return result({ state: 'spent', sinceMs: since('limit'), lastMs: limit.atMs, status: limit.status });
  if (failures >= 2 || (account.unavailable && (facts.requests[0]?.timestamp_ms ?? 0) > worksAt))
    return result({
      state: 'failing',
      sinceMs: since('failing'),
      lastMs: last('failing')?.atMs ?? account.updatedAtMs,
      status: last('failing')?.status ?? 0,
    });
  if (quota.left !== null && quota.left < LOW_QUOTA)
    return result({ state: 'low', untilMs: quota.resetAtMs, lastMs: quota.observedAtMs });
  if (works !== null && nowMs - worksAt < FRESH_MS) {
    // A real request is stronger evidence than a quota check.
    const success = evidence.find((one) => one.says === 'works' && one.source === 'request');
    const by = success !== undefined && nowMs - success.atMs < FRESH_MS ? 'success' : WORKS_BY[works.source];
    return result({ state: 'available', by: by ?? 'success', lastMs: worksAt });
  }
  if (quota.left !== null && (quota.left >= GOOD_QUOTA || failures === 0))
    return result({ state: 'available', by: 'quota', lastMs: quota.observedAtMs });
  return result({ state: 'unconfirmed', lastMs: works === null ? null : worksAt });
}

/** Transient failures since the last other evidence. */
function failuresInARow(requests: readonly RecentRequest[]): number {
  let count = 0;
  for (const request of requests) {
    const says = requestEvidenceKind(request);
    if (says === 'neutral') continue;
    if (says !== 'failing') break;
    count += 1;
  }
  return count;
}

/**
 * Start of the current streak of failures of one kind; null = before the known data: of requests only the last ones are known, of
 * inspections only the last one.
 */
function rowStart(
  says: EvidenceSays,
  { requests, candidates }: AccountFacts,
  evidence: readonly Evidence[],
  worksAt: number,
): number | null {
  const first = evidence.findLast((one) => one.says === says && one.atMs > worksAt);
  if (first === undefined) return null;
  const firsts = candidates
    .filter((one) => candidateEvidenceKind(one) === says && one.firstSeenAtMs >= worksAt)
    .map((one) => one.firstSeenAtMs);
  // The manager recorded the first one.
  if (firsts.length > 0 && Math.min(...firsts) <= first.atMs) return Math.min(...firsts);
  const reachBack = requests.some((request) => {
    const said = requestEvidenceKind(request);
    const { timestamp_ms } = request;
    return timestamp_ms < first.atMs && said !== 'neutral' && (said !== says || timestamp_ms <= worksAt);
  });
  return reachBack && first.source === 'request' ? first.atMs : null;
}

function candidateEvidenceKind({ actionType }: AccountActionCandidate): EvidenceSays {
  if (actionType === 'delete') return 'deactivated';
  return actionType === 'reauth' ? 'signIn' : 'failing';
}

function evidenceOf(facts: AccountFacts): readonly Evidence[] {
  const { account, quota, requests, candidates, cooldown, inspection, quotaRefusal } = facts;
  const list: Evidence[] = [];
  for (const request of requests) {
    list.push({
      source: 'request',
      atMs: request.timestamp_ms,
      says: requestEvidenceKind(request),
      status: request.fail_status_code ?? 0,
      text: request.fail_summary ?? request.header_error_code ?? request.header_error_kind ?? '',
    });
  }
  for (const candidate of candidates) {
    list.push({
      source: 'candidate',
      atMs: candidate.lastSeenAtMs,
      says: candidateEvidenceKind(candidate),
      status: candidate.evidence?.statusCode ?? 0,
      code: candidate.reasonCode,
      text: candidate.reason,
    });
  }
  if (cooldown !== null)
    list.push({
      source: 'cooldown',
      atMs: cooldown.disabledAtMs,
      says: 'limit',
      status: 0,
      code: cooldown.reasonCode,
      text: '',
    });
  if (inspection !== null) list.push(inspectionEvidence(inspection));
  if (quota.askedAtMs !== null)
    list.push({ source: 'quota', atMs: quota.askedAtMs, says: 'works', status: 0, text: '' });
  if (quotaRefusal !== null) list.push({ source: 'quota', ...quotaRefusal });
  if (account.statusMessage !== '' && account.updatedAtMs !== null)
    list.push({
      source: 'gateway',
      atMs: account.updatedAtMs,
      says: 'neutral',
      status: 0,
      text: account.statusMessage,
    });
  return list.sort((left, right) => right.atMs - left.atMs);
}

function inspectionEvidence(result: InspectionResult): Evidence {
  const { statusCode = 0, action, isQuota, createdAtMs, error = '' } = result;
  const says: EvidenceSays =
    action === 'delete'
      ? 'deactivated'
      : action === 'reauth' || statusCode === 401
        ? 'signIn'
        : isQuota || statusCode === 402
          ? 'limit'
          : isInconclusive(result)
            ? 'neutral'
            : 'works';
  return { source: 'inspection', atMs: createdAtMs, says, status: statusCode, text: error };
}
