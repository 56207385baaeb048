import { isJsonObject, type JsonObject } from '../../../json/json.ts';
import { isSuccess, type ProbeAnswer } from '../../api-call.ts';
import { booleanMember, member } from '../../provider-values.ts';
import { readXaiBilling, type XaiBillingEvidence } from '../../quota/xai-billing.ts';
import { type XaiBillingSummary, xaiBillingSummary } from '../../quota/xai-summary.ts';
import { classifyXaiFailure, isTransientXaiFailure, type XaiFailure, xaiFailureOf } from './classification.ts';

/** The combined result of the two billing answers. */
export interface XaiBilling {
  /** null = no usable answer. */
  readonly summary: XaiBillingSummary | null;
  /** Only the older monthly answer was usable. */
  readonly partial: boolean;
  /** The failure that counts; null when the weekly answer was usable. */
  readonly failure: XaiFailure | null;
  /** Status of the usable answer; null = none. */
  readonly statusCode: number | null;
  /** A retry may help. */
  readonly retryable: boolean;
  /** Billing refused without a reason: `xaiIdentityRequest` can show whether the account works. */
  readonly needsIdentity: boolean;
}

/** Evaluates both billing answers. The monthly one is old and often blocked: it only adds to a usable weekly one. */
export function evaluateXaiBilling(weekly: ProbeAnswer, monthly: ProbeAnswer): XaiBilling {
  const ofWeek = usableBilling(weekly);
  const ofMonth = usableBilling(monthly);
  const failure = ofWeek === null ? xaiFailureOf(weekly) : null;
  const usable = ofWeek !== null ? weekly : ofMonth !== null ? monthly : null;
  return {
    summary: xaiBillingSummary(ofWeek, ofMonth),
    partial: ofWeek === null && ofMonth !== null,
    failure,
    statusCode: usable?.kind === 'answered' ? usable.statusCode : null,
    retryable: failure !== null && isTransientXaiFailure(failure),
    needsIdentity: usable === null && failure?.class === 'permission_unknown',
  };
}

function usableBilling(answer: ProbeAnswer): XaiBillingEvidence | null {
  return answer.kind === 'answered' && isSuccess(answer.statusCode) ? readXaiBilling(answer.json) : null;
}

/** A working account or a failure. */
export type XaiCheck =
  | { readonly healthy: true; readonly statusCode: number }
  | { readonly healthy: false; readonly failure: XaiFailure; readonly retryable: boolean };

/** Evaluates the answer to `xaiIdentityRequest`. */
export function evaluateXaiIdentity(answer: ProbeAnswer): XaiCheck {
  if (answer.kind !== 'answered' || !isSuccess(answer.statusCode) || answer.json === null) {
    return failedCheck(xaiFailureOf(answer));
  }
  const blocked = booleanMember(answer.json, 'team_blocked');
  if (blocked === true) {
    return failedCheck({ class: 'spending_limit', statusCode: 403, detail: 'the team of the account is blocked' });
  }
  const knows = blocked === false || ['user_id', 'team_id'].some((name) => isId(answer.json, name));
  return knows ? { healthy: true, statusCode: answer.statusCode } : failedCheck(xaiFailureOf(answer));
}

function isId(object: JsonObject | null, name: string): boolean {
  const value = object === null ? undefined : member(object, name);
  return typeof value === 'number' || (typeof value === 'string' && value.trim() !== '');
}

/** Evaluates the answer to `xaiInferenceRequest`. */
export function evaluateXaiInference(answer: ProbeAnswer): XaiCheck {
  if (answer.kind === 'answered' && isSuccess(answer.statusCode)) {
    if (answer.json !== null && hasOutputText(answer.json)) return { healthy: true, statusCode: answer.statusCode };
    // A refusal may come with status 200; a 200 without one has an unknown format.
    const named = classifyXaiFailure(answer.statusCode, answer.body);
    return failedCheck({ ...xaiFailureOf(answer), class: named === 'unknown' ? 'protocol_changed' : named });
  }
  const failure = xaiFailureOf(answer);
  return failedCheck(answer.kind === 'missing_status' ? { ...failure, class: 'protocol_changed' } : failure);
}

function failedCheck(failure: XaiFailure): XaiCheck {
  return { healthy: false, failure, retryable: isTransientXaiFailure(failure) };
}

function hasOutputText(body: JsonObject): boolean {
  if (body.status !== 'completed' || body.error != null || !Array.isArray(body.output)) return false;
  return body.output.some(
    (item) =>
      isJsonObject(item) && item.type === 'message' && Array.isArray(item.content) && item.content.some(isOutputText),
  );
}

function isOutputText(part: unknown): boolean {
  return isJsonObject(part) && part.type === 'output_text' && typeof part.text === 'string' && part.text.trim() !== '';
}
