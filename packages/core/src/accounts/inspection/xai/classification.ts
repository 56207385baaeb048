import type { InspectionAction } from '../../../contract/inspection/runs.ts';
import { isSuccess, type ProbeAnswer, storedText } from '../../api-call.ts';

export type XaiClass =
  | 'free_quota_exhausted'
  | 'spending_limit'
  | 'auth_invalid'
  | 'client_outdated'
  | 'policy_denied'
  | 'entitlement_denied'
  | 'rate_limited'
  | 'permission_unknown'
  | 'quota_or_entitlement_unknown'
  | 'probe_invalid'
  | 'model_unavailable'
  | 'upstream_error'
  | 'protocol_changed'
  | 'unknown';

export interface XaiFailure {
  readonly class: XaiClass;
  /** null = missing. */
  readonly statusCode: number | null;
  /** The provider's text, as it may be stored. */
  readonly detail: string;
}

interface TextRule {
  readonly class: XaiClass;
  readonly words: readonly string[];
  /** A status that means the same without any text. */
  readonly statusCode?: number;
}

/** First match wins. The provider's texts, in lower case. */
const RULES: readonly TextRule[] = [
  { class: 'free_quota_exhausted', words: ['free-usage-exhausted', 'included free usage'] },
  {
    class: 'spending_limit',
    words: [
      'spending-limit',
      'run out of credits',
      'used all available credits',
      'monthly spending limit',
      'purchase more credits',
      'add credits',
    ],
  },
  {
    class: 'auth_invalid',
    statusCode: 401,
    words: [
      'invalid_grant',
      'refresh_token_reused',
      'invalid_refresh_token',
      'token_invalidated',
      'token_revoked',
      'refresh token has been revoked',
      'bad-credentials',
      'invalid or expired credentials',
      'authentication token has been invalidated',
    ],
  },
  { class: 'client_outdated', statusCode: 426, words: [] },
  {
    class: 'policy_denied',
    words: [
      'content violates usage guidelines',
      'usage guideline violation',
      'safety_check',
      'safety check',
      'policy violation',
    ],
  },
  {
    class: 'entitlement_denied',
    words: [
      'need a grok subscription',
      'do not have an active grok subscription',
      'no active grok subscription',
      'not entitled',
      'not authorized for xai api access',
      'tier denied',
      'subscription required',
      'access to the chat endpoint is denied',
    ],
  },
];

const STATUS_CLASSES: ReadonlyMap<number, XaiClass> = new Map([
  [429, 'rate_limited'],
  [403, 'permission_unknown'],
  [402, 'quota_or_entitlement_unknown'],
  [400, 'probe_invalid'],
  [422, 'probe_invalid'],
  [404, 'model_unavailable'],
]);

/**
 * Classifies a failure.
 *
 * @param statusCode of the provider, 0 = none
 * @example classifyXaiFailure(403, '{"error":"Forbidden"}') // 'permission_unknown'
 */
export function classifyXaiFailure(statusCode: number, body: string): XaiClass {
  const text = body.toLowerCase();
  const rule = RULES.find((r) => r.statusCode === statusCode || r.words.some((word) => text.includes(word)));
  if (rule !== undefined) return rule.class;
  if (statusCode === 0 || statusCode >= 500) return 'upstream_error';
  return STATUS_CLASSES.get(statusCode) ?? 'unknown';
}

/** The failure of an answer. A successful answer counts as one here when its format is unknown. */
export function xaiFailureOf(answer: ProbeAnswer): XaiFailure {
  if (answer.kind !== 'answered') {
    // The gateway may report why it could not send the request, such as a login that it cannot renew.
    const text = answer.kind === 'transport_error' ? answer.error : answer.body;
    return { class: classifyXaiFailure(0, text), statusCode: null, detail: storedText(text) };
  }
  const { statusCode, body } = answer;
  return {
    class: isSuccess(statusCode) ? 'protocol_changed' : classifyXaiFailure(statusCode, body),
    statusCode,
    detail: storedText(body),
  };
}

/** Transient failures: worth a retry, and ignored next to a usable summary. */
const TRANSIENT: ReadonlySet<XaiClass> = new Set([
  'upstream_error',
  'rate_limited',
  'probe_invalid',
  'model_unavailable',
  'protocol_changed',
]);

export function isTransientXaiFailure(failure: XaiFailure): boolean {
  return TRANSIENT.has(failure.class);
}

const PRIORITIES: Readonly<Partial<Record<XaiClass, number>>> = {
  auth_invalid: 100,
  free_quota_exhausted: 90,
  spending_limit: 90,
  entitlement_denied: 85,
  client_outdated: 80,
  permission_unknown: 70,
  quota_or_entitlement_unknown: 70,
  policy_denied: 60,
  rate_limited: 40,
  probe_invalid: 30,
  upstream_error: 10,
};

/** The most specific failure, the first among equals; null when there is none. */
export function worstXaiFailure(failures: readonly XaiFailure[]): XaiFailure | null {
  const priority = (failure: XaiFailure) => PRIORITIES[failure.class] ?? 1;
  return failures.reduce<XaiFailure | null>(
    (worst, failure) => (worst === null || priority(failure) > priority(worst) ? failure : worst),
    null,
  );
}

export interface XaiVerdict {
  readonly action: InspectionAction;
  readonly isQuota: boolean;
  /** Translation key. */
  readonly actionReason: string;
}

const REASON = 'monitoring.xai_inspection_reason_';

const REASONS: Readonly<Record<XaiClass, string>> = {
  free_quota_exhausted: 'free_quota_disable',
  spending_limit: 'spending_limit_disable',
  auth_invalid: 'auth_invalid',
  entitlement_denied: 'entitlement_disable',
  policy_denied: 'policy_denied',
  permission_unknown: 'permission_unknown',
  quota_or_entitlement_unknown: 'quota_unknown',
  rate_limited: 'rate_limited',
  client_outdated: 'client_outdated',
  probe_invalid: 'probe_invalid',
  model_unavailable: 'model_unavailable',
  upstream_error: 'upstream_error',
  protocol_changed: 'protocol_changed',
  unknown: 'unknown',
};

const REASONS_WHEN_OFF: Readonly<Partial<Record<XaiClass, string>>> = {
  free_quota_exhausted: 'free_quota_disabled',
  spending_limit: 'spending_limit_disabled',
  entitlement_denied: 'entitlement_review',
};

const INFERENCE_REASONS: Readonly<Partial<Record<XaiClass, string>>> = {
  quota_or_entitlement_unknown: 'inference_quota_unknown',
  probe_invalid: 'inference_probe_invalid',
  protocol_changed: 'inference_protocol_changed',
};

/**
 * What a failure means for the account.
 *
 * @param off the account is disabled
 * @param source the probe that failed
 */
export function xaiVerdict(failure: XaiClass, off: boolean, source: 'billing' | 'inference'): XaiVerdict {
  const whenOff = REASONS_WHEN_OFF[failure];
  if (whenOff !== undefined) {
    return {
      action: off ? 'keep' : 'disable',
      isQuota: true,
      actionReason: REASON + (off ? whenOff : REASONS[failure]),
    };
  }
  const ofInference = source === 'inference' ? INFERENCE_REASONS[failure] : undefined;
  return {
    action: failure === 'auth_invalid' ? 'reauth' : 'keep',
    isQuota: false,
    actionReason: REASON + (ofInference ?? REASONS[failure]),
  };
}

export function xaiReason(name: string): string {
  return REASON + name;
}
