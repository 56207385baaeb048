import type { UsageEvent } from './event.ts';

/**
 * Kind of a member of a stored event, except the few special ones.
 * - `text`: '' when unknown
 * - `count`: an integer that is always known
 * - `optional`: an integer, null when unknown
 */
type KindOf<Value> = string extends Value
  ? 'text'
  : number extends Value
    ? null extends Value
      ? 'optional' | 'ratio'
      : 'count'
    : 'flag' | 'mode' | 'quality';

/**
 * Every member of a stored event, in the order of export and archive lines. Writers and readers of such lines are built
 * from this one list: a new member of the event does not compile until it is here.
 */
export const EVENT_MEMBERS = {
  event_hash: 'text',
  request_id: 'text',
  timestamp_ms: 'count',
  timestamp: 'text',
  provider: 'text',
  executor_type: 'text',
  model: 'text',
  requested_model: 'text',
  resolved_model: 'text',
  endpoint: 'text',
  method: 'text',
  path: 'text',
  client_ip: 'text',
  x_forwarded_for: 'text',
  user_agent: 'text',
  auth_type: 'text',
  auth_index: 'text',
  source: 'text',
  source_hash: 'text',
  api_key_hash: 'text',
  account_snapshot: 'text',
  auth_label_snapshot: 'text',
  auth_file_snapshot: 'text',
  auth_provider_snapshot: 'text',
  auth_project_id_snapshot: 'text',
  auth_snapshot_at_ms: 'optional',
  reasoning_effort: 'text',
  service_tier: 'text',
  request_service_tier: 'text',
  response_service_tier: 'text',
  cache_input_mode: 'mode',
  input_tokens: 'count',
  output_tokens: 'count',
  reasoning_tokens: 'count',
  cached_tokens: 'count',
  cache_tokens: 'count',
  cache_read_tokens: 'count',
  cache_creation_tokens: 'count',
  cache_write_1h_tokens: 'count',
  total_tokens: 'count',
  normalized_uncached_input_tokens: 'count',
  normalized_total_input_tokens: 'count',
  normalized_cache_read_tokens: 'count',
  normalized_cache_creation_tokens: 'count',
  billable_output_tokens: 'count',
  unclassified_tokens: 'count',
  token_quality: 'quality',
  latency_ms: 'optional',
  ttft_ms: 'optional',
  failed: 'flag',
  fail_status_code: 'optional',
  fail_summary: 'text',
  fail_body: 'text',
  response_metadata_json: 'text',
  header_quota_recover_at_ms: 'optional',
  header_quota_used_percent: 'ratio',
  header_quota_plan_type: 'text',
  header_error_kind: 'text',
  header_error_code: 'text',
  header_trace_id: 'text',
  raw_json: 'text',
  created_at_ms: 'count',
} as const satisfies { readonly [Name in keyof UsageEvent]: KindOf<UsageEvent[Name]> };

export type EventMember = keyof UsageEvent;
export type MemberKind = (typeof EVENT_MEMBERS)[EventMember];
export type MembersOfKind<Kind extends MemberKind> = {
  [Name in EventMember]: (typeof EVENT_MEMBERS)[Name] extends Kind ? Name : never;
}[EventMember];

export const MEMBER_NAMES = Object.keys(EVENT_MEMBERS) as readonly EventMember[];

/** The members of one kind, in order. */
export function membersOf<Kind extends MemberKind>(kind: Kind): readonly MembersOfKind<Kind>[] {
  return MEMBER_NAMES.filter((name): name is MembersOfKind<Kind> => EVENT_MEMBERS[name] === kind);
}
