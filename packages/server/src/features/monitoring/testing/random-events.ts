import type { UsageEvent } from '@manager/core/usage/event';
import { analyticsModel, withoutReasoningSuffix } from '@manager/core/usage/models';
import fc from 'fast-check';
import { type FactFilters, NO_FILTERS } from '../../../facts/query.ts';
import type { StoredEvent } from '../../../facts/testing/test-database.ts';
import type { AnalyticsQuery } from '../request.ts';

// Random events and requests, and the results of a plain loop over all events.

const NAMES = [
  '',
  ' ',
  'Ann',
  'ann',
  'École',
  '超时',
  'ΟΔΟΣ',
  'ΟΔΟΣΑ',
  'İx',
  '100%',
  'a_b',
  'x(high)',
  'x',
  '-',
  'beef',
];
const HASHES = ['hash-A', 'ABCDEF', '0000', `${'0f'.repeat(16)}${'beef'.repeat(8)}`.toUpperCase()];
export const FROM_MS = 1_773_100_800_000;
const SPAN_MS = 6;

const name = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom('', ' ') },
  { weight: 3, arbitrary: fc.constantFrom(...NAMES) },
);
const count = fc.constantFrom(0, 0, 1, 70_000, 5_000_000_000);
const hexHash = fc
  .array(fc.constantFrom('0', '1', 'b', 'e', 'f'), { minLength: 64, maxLength: 64 })
  .map((d) => d.join(''));

const anyMembers = fc.record({
  event_hash: fc.oneof({ weight: 4, arbitrary: hexHash }, { weight: 1, arbitrary: fc.constantFrom(...HASHES) }),
  timestamp_ms: fc.oneof(
    { weight: 20, arbitrary: fc.integer({ min: FROM_MS - 1, max: FROM_MS + SPAN_MS }) },
    { weight: 1, arbitrary: fc.constantFrom(-5, 0, 8.64e15) },
  ),
  provider: name,
  auth_provider_snapshot: name,
  executor_type: name,
  model: name,
  requested_model: name,
  resolved_model: name,
  endpoint: name,
  user_agent: name,
  auth_index: name,
  source: name,
  source_hash: name,
  api_key_hash: name,
  account_snapshot: name,
  auth_label_snapshot: name,
  auth_file_snapshot: name,
  auth_project_id_snapshot: name,
  header_error_kind: name,
  header_error_code: name,
  header_quota_plan_type: name,
  header_trace_id: name,
  request_id: name,
  fail_summary: name,
  latency_ms: fc.oneof(fc.constant(null), count),
  cached_tokens: count,
  cache_read_tokens: count,
  cache_creation_tokens: count,
  cache_write_1h_tokens: count,
  failed: fc.boolean(),
}) satisfies fc.Arbitrary<Partial<UsageEvent>>;

export const members = anyMembers.map((event) => ({
  ...event,
  cache_write_1h_tokens: Math.min(event.cache_write_1h_tokens, event.cache_creation_tokens),
}));

function chosen(): fc.Arbitrary<string> {
  return fc.constantFrom(...NAMES.filter((text) => text.trim() !== ''));
}
const values = fc.array(chosen(), { minLength: 1, maxLength: 4 });

const LIST_FILTERS = (Object.keys(NO_FILTERS) as (keyof FactFilters)[]).filter((key) => Array.isArray(NO_FILTERS[key]));

/** One filter; several at once would mostly leave nothing to compare. */
const oneFilter: fc.Arbitrary<Partial<FactFilters>> = fc.oneof(
  { weight: 14, arbitrary: fc.tuple(fc.constantFrom(...LIST_FILTERS), values).map(([key, list]) => ({ [key]: list })) },
  // Too many values to search one by one.
  { weight: 2, arbitrary: values.map((list) => ({ header_trace_ids: [...list, ...NAMES.map((text) => `${text}!`)] })) },
  { weight: 1, arbitrary: fc.constantFrom({ include_failed: false }, { failed_only: true }) },
  { weight: 1, arbitrary: fc.constant({ include_failed: false, failed_only: true }) },
  { weight: 2, arbitrary: fc.constantFrom(1, 70_000).map((least) => ({ min_latency_ms: least })) },
  {
    weight: 4,
    arbitrary: fc.constantFrom('hit', 'miss', 'read', 'creation').map((status) => ({ cache_status: status })),
  },
);

export const filters: fc.Arbitrary<FactFilters> = fc.oneof(
  fc.constant(NO_FILTERS),
  oneFilter.map((one) => ({ ...NO_FILTERS, ...one })),
  oneFilter.map((one) => ({ ...NO_FILTERS, ...one })),
  fc.tuple(oneFilter, oneFilter).map(([one, two]) => ({ ...NO_FILTERS, ...one, ...two })),
);

export const search = fc.record({
  query: fc.oneof(
    { weight: 9, arbitrary: fc.constant('') },
    { weight: 2, arbitrary: fc.constantFrom('ann', 'ÉC', '时', 'οδος', '%', '_', 'i', '(', 'x', 'hash', 'zz', ' ') },
    {
      weight: 3,
      arbitrary: fc.array(fc.constantFrom('0', '1', 'b', 'E', 'f'), { maxLength: 8 }).map((d) => d.join('')),
    },
    { weight: 1, arbitrary: hexHash },
    { weight: 1, arbitrary: fc.constantFrom(...HASHES) },
  ),
  apiKeyHash: fc.oneof({ weight: 4, arbitrary: fc.constant('') }, { weight: 1, arbitrary: chosen() }),
});

export const question = fc.record({
  filters,
  search,
  from: fc.integer({ min: -1, max: 3 }),
  to: fc.integer({ min: 4, max: 8 }),
});

export function inRange(event: StoredEvent, query: AnalyticsQuery): boolean {
  return event.timestamp_ms >= query.fromMs && event.timestamp_ms < query.toMs;
}

function fold(text: string): string {
  return text.toLowerCase().replaceAll('ς', 'σ');
}

export function matchesSearch(event: StoredEvent, query: AnalyticsQuery): boolean {
  const text = fold(query.search.query);
  const keyMatches = event.api_key_hash === query.search.apiKeyHash;
  if (text === '') return query.search.apiKeyHash === '' || keyMatches;
  if (query.search.apiKeyHash !== '' && keyMatches) return true;
  return [
    event.request_id,
    event.event_hash,
    event.model,
    event.requested_model,
    analyticsModel(event),
    event.resolved_model,
    event.endpoint,
    event.method,
    event.path,
    event.client_ip,
    event.x_forwarded_for,
    event.user_agent,
    event.source,
    event.source_hash,
    event.api_key_hash,
    event.auth_index,
    event.account_snapshot,
    event.auth_label_snapshot,
    event.auth_file_snapshot,
    event.auth_provider_snapshot,
    event.auth_project_id_snapshot,
    event.reasoning_effort,
    event.service_tier,
    event.executor_type,
    event.fail_summary,
    event.header_quota_plan_type,
    event.header_error_kind,
    event.header_error_code,
    event.header_trace_id,
  ].some((field) => fold(field).includes(text));
}

export function matchesFilters(event: StoredEvent, wanted: FactFilters): boolean {
  const any = (list: readonly string[], ...fields: readonly string[]) =>
    list.length === 0 || fields.some((field) => list.includes(field));
  const anyFolded = (list: readonly string[], ...fields: readonly string[]) => any(list.map(fold), ...fields.map(fold));
  const account =
    [event.auth_file_snapshot, event.auth_index, event.source_hash, event.source]
      .map((part) => part.trim())
      .find((part) => part !== '') ?? '-';
  const hit = event.cached_tokens + event.cache_read_tokens + event.cache_creation_tokens > 0;
  const cache = {
    hit,
    miss: !hit,
    read: event.cache_read_tokens > 0,
    creation: event.cache_creation_tokens > 0,
  };
  return (
    any(wanted.models.map(withoutReasoningSuffix), analyticsModel(event)) &&
    anyFolded(wanted.providers, event.provider, event.auth_provider_snapshot) &&
    anyFolded(wanted.accounts, event.account_snapshot, event.auth_label_snapshot, event.source, event.auth_index) &&
    any(wanted.credential_ids, account) &&
    any(wanted.auth_files, event.auth_file_snapshot) &&
    any(wanted.auth_indices, event.auth_index) &&
    any(wanted.api_key_hashes, event.api_key_hash) &&
    any(wanted.source_hashes, event.source_hash) &&
    any(wanted.project_ids, event.auth_project_id_snapshot) &&
    any(wanted.request_types, event.executor_type) &&
    any(wanted.header_error_kinds, event.header_error_kind) &&
    any(wanted.header_error_codes, event.header_error_code) &&
    any(wanted.header_quota_plans, event.header_quota_plan_type) &&
    any(wanted.header_trace_ids, event.header_trace_id) &&
    (wanted.include_failed || !event.failed) &&
    (!wanted.failed_only || event.failed) &&
    (wanted.min_latency_ms <= 0 || (event.latency_ms !== null && event.latency_ms >= wanted.min_latency_ms)) &&
    (wanted.cache_status === null || cache[wanted.cache_status])
  );
}

export function providerOf(event: StoredEvent): string {
  return event.auth_provider_snapshot !== '' ? event.auth_provider_snapshot : event.provider;
}

export function distinctTexts(texts: readonly string[]): string[] {
  return [...new Set(texts)]
    .filter((text) => text !== '')
    .sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
}

/** Group id of the account; undefined when nothing names it. */
export function accountOf(event: StoredEvent): string | undefined {
  const hex = (text: string) => Buffer.from(text).toString('hex').toUpperCase();
  const kinds = [
    ['account', event.account_snapshot],
    ['label', event.auth_label_snapshot],
    ['source', event.source],
    ['auth', event.auth_index],
    ['source-hash', event.source_hash],
  ] as const;
  const named = kinds.find(([, value]) => value.trim() !== '');
  if (named === undefined) return undefined;
  return `monitoring-account:1:${named[0]}:${hex(providerOf(event).trim().toLowerCase())}:${hex(named[1].trim())}`;
}

/** Events by account id, newest first. */
export function accountsOf(events: readonly StoredEvent[]): Map<string, StoredEvent[]> {
  const newestFirst = events.toSorted((a, b) => b.timestamp_ms - a.timestamp_ms || b.id - a.id);
  const accounts = Map.groupBy(newestFirst, (event) => accountOf(event) ?? '');
  accounts.delete('');
  return accounts;
}
