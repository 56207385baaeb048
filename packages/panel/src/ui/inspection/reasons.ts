import { isInconclusive } from '@manager/core/accounts/inspection/result';
import type { InspectionResult } from '@manager/core/contract/inspection/runs';
import type { Masker } from '../../platform/format/mask.ts';
import { shown } from '../../platform/format/shown.ts';
import type { TextKey, Translate } from '../../platform/i18n/index.ts';

const ACCOUNT_REASONS: Readonly<Record<string, TextKey>> = {
  missing_auth_index: 'inspectionReason.missingIndex',
  request_error: 'inspectionReason.requestError',
  missing_status: 'inspectionReason.missingStatus',
  workspace_deactivated: 'inspectionReason.workspace',
  quota_incomplete: 'inspectionReason.quotaIncomplete',
  reauth: 'inspectionReason.reauth',
  reauth_expired: 'inspectionReason.expired',
  reauth_revoked: 'inspectionReason.revoked',
  quota_threshold: 'inspectionReason.threshold',
  quota_threshold_disabled: 'inspectionReason.thresholdOff',
  short_window_wait: 'inspectionReason.shortWait',
  short_window_keep: 'inspectionReason.shortKeep',
  recovered: 'inspectionReason.recovered',
  recovered_manual_only: 'inspectionReason.recoveredByHand',
  recovery_unknown: 'inspectionReason.recoveryUnknown',
  quota_exhausted: 'inspectionReason.exhausted',
  quota_exhausted_disabled: 'inspectionReason.exhaustedOff',
  http_status: 'inspectionReason.undecided',
  not_readable: 'inspectionReason.notReadable',
  healthy: 'inspectionReason.healthy',
};

const XAI_REASONS: Readonly<Record<string, TextKey>> = {
  missing_auth_index: 'inspectionReason.missingIndex',
  billing_healthy: 'inspectionReason.healthy',
  billing_partial: 'inspectionReason.billingPartial',
  official_api_healthy: 'inspectionReason.apiHealthy',
  official_api_manual_disable: 'inspectionReason.offByHand',
  inference_healthy: 'inspectionReason.inferenceHealthy',
  enable_owned: 'inspectionReason.recovered',
  inference_manual_disable: 'inspectionReason.offByHand',
  free_quota_disable: 'inspectionReason.freeQuota',
  free_quota_disabled: 'inspectionReason.freeQuotaOff',
  spending_limit_disable: 'inspectionReason.spending',
  spending_limit_disabled: 'inspectionReason.spendingOff',
  auth_invalid: 'inspectionReason.reauth',
  entitlement_disable: 'inspectionReason.entitlement',
  entitlement_review: 'inspectionReason.entitlementOff',
  policy_denied: 'inspectionReason.policy',
  permission_unknown: 'inspectionReason.permission',
  quota_unknown: 'inspectionReason.quotaUnknown',
  rate_limited: 'inspectionReason.rateLimited',
  client_outdated: 'inspectionReason.outdated',
  probe_invalid: 'inspectionReason.probeInvalid',
  model_unavailable: 'inspectionReason.modelMissing',
  upstream_error: 'inspectionReason.requestError',
  protocol_changed: 'inspectionReason.protocol',
  unknown: 'inspectionReason.unknown',
  inference_quota_unknown: 'inspectionReason.quotaUnknown',
  inference_probe_invalid: 'inspectionReason.probeInvalid',
  inference_protocol_changed: 'inspectionReason.protocol',
};

/** The text of a reason that the server named by its key; null = free text, or a key of a later version. */
export function reasonKey(reason: string): TextKey | null {
  const match = /^monitoring\.(codex|xai)_inspection_reason_(\w+)$/.exec(reason);
  const name = match?.[2] ?? '';
  const texts = match?.[1] === 'xai' ? XAI_REASONS : ACCOUNT_REASONS;
  return match !== null && Object.hasOwn(texts, name) ? (texts[name] ?? null) : null;
}

type Judged = Pick<InspectionResult, 'action' | 'actionReason' | 'errorKind'> & {
  readonly statusCode?: number | null | undefined;
};

/** Why something is suggested: in the chosen language if the reason is known. */
export function reasonText(result: Judged, t: Translate, masker: Masker): string {
  const key = reasonKey(result.actionReason);
  if (key === null) return shown(masker.text(result.actionReason));
  // One reason stands for both: results of earlier versions are healthy, xAI has no reason for a provider that was reached.
  const isVague = key === 'inspectionReason.healthy' || key === 'inspectionReason.requestError';
  const told = isVague && isUndecided(result) ? 'inspectionReason.undecided' : key;
  return t(told, { code: result.statusCode ?? 0 });
}

/** Kept for lack of evidence, although the provider's answer was inconclusive: not the same as working. */
export function isUndecided(result: Judged): boolean {
  const { action, statusCode } = result;
  return action === 'keep' && statusCode !== undefined && statusCode !== null && isInconclusive(result);
}
