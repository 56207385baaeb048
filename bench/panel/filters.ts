import { createHash } from 'node:crypto';
import {
  ANALYTICS_PATH,
  type AnalyticsFilters,
  type AnalyticsResponse,
  type EventRow,
} from '@manager/core/contract/monitoring/analytics';
import type { ManagerProcess } from '../../test/support/manager-process.ts';
import { HOUR_MS, type Moment } from './moment.ts';

/** What a page restricts itself to; members of a request of `monitoring/analytics`. */
export interface Restriction {
  readonly filters?: AnalyticsFilters;
  readonly search_query?: string;
  readonly search_api_key_hash?: string;
  readonly time_zone?: string;
  /** Moves the start of the range where a filter has no further values, so that the question is a new one. */
  readonly laterMs?: number;
}

/** One dimension of filters. Each round has another value: a question that this process was never asked. */
export interface FilterKind {
  readonly name: string;
  restriction(round: number): Restriction;
}

const SAMPLE_ROWS = 5_000;
const FAILURE_WORDS = ['limit', 'deadline', 'overloaded', 'canceled', 'capacity', 'connect error', 'no longer valid'];
const CACHE_STATUS = ['hit', 'miss', 'read', 'creation'];
const LATENCIES_MS = [10_000, 3_000, 30_000];

/** Values that occur, most frequent first. */
type Values = (value: (row: EventRow) => string | undefined) => readonly string[];

/** Every filter of the panel with the values of the newest events. */
export async function filterKinds(manager: ManagerProcess, moment: Moment): Promise<readonly FilterKind[]> {
  const sample = await manager.post<AnalyticsResponse>(ANALYTICS_PATH, {
    from_ms: moment.fromMs,
    to_ms: moment.nowMs,
    include: { events_page: { limit: SAMPLE_ROWS } },
  });
  const rows = sample.events?.items ?? [];
  const values: Values = (value) => frequencies(rows.map(value));
  const accounts = values((row) => row.account_snapshot);
  const kinds: readonly (FilterKind | null)[] = [
    { name: 'none', restriction: later },
    { name: 'half-hour zone', restriction: (round) => ({ time_zone: 'Asia/Kolkata', ...later(round) }) },
    ofValues(
      'model',
      values((row) => row.analytics_model ?? row.model),
      (models) => ({ models }),
    ),
    ofValues(
      'provider',
      values((row) => row.auth_provider_snapshot),
      (providers) => ({ providers }),
    ),
    ofValues('account', accounts, (names) => ({ accounts: names })),
    ofValues(
      'credential',
      values((row) => row.auth_file_snapshot),
      (ids) => ({ credential_ids: ids }),
    ),
    ofValues(
      'client key',
      values((row) => row.api_key_hash),
      (hashes) => ({ api_key_hashes: hashes }),
    ),
    ofValues(
      'project',
      values((row) => row.auth_project_id_snapshot),
      (ids) => ({ project_ids: ids }),
    ),
    ofValues(
      'request type',
      values((row) => row.executor_type),
      (types) => ({ request_types: types }),
    ),
    ofValues(
      'error kind',
      values((row) => row.header_error_kind),
      (kinds) => ({ header_error_kinds: kinds }),
    ),
    filter('status', (round) => (round % 2 === 0 ? { failed_only: true } : { include_failed: false }), 2),
    filter(
      'latency',
      (round) => ({ min_latency_ms: LATENCIES_MS[round] ?? 1_000 + round * 731 }),
      Number.POSITIVE_INFINITY,
    ),
    filter(
      'cache status',
      (round) => ({ cache_status: CACHE_STATUS[round % CACHE_STATUS.length] ?? 'hit' }),
      CACHE_STATUS.length,
    ),
    ofSearch('search, an account', accounts.map((name) => name.slice(0, name.indexOf('@') + 1)).filter(isLong)),
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

/** `different` rounds have filters of their own. */
function filter(name: string, filters: (round: number) => AnalyticsFilters, different: number): FilterKind {
  return { name, restriction: (round) => ({ filters: filters(round), ...later(Math.floor(round / different)) }) };
}

/** One value a round, frequent and rare ones in turns; then two at once. Null where the history has none. */
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

/** With the hash that finds the calls of a pasted client key. */
function searched(text: string): Restriction {
  return { search_query: text, search_api_key_hash: createHash('sha256').update(text.trim()).digest('hex') };
}

function spread(values: readonly string[], round: number): string {
  const step = Math.max(Math.floor(values.length * 0.38), 1);
  const start = round % values.length;
  return values[(start * step + Math.floor((start * step) / values.length)) % values.length] ?? '';
}

function isLong(text: string): boolean {
  return text.length > 1;
}

function frequencies(texts: readonly (string | undefined)[]): string[] {
  const counts = new Map<string, number>();
  for (const text of texts) if (text !== undefined && text !== '') counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a).map(([text]) => text);
}
