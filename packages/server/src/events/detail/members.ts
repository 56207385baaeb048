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
  /** How `usual` gets it, for readers that make no event. */
  readonly rule: UsualRule;
}

export type UsualRule =
  | { readonly kind: 'constant'; readonly value: Value }
  | { readonly kind: 'same'; readonly as: keyof UsageEvent }
  | { readonly kind: 'computed' };

/** Its most frequent value is always the same one. */
function constant(name: keyof UsageEvent, value: Value | boolean): Member {
  return { name, usual: () => value, rule: { kind: 'constant', value: stored(value) } };
}

/** Its most frequent value is that of another member. */
function sameAs(name: keyof UsageEvent, as: keyof UsageEvent): Member {
  return { name, usual: (event) => event[as], rule: { kind: 'same', as } };
}

function computed(name: keyof UsageEvent, usual: Member['usual']): Member {
  return { name, usual, rule: { kind: 'computed' } };
}

/** A boolean is stored as a number. */
export function stored(value: Value | boolean): Value {
  return typeof value === 'boolean' ? Number(value) : value;
}

/**
 * The members of version 1 of the detail, in their order on disk; the two JSON texts and the time are written
 * separately. A usual value may only depend on members above it. Never change a released list: add a version.
 */
const MEMBERS: readonly Member[] = [
  sameAs('created_at_ms', 'timestamp_ms'),
  constant('request_id', ''),
  constant('provider', ''),
  constant('executor_type', ''),
  constant('model', '-'),
  sameAs('requested_model', 'model'),
  sameAs('resolved_model', 'model'),
  constant('endpoint', '-'),
  computed('method', (event) => partOf(event.endpoint, 0)),
  computed('path', (event) => partOf(event.endpoint, 1)),
  constant('client_ip', ''),
  constant('x_forwarded_for', ''),
  constant('user_agent', ''),
  constant('auth_type', ''),
  constant('auth_index', ''),
  constant('source', ''),
  constant('source_hash', ''),
  constant('api_key_hash', ''),
  constant('account_snapshot', ''),
  sameAs('auth_label_snapshot', 'account_snapshot'),
  constant('auth_file_snapshot', ''),
  sameAs('auth_provider_snapshot', 'provider'),
  constant('auth_project_id_snapshot', ''),
  constant('auth_snapshot_at_ms', null),
  constant('reasoning_effort', ''),
  constant('request_service_tier', ''),
  sameAs('service_tier', 'request_service_tier'),
  constant('response_service_tier', ''),
  constant('cache_input_mode', 'included_in_input'),
  constant('input_tokens', 0),
  constant('output_tokens', 0),
  constant('reasoning_tokens', 0),
  constant('cache_read_tokens', 0),
  sameAs('cached_tokens', 'cache_read_tokens'),
  constant('cache_tokens', 0),
  constant('cache_creation_tokens', 0),
  computed('normalized_uncached_input_tokens', usualUncachedInput),
  computed(
    'normalized_total_input_tokens',
    (event) => event.normalized_uncached_input_tokens + event.cache_read_tokens + event.cache_creation_tokens,
  ),
  sameAs('normalized_cache_read_tokens', 'cache_read_tokens'),
  sameAs('normalized_cache_creation_tokens', 'cache_creation_tokens'),
  computed('total_tokens', (event) => event.normalized_total_input_tokens + event.output_tokens),
  sameAs('billable_output_tokens', 'output_tokens'),
  constant('unclassified_tokens', 0),
  constant('token_quality', 'complete'),
  constant('latency_ms', null),
  constant('ttft_ms', null),
  constant('failed', false),
  // After all members of the identity: only a hash from an imported record is stored.
  computed('event_hash', identityHash),
  constant('fail_status_code', null),
  constant('fail_body', ''),
  sameAs('fail_summary', 'fail_body'),
  constant('header_quota_recover_at_ms', null),
  constant('header_quota_used_percent', null),
  constant('header_quota_plan_type', ''),
  constant('header_error_kind', ''),
  constant('header_error_code', ''),
  constant('header_trace_id', ''),
];

/** Version 2 adds members that few events use. An event without them is stored as version 1. */
const ADDED_IN_2: readonly Member[] = [constant('cache_write_1h_tokens', 0)];

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
