import type { CandidateAction, CandidateEvidence } from '../../contract/account-actions.ts';
import { trimText } from '../../json/text.ts';
import { withoutSecretMembers } from '../../redaction/secret-members.ts';
import { normalizedProvider } from '../../usage/account-key.ts';
import type { UsageEvent } from '../../usage/event.ts';
import { directSnapshot } from '../identity.ts';
import { storedMetadata } from '../stored-texts.ts';
import { failureCodes } from './codes.ts';
import { type FailureDecision, failureDecision } from './policy.ts';

/** Members of a stored event that candidates need. */
export type FailedEvent = Pick<
  UsageEvent,
  | 'event_hash'
  | 'request_id'
  | 'timestamp'
  | 'timestamp_ms'
  | 'failed'
  | 'fail_status_code'
  | 'fail_body'
  | 'fail_summary'
  | 'raw_json'
  | 'response_metadata_json'
  | 'header_error_kind'
  | 'header_error_code'
  | 'header_trace_id'
  | 'provider'
  | 'model'
  | 'endpoint'
  | 'auth_provider_snapshot'
  | 'auth_file_snapshot'
  | 'auth_index'
  | 'account_snapshot'
  | 'auth_label_snapshot'
  | 'auth_project_id_snapshot'
>;

/** What one failure reports about one account. '' = unknown. */
export interface CandidateReport {
  readonly file: string;
  readonly provider: string;
  readonly authIndex: string;
  readonly accountId: string;
  readonly accountSnapshot: string;
  /** For display only: as an identity a label can match the wrong account. */
  readonly authLabel: string;
  readonly actionType: CandidateAction;
  readonly reasonCode: string;
  readonly reason: string;
  readonly autoDisableEligible: boolean;
  readonly evidence: CandidateEvidence;
  /** Time of the event. */
  readonly seenAtMs: number;
}

/** `no_auth_file`: the failure counts, but its file is unknown. */
export type CandidateOutcome =
  | { readonly kind: 'candidate'; readonly report: CandidateReport }
  | { readonly kind: 'no_auth_file' }
  | { readonly kind: 'none' };

/** The candidate that a new event calls for. One event is enough. */
export function candidateOfEvent(event: FailedEvent): CandidateOutcome {
  const statusCode = event.fail_status_code ?? 0;
  if (!event.failed || ![401, 402, 403].includes(statusCode)) return { kind: 'none' };
  const metadata = storedMetadata(event);
  const codes = failureCodes(event, metadata);
  const provider = normalizedProvider(trimText(event.auth_provider_snapshot) || event.provider);
  const decision = failureDecision({
    ...codes,
    provider,
    statusCode,
    summary: event.fail_summary,
    shouldRetry: metadata.errors?.should_retry ?? null,
  });
  if (decision === null) return { kind: 'none' };
  const file = trimText(event.auth_file_snapshot);
  if (file === '') return { kind: 'no_auth_file' };
  const identity = {
    file,
    provider,
    authIndex: trimText(event.auth_index),
    accountId: trimText(event.auth_project_id_snapshot),
    accountSnapshot: directSnapshot(event.account_snapshot, file),
    authLabel: trimText(event.auth_label_snapshot),
  };
  const { actionType, reasonCode, reason, autoDisableEligible } = decision;
  const evidence = evidenceOf(event, identity, { ...codes, ...decision });
  const report = {
    ...identity,
    actionType,
    reasonCode,
    reason,
    autoDisableEligible,
    evidence,
    seenAtMs: event.timestamp_ms,
  };
  return { kind: 'candidate', report };
}

type Identity = Pick<
  CandidateReport,
  'file' | 'provider' | 'authIndex' | 'accountId' | 'accountSnapshot' | 'authLabel'
>;

/** Only the sanitised summary of the failure is kept, never its body. */
function evidenceOf(
  event: FailedEvent,
  identity: Identity,
  { code, type, ...decision }: FailureDecision & { readonly code: string; readonly type: string },
): CandidateEvidence {
  const texts = {
    eventHash: event.event_hash,
    requestId: event.request_id,
    timestamp: event.timestamp,
    failSummary: withoutSecretMembers(event.fail_summary),
    errorCode: code,
    errorType: type,
    headerErrorKind: event.header_error_kind,
    headerErrorCode: event.header_error_code,
    headerTraceId: event.header_trace_id,
    authIndex: identity.authIndex,
    authFileName: identity.file,
    accountSnapshot: identity.accountSnapshot,
    accountIdSnapshot: identity.accountId,
    authLabel: identity.authLabel,
    provider: identity.provider,
    model: event.model,
    endpoint: event.endpoint,
  };
  return {
    ...Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== '')),
    timestampMs: event.timestamp_ms,
    ...(event.fail_status_code === null ? {} : { statusCode: event.fail_status_code }),
    actionType: decision.actionType,
    reasonCode: decision.reasonCode,
    reason: decision.reason,
    confidence: decision.confidence,
    autoDisableEligible: decision.autoDisableEligible,
  };
}
