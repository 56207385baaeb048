/**
 * One stored usage event. Members have their wire names, because export lines, archive lines, request detail and the
 * raw row all show the same members under the same names. Times are integer milliseconds UTC, token counts are as
 * reported by the gateway unless the name says `normalized`.
 *
 * Unknown text is ''; numbers that can be unknown are `null`.
 */
export interface UsageEvent {
  readonly request_id: string;
  /** Identity. 64 lower-case hex digits when computed; opaque text when an imported record has one. */
  readonly event_hash: string;
  readonly timestamp_ms: number;
  /** RFC 3339 in UTC with up to nine fraction digits; part of the identity. */
  readonly timestamp: string;
  readonly provider: string;
  readonly executor_type: string;
  /** Display model: the requested model, else the resolved one, else `-`. */
  readonly model: string;
  readonly requested_model: string;
  readonly resolved_model: string;
  readonly endpoint: string;
  readonly method: string;
  readonly path: string;
  readonly client_ip: string;
  readonly x_forwarded_for: string;
  readonly user_agent: string;
  readonly auth_type: string;
  readonly auth_index: string;
  /** Masked account, project or key text. */
  readonly source: string;
  readonly source_hash: string;
  readonly api_key_hash: string;
  readonly account_snapshot: string;
  readonly auth_label_snapshot: string;
  readonly auth_file_snapshot: string;
  readonly auth_provider_snapshot: string;
  readonly auth_project_id_snapshot: string;
  readonly auth_snapshot_at_ms: number | null;
  readonly reasoning_effort: string;
  readonly service_tier: string;
  readonly request_service_tier: string;
  readonly response_service_tier: string;
  readonly cache_input_mode: CacheInputMode;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly reasoning_tokens: number;
  readonly cached_tokens: number;
  readonly cache_tokens: number;
  readonly cache_read_tokens: number;
  readonly cache_creation_tokens: number;
  /** The part of `cache_creation_tokens` that was written for one hour; 0 = none, or the event does not tell. */
  readonly cache_write_1h_tokens: number;
  readonly total_tokens: number;
  readonly normalized_uncached_input_tokens: number;
  readonly normalized_total_input_tokens: number;
  readonly normalized_cache_read_tokens: number;
  readonly normalized_cache_creation_tokens: number;
  /** Billed output tokens; differs from `output_tokens` when reasoning is outside the output. */
  readonly billable_output_tokens: number;
  /** Tokens of a version 2 breakdown that the gateway could not classify; never part of the totals. */
  readonly unclassified_tokens: number;
  readonly token_quality: TokenQuality;
  readonly latency_ms: number | null;
  readonly ttft_ms: number | null;
  readonly failed: boolean;
  readonly fail_status_code: number | null;
  /** Sanitised, public. */
  readonly fail_summary: string;
  /** Raw failure text, never part of an answer. */
  readonly fail_body: string;
  /** JSON text of the response metadata object; '' = none. */
  readonly response_metadata_json: string;
  readonly header_quota_recover_at_ms: number | null;
  readonly header_quota_used_percent: number | null;
  readonly header_quota_plan_type: string;
  readonly header_error_kind: string;
  readonly header_error_code: string;
  readonly header_trace_id: string;
  /** Redacted original item, JSON text with sorted keys. */
  readonly raw_json: string;
  readonly created_at_ms: number;
}

export type CacheInputMode = 'included_in_input' | 'separate_from_input';

/** '' = the event has no version 2 breakdown. */
export type TokenQuality = '' | 'complete' | 'inconsistent' | 'unclassified';

/** Account facts of one gateway account at one time, by its `auth_index`. */
export interface AccountSnapshot {
  readonly account: string;
  readonly label: string;
  readonly file: string;
  readonly provider: string;
  readonly projectId: string;
}

/** The account snapshots of one gateway, with the start time of their request. */
export interface AccountSnapshotTable {
  readonly fetchedAtMs: number;
  readonly byAuthIndex: Readonly<Record<string, AccountSnapshot>>;
}
