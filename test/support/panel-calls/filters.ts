import { createHash } from 'node:crypto';
import {
  ANALYTICS_PATH,
  type AnalyticsFilters,
  type AnalyticsResponse,
  type EventRow,
} from '@manager/core/contract/monitoring/analytics';
import type { ManagerProcess } from '../manager-process.ts';
import { HOUR_MS, type Moment } from './moment.ts';

/** A page's filters; members of a request of `monitoring/analytics`. */
export interface Restriction {
  readonly filters?: AnalyticsFilters;
  readonly search_query?: string;
  readonly search_api_key_hash?: string;
  readonly time_zone?: string;
  /** Moves the start of the range where a filter has no further values, so that the question is new. */
  readonly laterMs?: number;
}

/** One filter dimension. Each round has another value, so that no answer is cached. */
export interface FilterKind {
  readonly name: string;
  restriction(round: number): Restriction;
}

const SAMPLE_ROWS = 5_000;
const FAILURE_WORDS = ['limit', 'deadline', 'overloaded', 'canceled', 'capacity', 'connect error', 'no longer valid'];
const CACHE_STATUS = ['hit', 'miss', 'read', 'creation'] as const;
const LATENCIES_MS = [10_000, 3_000, 30_000];

type Column = (row: EventRow) => string | undefined;
const account: Column = (row) => row.account_snapshot;

/** Filters by values that occur in the events. */
const VALUE_FILTERS: readonly (readonly [string, Column, (values: string[]) => AnalyticsFilters])[] = [
  ['model', (row) => row.analytics_model ?? row.model, (models) => ({ models })],
  ['provider', (row) => row.auth_provider_snapshot, (providers) => ({ providers })],
  ['account', account, (accounts) => ({ accounts })],
  ['credential', (row) => row.auth_file_snapshot, (account_ids) => ({ credential_ids: account_ids })],
  ['client key', (row) => row.api_key_hash, (api_key_hashes) => ({ api_key_hashes })],
  ['project', (row) => row.auth_project_id_snapshot, (project_ids) => ({ project_ids })],
  ['request type', (row) => row.executor_type, (request_types) => ({ request_types })],
  ['error kind', (row) => row.header_error_kind, (header_error_kinds) => ({ header_error_kinds })],
];

/** Every filter of the panel with the values of the newest events. */
export async function filterKinds(manager: ManagerProcess, moment: Moment): Promise<readonly FilterKind[]> {
  const sample = await manager.post<AnalyticsResponse>(ANALYTICS_PATH, {
    from_ms: moment.fromMs,
    to_ms: moment.nowMs,
    include: { events_page: { limit: SAMPLE_ROWS } },
  });
  const rows = sample.events?.items ?? [];
  const values = (column: Column) => mostFrequentFirst(rows.map(column));
  const accounts = values(account).map((name) => name.slice(0, name.indexOf('@') + 1));
  const kinds: readonly (FilterKind | null)[] = [
    { name: 'none', restriction: later },
    { name: 'half-hour zone', restriction: (round) => ({ time_zone: 'Asia/Kolkata', ...later(round) }) },
    ...VALUE_FILTERS.map(([name, column, filters]) => ofValues(name, values(column), filters)),
    filter('status', (round) => (round % 2 === 0 ? { failed_only: true } : { include_failed: false }), 2),
    filter('latency', (round) => ({ min_latency_ms: LATENCIES_MS[round] ?? 1_000 + round * 731 }), Infinity),
    filter('cache status', (round) => ({ cache_status: spread(CACHE_STATUS, round) }), CACHE_STATUS.length),
    ofSearch(
      'search, an account',
      accounts.filter((text) => text.length > 1),
    ),
    ofSearch(
      'search, a request id',
      values((row) => row.request_id),
    ),
    ofSearch('search, failure text', FAILURE_WORDS),
    { name: 'search, nothing', restriction: (round) => searched(`no text of any request ${round}`) },
  ];
  return kinds.filter((kind) => kind !== null);
}

function later(round: number): Restriction {
  return round === 0 ? {} : { laterMs: round * HOUR_MS };
}

/** `different` rounds have different filters. */
function filter(name: string, filters: (round: number) => AnalyticsFilters, different: number): FilterKind {
  return { name, restriction: (round) => ({ filters: filters(round), ...later(Math.floor(round / different)) }) };
}

/** One value a round, alternating frequent and rare ones; then two at once. Null where the history has none. */
function ofValues(
  name: string,
  values: readonly string[],
  filters: (values: string[]) => AnalyticsFilters,
): FilterKind | null {
  if (values.length === 0) return null;
  const chosen = (round: number) => {
    const first = spread(values, round);
    const second = spread(values, round + Math.floor(round / values.length));
    return first === second ? [first] : [first, second];
  };
  return filter(name, (round) => filters(chosen(round)), values.length ** 2);
}

function ofSearch(name: string, texts: readonly string[]): FilterKind | null {
  if (texts.length === 0) return null;
  const restriction = (round: number) => ({
    ...searched(spread(texts, round)),
    ...later(Math.floor(round / texts.length)),
  });
  return { name, restriction };
}

/** With the hash that finds the requests of a pasted client key. */
function searched(text: string): Restriction {
  return { search_query: text, search_api_key_hash: createHash('sha256').update(text.trim()).digest('hex') };
}

/** Another value for each of `values.length` rounds, distant ones in turn. */
function spread<Value>(values: readonly Value[], round: number): Value {
  let step = Math.max(Math.floor(values.length * 0.38), 1);
  while (commonDivisor(step, values.length) > 1) step += 1;
  return values[(round * step) % values.length] as Value;
}

function commonDivisor(left: number, right: number): number {
  return right === 0 ? left : commonDivisor(right, left % right);
}

function mostFrequentFirst(texts: readonly (string | undefined)[]): string[] {
  const counts = new Map<string, number>();
  for (const text of texts) if (text !== undefined && text !== '') counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a).map(([text]) => text);
}
