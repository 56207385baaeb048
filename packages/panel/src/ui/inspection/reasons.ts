import type { InspectionResult } from '@manager/core/contract/inspection/runs';
import type { Masker } from '../../platform/format/mask.ts';
import { shown } from '../../platform/format/shown.ts';
import type { TextKey, Translate } from '../../platform/i18n/index.ts';

const ACCOUNT_REASONS: Readonly<Record<string, TextKey>> = {
  missing_auth_index: 'healthReason.missingIndex',
  request_error: 'healthReason.requestError',
  missing_status: 'healthReason.missingStatus',
  workspace_deactivated: 'healthReason.workspace',
  quota_incomplete: 'healthReason.quotaIncomplete',
  reauth: 'healthReason.reauth',
  reauth_expired: 'healthReason.expired',
  reauth_revoked: 'healthReason.revoked',
  quota_threshold: 'healthReason.threshold',
  quota_threshold_disabled: 'healthReason.thresholdOff',
  short_window_wait: 'healthReason.shortWait',
  short_window_keep: 'healthReason.shortKeep',
  recovered: 'healthReason.recovered',
  recovered_manual_only: 'healthReason.recoveredByHand',
  recovery_unknown: 'healthReason.recoveryUnknown',
  quota_exhausted: 'healthReason.exhausted',
  quota_exhausted_disabled: 'healthReason.exhaustedOff',
  healthy: 'healthReason.healthy',
};

const XAI_REASONS: Readonly<Record<string, TextKey>> = {
  missing_auth_index: 'healthReason.missingIndex',
  billing_healthy: 'healthReason.healthy',
  billing_partial: 'healthReason.billingPartial',
  official_api_healthy: 'healthReason.apiHealthy',
  official_api_manual_disable: 'healthReason.offByHand',
  inference_healthy: 'healthReason.inferenceHealthy',
  enable_owned: 'healthReason.recovered',
  inference_manual_disable: 'healthReason.offByHand',
  free_quota_disable: 'healthReason.freeQuota',
  free_quota_disabled: 'healthReason.freeQuotaOff',
  spending_limit_disable: 'healthReason.spending',
  spending_limit_disabled: 'healthReason.spendingOff',
  auth_invalid: 'healthReason.reauth',
  entitlement_disable: 'healthReason.entitlement',
  entitlement_review: 'healthReason.entitlementOff',
  policy_denied: 'healthReason.policy',
  permission_unknown: 'healthReason.permission',
  quota_unknown: 'healthReason.quotaUnknown',
  rate_limited: 'healthReason.rateLimited',
  client_outdated: 'healthReason.outdated',
  probe_invalid: 'healthReason.probeInvalid',
  model_unavailable: 'healthReason.modelMissing',
  upstream_error: 'healthReason.requestError',
  protocol_changed: 'healthReason.protocol',
  unknown: 'healthReason.unknown',
  inference_quota_unknown: 'healthReason.quotaUnknown',
  inference_probe_invalid: 'healthReason.probeInvalid',
  inference_protocol_changed: 'healthReason.protocol',
};

/** The text of a reason that the server named by its key; null = free text, or a key of a later version. */
export function reasonKey(reason: string): TextKey | null {
  const match = /^monitoring\.(codex|xai)_inspection_reason_(\w+)$/.exec(reason);
  const name = match?.[2] ?? '';
  const texts = match?.[1] === 'xai' ? XAI_REASONS : ACCOUNT_REASONS;
  return match !== null && Object.hasOwn(texts, name) ? (texts[name] ?? null) : null;
}

/** Why something is suggested, in the chosen language where the server named a reason that is known. */
export function reasonText(result: InspectionResult, t: Translate, masker: Masker): string {
  const key = reasonKey(result.actionReason);
  if (key === null) return shown(masker.text(result.actionReason));
  return key === 'healthReason.healthy' && isUndecided(result)
    ? t('healthReason.undecided', { code: result.statusCode ?? 0 })
    : t(key);
}

/** Kept because nothing speaks against it, although the provider did not answer well: that is not the same as working. */
export function isUndecided({ action, statusCode }: InspectionResult): boolean {
  return action === 'keep' && statusCode !== undefined && (statusCode < 200 || statusCode > 299);
}
