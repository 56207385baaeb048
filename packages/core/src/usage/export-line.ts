import { inferInputBuckets } from './cache-accounting.ts';
import type { UsageEvent } from './event.ts';
import { metadataObject } from './metadata-text.ts';
import { analyticsModel } from './models.ts';

type Line = Record<string, unknown>;

const OPTIONAL_TEXTS_BEFORE_MODEL = ['provider', 'executor_type'] as const;
const OPTIONAL_TEXTS = [
  'requested_model',
  'resolved_model',
  'endpoint',
  'method',
  'path',
  'auth_type',
  'auth_index',
  'source',
  'source_hash',
  'api_key_hash',
  'account_snapshot',
  'auth_label_snapshot',
  'auth_file_snapshot',
  'auth_provider_snapshot',
  'auth_project_id_snapshot',
] as const;
const OPTIONAL_REQUEST_TEXTS = [
  'reasoning_effort',
  'service_tier',
  'request_service_tier',
  'response_service_tier',
  'cache_input_mode',
] as const;
const TOKENS = [
  'input_tokens',
  'output_tokens',
  'reasoning_tokens',
  'cached_tokens',
  'cache_tokens',
  'cache_read_tokens',
  'cache_creation_tokens',
  'total_tokens',
] as const;
const NORMALIZED = [
  'normalized_uncached_input_tokens',
  'normalized_total_input_tokens',
  'normalized_cache_read_tokens',
  'normalized_cache_creation_tokens',
] as const;
const HEADER_TEXTS = ['header_quota_plan_type', 'header_error_kind', 'header_error_code', 'header_trace_id'] as const;

function putTexts(line: Line, event: UsageEvent, names: readonly (keyof UsageEvent)[]): void {
  for (const name of names) if (event[name] !== '') line[name] = event[name];
}

function putNumber(line: Line, name: keyof UsageEvent, value: number | null): void {
  if (value !== null) line[name] = value;
}

/** What a reader of the line could not infer from the reported counts. */
function putAccounting(line: Line, event: UsageEvent): void {
  const inferred = inferInputBuckets(event.cache_input_mode, event);
  for (const name of NORMALIZED) if (event[name] !== inferred[name]) line[name] = event[name];
  if (event.billable_output_tokens !== event.output_tokens) line.billable_output_tokens = event.billable_output_tokens;
  if (event.unclassified_tokens !== 0) line.unclassified_tokens = event.unclassified_tokens;
  if (event.token_quality === 'inconsistent' || event.token_quality === 'unclassified') {
    line.token_quality = event.token_quality;
  }
}

/**
 * One export record: a JSON object in one line, without the line feed. Empty texts and unknown numbers are left out, 0 is
 * written. Caller data, raw failure text and the original item never leave this way. Importing the line gives the same event.
 */
export function exportLine(event: UsageEvent): string {
  const line: Line = { event_hash: event.event_hash };
  putTexts(line, event, ['request_id']);
  line.timestamp_ms = event.timestamp_ms;
  line.timestamp = event.timestamp;
  putTexts(line, event, OPTIONAL_TEXTS_BEFORE_MODEL);
  line.model = event.model;
  const analytics = analyticsModel(event);
  if (analytics !== '') line.analytics_model = analytics;
  putTexts(line, event, OPTIONAL_TEXTS);
  putNumber(line, 'auth_snapshot_at_ms', event.auth_snapshot_at_ms);
  putTexts(line, event, OPTIONAL_REQUEST_TEXTS);
  for (const name of TOKENS) line[name] = event[name];
  putAccounting(line, event);
  putNumber(line, 'latency_ms', event.latency_ms);
  putNumber(line, 'ttft_ms', event.ttft_ms);
  line.failed = event.failed;
  putNumber(line, 'fail_status_code', event.fail_status_code);
  putTexts(line, event, ['fail_summary']);
  const metadata = metadataObject(event.response_metadata_json);
  if (metadata !== null) line.response_metadata = metadata;
  putNumber(line, 'header_quota_recover_at_ms', event.header_quota_recover_at_ms);
  putNumber(line, 'header_quota_used_percent', event.header_quota_used_percent);
  putTexts(line, event, HEADER_TEXTS);
  line.created_at_ms = event.created_at_ms;
  return JSON.stringify(line);
}
