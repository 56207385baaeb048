import type { Endpoint } from './endpoint.ts';
import type { UsageEvent } from './event.ts';
import type { FailureColumns } from './failure.ts';
import type { Models, RequestFacts, UnmaskedFacts } from './request-facts.ts';
import { headerColumns, type ResponseMetadata } from './response-metadata.ts';
import type { Instant } from './timestamp.ts';
import type { TokenAccounting } from './tokens.ts';

export interface EventParts {
  readonly eventHash: string;
  readonly requestId: string;
  readonly time: Instant;
  readonly models: Models;
  readonly route: Endpoint;
  readonly facts: RequestFacts;
  /** Provider, masked source, hashes and latency. */
  readonly unmasked: UnmaskedFacts;
  readonly projectId: string;
  readonly requestTier: string;
  readonly effectiveTier: string;
  readonly accounting: TokenAccounting;
  readonly failed: boolean;
  readonly failure: FailureColumns;
  readonly metadata: ResponseMetadata | null;
  readonly rawJson: string;
  readonly createdAtMs: number;
}

/**
 * Builds one event from its parts. Every member is written out in one order: events of all readers share one object
 * shape, and copying part by part would cost more than all token accounting.
 */
export function assembleEvent(parts: EventParts): UsageEvent {
  const { time, models, route, facts, unmasked, accounting, failure } = parts;
  const header = headerColumns(parts.metadata);
  return {
    request_id: parts.requestId,
    event_hash: parts.eventHash,
    timestamp_ms: time.ms,
    timestamp: time.text,
    provider: unmasked.provider,
    executor_type: facts.executor_type,
    model: models.model,
    requested_model: models.requested_model,
    resolved_model: models.resolved_model,
    endpoint: route.endpoint,
    method: route.method,
    path: route.path,
    client_ip: facts.client_ip,
    x_forwarded_for: facts.x_forwarded_for,
    user_agent: facts.user_agent,
    auth_type: facts.auth_type,
    auth_index: facts.auth_index,
    source: unmasked.source,
    source_hash: unmasked.source_hash,
    api_key_hash: unmasked.api_key_hash,
    account_snapshot: facts.account_snapshot,
    auth_label_snapshot: facts.auth_label_snapshot,
    auth_file_snapshot: facts.auth_file_snapshot,
    auth_provider_snapshot: facts.auth_provider_snapshot,
    auth_project_id_snapshot: parts.projectId,
    auth_snapshot_at_ms: facts.auth_snapshot_at_ms,
    reasoning_effort: facts.reasoning_effort,
    service_tier: parts.effectiveTier,
    request_service_tier: parts.requestTier,
    response_service_tier: facts.response_service_tier,
    cache_input_mode: accounting.cache_input_mode,
    input_tokens: accounting.input_tokens,
    output_tokens: accounting.output_tokens,
    reasoning_tokens: accounting.reasoning_tokens,
    cached_tokens: accounting.cached_tokens,
    cache_tokens: accounting.cache_tokens,
    cache_read_tokens: accounting.cache_read_tokens,
    cache_creation_tokens: accounting.cache_creation_tokens,
    cache_write_1h_tokens: accounting.cache_write_1h_tokens,
    total_tokens: accounting.total_tokens,
    normalized_uncached_input_tokens: accounting.normalized_uncached_input_tokens,
    normalized_total_input_tokens: accounting.normalized_total_input_tokens,
    normalized_cache_read_tokens: accounting.normalized_cache_read_tokens,
    normalized_cache_creation_tokens: accounting.normalized_cache_creation_tokens,
    billable_output_tokens: accounting.billable_output_tokens,
    unclassified_tokens: accounting.unclassified_tokens,
    token_quality: accounting.token_quality,
    latency_ms: unmasked.latency_ms,
    ttft_ms: facts.ttft_ms,
    failed: parts.failed,
    fail_status_code: failure.fail_status_code,
    fail_summary: failure.fail_summary,
    fail_body: failure.fail_body,
    response_metadata_json: parts.metadata === null ? '' : JSON.stringify(parts.metadata),
    header_quota_recover_at_ms: header.header_quota_recover_at_ms,
    header_quota_used_percent: header.header_quota_used_percent,
    header_quota_plan_type: header.header_quota_plan_type,
    header_error_kind: header.header_error_kind,
    header_error_code: header.header_error_code,
    header_trace_id: header.header_trace_id,
    raw_json: parts.rawJson,
    created_at_ms: parts.createdAtMs,
  };
}
