import { xaiQuotaWindows } from '../../quota/xai-summary.ts';
import type { Finding, ProbedAccount } from '../result.ts';
import { isTransientXaiFailure, worstXaiFailure, type XaiFailure, xaiReason, xaiVerdict } from './classification.ts';
import type { XaiBilling, XaiCheck } from './probes.ts';

/** How the health was determined, for the log. */
export type XaiInspectionMode = 'billing' | 'identity' | 'inference' | 'skipped';

export interface XaiProbes {
  readonly billing: XaiBilling;
  /** null = not requested, see `XaiBilling.needsIdentity`. */
  readonly identity: XaiCheck | null;
  /** null = inference is disabled. */
  readonly inference: XaiCheck | null;
}

/** The finding for an account without an index, which cannot be probed. */
export function xaiWithoutIndex({ listed }: ProbedAccount): Finding {
  return {
    action: 'keep',
    actionReason: xaiReason('missing_auth_index'),
    statusCode: null,
    usedPercent: null,
    isQuota: false,
    autoRecoverEligible: false,
    quotaInventoryObserved: false,
    quotaWindows: [],
    error: 'the account has no auth index',
    errorKind: 'missing_auth_index',
    errorDetail: '',
    planType: listed.planType,
  };
}

/**
 * What the probes mean for the account. Only a successful inference request enables a disabled account; without one an
 * account is at most disabled.
 */
export function assembleXai(account: ProbedAccount, probes: XaiProbes): Finding {
  if (account.listed.authIndex === '') return xaiWithoutIndex(account);
  const { billing, identity, inference } = probes;
  const off = account.listed.disabled;
  if (inference !== null) {
    if (inference.healthy) return inferenceHealthy(account, billing, inference.statusCode);
    const failures = [...decisiveFailures(billing, identity), inference.failure];
    const worst = worstXaiFailure(failures) ?? inference.failure;
    return failed(account, billing, worst, worst === inference.failure ? 'inference' : 'billing');
  }
  if (identity?.healthy === true) {
    const reason = off ? 'official_api_manual_disable' : 'official_api_healthy';
    return healthy(account, billing, { kind: 'official_api_healthy', reason, statusCode: identity.statusCode });
  }
  const worst = worstXaiFailure(decisiveFailures(billing, identity));
  if (worst !== null) return failed(account, billing, worst, 'billing');
  const kind = billing.partial ? 'billing_partial' : 'billing_healthy';
  return healthy(account, billing, { kind, reason: kind, statusCode: billing.statusCode });
}

/** With a usable summary transient failures do not count; a healthy identity explains the others. */
function decisiveFailures(billing: XaiBilling, identity: XaiCheck | null): XaiFailure[] {
  if (identity?.healthy === true) return [];
  const failures = [...(billing.failure === null ? [] : [billing.failure]), ...(identity ? [identity.failure] : [])];
  return billing.summary === null ? failures : failures.filter((failure) => !isTransientXaiFailure(failure));
}

function inferenceHealthy(account: ProbedAccount, billing: XaiBilling, statusCode: number): Finding {
  const { disabled } = account.listed;
  const kind = 'inference_healthy';
  if (!disabled) return healthy(account, billing, { kind, reason: kind, statusCode });
  if (!account.owned) return healthy(account, billing, { kind, reason: 'inference_manual_disable', statusCode });
  return {
    ...healthy(account, billing, { kind, reason: 'enable_owned', statusCode }),
    action: 'enable',
    autoRecoverEligible: true,
  };
}

interface Health {
  readonly kind: string;
  readonly reason: string;
  readonly statusCode: number | null;
}

function healthy(account: ProbedAccount, billing: XaiBilling, { kind, reason, statusCode }: Health): Finding {
  return {
    action: 'keep',
    actionReason: xaiReason(reason),
    statusCode,
    isQuota: false,
    autoRecoverEligible: false,
    ...usageOf(account, billing),
    error: '',
    errorKind: kind,
    errorDetail: '',
  };
}

function failed(
  account: ProbedAccount,
  billing: XaiBilling,
  failure: XaiFailure,
  source: 'billing' | 'inference',
): Finding {
  return {
    ...xaiVerdict(failure.class, account.listed.disabled, source),
    statusCode: failure.statusCode,
    autoRecoverEligible: false,
    ...usageOf(account, billing),
    error: failure.detail,
    errorKind: failure.class,
    errorDetail: failure.detail,
  };
}

function usageOf({ listed }: ProbedAccount, { summary }: XaiBilling) {
  return {
    usedPercent: summary?.usedPercent ?? null,
    quotaInventoryObserved: summary !== null,
    quotaWindows: summary === null ? [] : xaiQuotaWindows(summary),
    planType: listed.planType,
  };
}

/** Members of the log entry of an xAI probe. */
export interface XaiLogFacts {
  readonly inspectionMode: XaiInspectionMode;
  /** The evidence of the verdict: the kind of health or the class of the failure. */
  readonly healthEvidence: string;
  readonly billingAvailable: boolean;
  readonly billingPartial: boolean;
  readonly inferenceEnabled: boolean;
  readonly inferenceHealthy: boolean;
}

export function xaiLogFacts(finding: Finding, probes: XaiProbes | null): XaiLogFacts {
  return {
    inspectionMode: modeOf(probes),
    healthEvidence: finding.errorKind,
    billingAvailable: probes !== null && probes.billing.summary !== null,
    billingPartial: probes?.billing.partial === true,
    inferenceEnabled: probes !== null && probes.inference !== null,
    inferenceHealthy: probes?.inference?.healthy === true,
  };
}

function modeOf(probes: XaiProbes | null): XaiInspectionMode {
  if (probes === null) return 'skipped';
  if (probes.inference !== null) return 'inference';
  return probes.identity === null ? 'billing' : 'identity';
}
