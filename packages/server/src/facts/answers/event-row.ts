import type { EventRow, FailureRow } from '@manager/core/contract/monitoring/analytics';
import type { UsageEvent } from '@manager/core/usage/event';
import { analyticsModel, effectiveRequestedModel } from '@manager/core/usage/models';

/** The public view of a stored event: normalized input, residual cached count, no failure body and no raw item. */
export function eventRow(event: UsageEvent): EventRow {
  return {
    event_hash: event.event_hash,
    timestamp_ms: event.timestamp_ms,
    model: event.model,
    ...optionalText('requested_model', effectiveRequestedModel(event)),
    ...optionalText('analytics_model', analyticsModel(event)),
    ...optionalText('resolved_model', event.resolved_model),
    endpoint: event.endpoint,
    method: event.method,
    path: event.path,
    auth_index: event.auth_index,
    source: event.source,
    source_hash: event.source_hash,
    api_key_hash: event.api_key_hash,
    account_snapshot: event.account_snapshot,
    auth_label_snapshot: event.auth_label_snapshot,
    auth_provider_snapshot: providerOf(event),
    ...optionalText('request_id', event.request_id),
    ...optionalText('client_ip', event.client_ip),
    ...optionalText('x_forwarded_for', event.x_forwarded_for),
    ...optionalText('user_agent', event.user_agent),
    ...optionalText('auth_file_snapshot', event.auth_file_snapshot),
    ...optionalText('auth_project_id_snapshot', event.auth_project_id_snapshot),
    ...optionalText('reasoning_effort', event.reasoning_effort),
    ...optionalText('service_tier', event.service_tier),
    ...optionalText('executor_type', event.executor_type),
    input_tokens: Math.max(event.normalized_total_input_tokens, 0),
    output_tokens: event.output_tokens,
    cached_tokens: residualCached(event),
    cache_read_tokens: event.cache_read_tokens,
    cache_creation_tokens: event.cache_creation_tokens,
    ...(event.cache_write_1h_tokens === 0 ? {} : { cache_write_1h_tokens: event.cache_write_1h_tokens }),
    reasoning_tokens: event.reasoning_tokens,
    total_tokens: event.total_tokens,
    ...billedTokens(event),
    latency_ms: event.latency_ms,
    ttft_ms: event.ttft_ms,
    failed: event.failed,
    ...failureAndHeaders(event),
    ...originalMembers(event.raw_json),
  };
}

/** The short view of a failed event. */
export function failureRow(event: UsageEvent): FailureRow {
  return {
    timestamp_ms: event.timestamp_ms,
    model: analyticsModel(event),
    api_key_hash: event.api_key_hash,
    ...optionalText('source', event.source),
    source_hash: event.source_hash,
    auth_index: event.auth_index,
    ...optionalText('account_snapshot', event.account_snapshot),
    ...optionalText('auth_label_snapshot', event.auth_label_snapshot),
    ...optionalText('auth_provider_snapshot', providerOf(event)),
    ...optionalText('auth_project_id_snapshot', event.auth_project_id_snapshot),
    endpoint: event.endpoint,
    duration_ms: event.latency_ms,
    ...failureAndHeaders(event),
  };
}

function providerOf(event: UsageEvent): string {
  return event.auth_provider_snapshot !== '' ? event.auth_provider_snapshot : event.provider;
}

function failureAndHeaders(event: UsageEvent) {
  return {
    ...(event.fail_status_code !== null && event.fail_status_code > 0
      ? { fail_status_code: event.fail_status_code }
      : {}),
    ...optionalText('fail_summary', event.fail_summary),
    ...responseMetadata(event.response_metadata_json),
    ...optionalNumber('header_quota_recover_at_ms', event.header_quota_recover_at_ms),
    ...optionalNumber('header_quota_used_percent', event.header_quota_used_percent),
    ...optionalText('header_quota_plan_type', event.header_quota_plan_type),
    ...optionalText('header_error_kind', event.header_error_kind),
    ...optionalText('header_error_code', event.header_error_code),
    ...optionalText('header_trace_id', event.header_trace_id),
  };
}

function optionalText<Name extends string>(name: Name, value: string): { readonly [Key in Name]?: string } {
  return value === '' ? {} : ({ [name]: value } as { readonly [Key in Name]: string });
}

function optionalNumber<Name extends string>(name: Name, value: number | null): { readonly [Key in Name]?: number } {
  return value === null ? {} : ({ [name]: value } as { readonly [Key in Name]: number });
}

/** The part of the reported cached count beyond cache read and creation. */
function residualCached(event: UsageEvent): number {
  const reported = Math.max(event.cached_tokens, event.cache_tokens);
  const explained = Math.max(event.cache_read_tokens, 0) + Math.max(event.cache_creation_tokens, 0);
  return Math.max(reported - explained, 0);
}

/** What a cost needs beyond the counts above: buckets of a breakdown that differ from the reported counts. */
function billedTokens(event: UsageEvent): Pick<EventRow, 'uncached_input_tokens' | 'billable_output_tokens'> {
  const cached =
    residualCached(event) + Math.max(event.cache_read_tokens, 0) + Math.max(event.cache_creation_tokens, 0);
  const inferred = Math.max(Math.max(event.normalized_total_input_tokens, 0) - cached, 0);
  const uncached = Math.max(event.normalized_uncached_input_tokens, 0);
  return {
    ...(uncached === inferred ? {} : { uncached_input_tokens: uncached }),
    ...(event.billable_output_tokens === event.output_tokens
      ? {}
      : { billable_output_tokens: event.billable_output_tokens }),
  };
}

function responseMetadata(json: string): { readonly response_metadata?: Record<string, unknown> } {
  if (json === '') return {};
  const metadata: unknown = JSON.parse(json);
  if (typeof metadata !== 'object' || metadata === null || Object.keys(metadata).length === 0) return {};
  return { response_metadata: metadata as Record<string, unknown> };
}

const ORIGINAL_TEXTS = [
  'auth_account_id_snapshot',
  'response_model',
  'session_id',
  'parent_session_id',
  'access_token_sha256',
] as const;
const ORIGINAL_FLAGS = ['generate', 'stream'] as const;
/** Replaces a secret. */
const REDACTED = '[redacted]';

type OriginalMembers = Pick<EventRow, (typeof ORIGINAL_TEXTS)[number] | (typeof ORIGINAL_FLAGS)[number]>;

/** Members that only the original item has. */
function originalMembers(rawJson: string): OriginalMembers {
  const original = parsedObject(rawJson);
  if (original === null) return {};
  const members: { -readonly [Name in keyof OriginalMembers]: OriginalMembers[Name] } = {};
  for (const name of ORIGINAL_TEXTS) {
    const value = original[name];
    if (typeof value === 'string' && value !== '' && value !== REDACTED) members[name] = value;
  }
  for (const name of ORIGINAL_FLAGS) {
    const value = original[name];
    if (typeof value === 'boolean') members[name] = value;
  }
  return members;
}

/** null for a text that is no JSON object, such as an item that was cut. */
function parsedObject(text: string): Readonly<Record<string, unknown>> | null {
  if (!text.startsWith('{')) return null;
  try {
    return JSON.parse(text) as Readonly<Record<string, unknown>>;
  } catch {
    return null;
  }
}
