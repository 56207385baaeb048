import type { UsageEvent } from '@manager/core/usage/event';
import { identityText } from '@manager/core/usage/identity';
import { sha256Hex } from '../../platform/sha256.ts';
import type { Value } from './value-format.ts';

/** An event during decoding: the members before the current one are set. */
export type DraftEvent = { -readonly [K in keyof UsageEvent]: UsageEvent[K] };

export interface Member {
  readonly name: keyof UsageEvent;
  /** The most frequent value, derived from earlier members; it takes one bit. */
  readonly usual: (event: DraftEvent) => Value | boolean;
}

const empty = () => '';
const zero = () => 0;
const none = () => null;

function member(name: keyof UsageEvent, usual: Member['usual']): Member {
  return { name, usual };
}

/**
 * The members of version 1 of the detail, in their order on disk; the two JSON texts and the time are written
 * separately. A usual value may only depend on members above it. Never change a released list: add a version.
 */
const MEMBERS: readonly Member[] = [
  member('created_at_ms', (event) => event.timestamp_ms),
  member('request_id', empty),
  member('provider', empty),
  member('executor_type', empty),
  member('model', () => '-'),
  member('requested_model', (event) => event.model),
  member('resolved_model', (event) => event.model),
  member('endpoint', () => '-'),
  member('method', (event) => partOf(event.endpoint, 0)),
  member('path', (event) => partOf(event.endpoint, 1)),
  member('client_ip', empty),
  member('x_forwarded_for', empty),
  member('user_agent', empty),
  member('auth_type', empty),
  member('auth_index', empty),
  member('source', empty),
  member('source_hash', empty),
  member('api_key_hash', empty),
  member('account_snapshot', empty),
  member('auth_label_snapshot', (event) => event.account_snapshot),
  member('auth_file_snapshot', empty),
  member('auth_provider_snapshot', (event) => event.provider),
  member('auth_project_id_snapshot', empty),
  member('auth_snapshot_at_ms', none),
  member('reasoning_effort', empty),
  member('request_service_tier', empty),
  member('service_tier', (event) => event.request_service_tier),
  member('response_service_tier', empty),
  member('cache_input_mode', () => 'included_in_input'),
  member('input_tokens', zero),
  member('output_tokens', zero),
  member('reasoning_tokens', zero),
  member('cache_read_tokens', zero),
  member('cached_tokens', (event) => event.cache_read_tokens),
  member('cache_tokens', zero),
  member('cache_creation_tokens', zero),
  member('normalized_uncached_input_tokens', usualUncachedInput),
  member(
    'normalized_total_input_tokens',
    (event) => event.normalized_uncached_input_tokens + event.cache_read_tokens + event.cache_creation_tokens,
  ),
  member('normalized_cache_read_tokens', (event) => event.cache_read_tokens),
  member('normalized_cache_creation_tokens', (event) => event.cache_creation_tokens),
  member('total_tokens', (event) => event.normalized_total_input_tokens + event.output_tokens),
  member('billable_output_tokens', (event) => event.output_tokens),
  member('unclassified_tokens', zero),
  member('token_quality', () => 'complete'),
  member('latency_ms', none),
  member('ttft_ms', none),
  member('failed', () => false),
  // After all members of the identity: only a hash from an imported record is stored.
  member('event_hash', identityHash),
  member('fail_status_code', none),
  member('fail_body', empty),
  member('fail_summary', (event) => event.fail_body),
  member('header_quota_recover_at_ms', none),
  member('header_quota_used_percent', none),
  member('header_quota_plan_type', empty),
  member('header_error_kind', empty),
  member('header_error_code', empty),
  member('header_trace_id', empty),
];

/** Version 2 adds members that few events use. An event without them is stored as version 1. */
const ADDED_IN_2: readonly Member[] = [member('cache_write_1h_tokens', zero)];

/** The members of each version; the list of a version continues the one before it. */
export const VERSIONS = [MEMBERS, [...MEMBERS, ...ADDED_IN_2]] as const;

/** Place in `VERSIONS` of the form that an event is stored in. */
export function versionOf(event: UsageEvent): 0 | 1 {
  return event.cache_write_1h_tokens === 0 ? 0 : 1;
}

/** The members that a version lacks, for an event that was stored in it. */
export function missingMembers(version: 0 | 1): readonly Member[] {
  return version === 0 ? ADDED_IN_2 : [];
}

function identityHash(event: DraftEvent): string {
  return sha256Hex(identityText(event));
}

function partOf(endpoint: string, part: 0 | 1): string {
  const space = endpoint.indexOf(' ');
  if (space < 0) return '';
  return part === 0 ? endpoint.slice(0, space) : endpoint.slice(space + 1);
}

function usualUncachedInput(event: DraftEvent): number {
  if (event.cache_input_mode === 'separate_from_input') return event.input_tokens;
  return event.input_tokens - event.cache_read_tokens - event.cache_creation_tokens;
}
