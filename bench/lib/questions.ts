import type { AnalyticsFilters, AnalyticsResponse, EventRow } from '@manager/core/contract/monitoring/analytics';
import { ANALYTICS_PATH } from '@manager/core/contract/monitoring/analytics';
import type { ManagerProcess } from '../../test/support/manager-process.ts';

export interface Range {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Members of a request besides its range. */
export type Question = Readonly<Record<string, unknown>>;

const PAGE_ROWS = 100;
const page = { events_page: { limit: PAGE_ROWS } };

/** What the live page asks: the newest requests by every filter it has, by text, and the menus. */
export async function questionsOf(manager: ManagerProcess, range: Range): Promise<Readonly<Record<string, Question>>> {
  const middleMs = Math.floor((range.fromMs + range.toMs) / 2);
  const sample = await ask(manager, range, { include: { events_page: { limit: 5_000 } } });
  const rows = sample.events?.items ?? [];
  const usual = (value: (row: EventRow) => string | undefined) => mostFrequent(rows, value);
  const rare = (value: (row: EventRow) => string | undefined) => leastFrequent(rows, value);
  const filtered = (filters: AnalyticsFilters): Question => ({ include: page, filters });
  const searched = (text: string): Question => ({ include: page, search_query: text });
  const model = (row: EventRow) => row.analytics_model ?? row.model;
  const account = (row: EventRow) => row.account_snapshot;
  const word = (text: string) => text.slice(0, Math.max(text.indexOf('@') + 1, 4));
  return {
    unfiltered: { include: page },
    'an older page': { include: { events_page: { limit: PAGE_ROWS, before_ms: middleMs, before_id: 2 ** 52 } } },
    'model, frequent': filtered({ models: [usual(model)] }),
    'model, rare': filtered({ models: [rare(model)] }),
    provider: filtered({ providers: [usual((row) => row.auth_provider_snapshot)] }),
    'account, frequent': filtered({ accounts: [usual(account)] }),
    'account, rare': filtered({ accounts: [rare(account)] }),
    credential: filtered({ credential_ids: [usual((row) => row.auth_file_snapshot)] }),
    'auth file': filtered({ auth_files: [rare((row) => row.auth_file_snapshot)] }),
    'auth index': filtered({ auth_indices: [rare((row) => row.auth_index)] }),
    'client key': filtered({ api_key_hashes: [usual((row) => row.api_key_hash)] }),
    source: filtered({ source_hashes: [usual((row) => row.source_hash)] }),
    project: filtered({ project_ids: [usual((row) => row.auth_project_id_snapshot)] }),
    'request type': filtered({ request_types: [usual((row) => row.executor_type)] }),
    'error kind': filtered({ header_error_kinds: [usual((row) => row.header_error_kind)] }),
    'error code': filtered({ header_error_codes: [usual((row) => row.header_error_code)] }),
    'quota plan': filtered({ header_quota_plans: [usual((row) => row.header_quota_plan_type)] }),
    'trace id': filtered({ header_trace_ids: [rare((row) => row.header_trace_id)] }),
    failures: filtered({ failed_only: true }),
    successes: filtered({ include_failed: false }),
    'slow requests': filtered({ min_latency_ms: 30_000 }),
    'cache hits': filtered({ cache_status: 'hit' }),
    'cache misses': filtered({ cache_status: 'miss' }),
    'four filters': filtered({
      models: [usual(model), rare(model)],
      providers: [usual((row) => row.auth_provider_snapshot)],
      cache_status: 'read',
      min_latency_ms: 1_000,
    }),
    'search, an account': searched(word(usual(account))),
    'search, a request id': searched(rare((row) => row.request_id)),
    'search, failure text': searched('limit'),
    'search, nothing': searched('no text of any request'),
    menus: { include: { filter_selectors: true } },
    'menus, searched': { include: { filter_selectors: true }, search_query: word(usual(account)) },
  };
}

/** Asks and reads the whole answer. */
export async function ask(manager: ManagerProcess, range: Range, question: Question): Promise<AnalyticsResponse> {
  return JSON.parse(await askText(manager, range, question)) as AnalyticsResponse;
}

export async function askText(manager: ManagerProcess, range: Range, question: Question): Promise<string> {
  const answer = await manager.fetch(ANALYTICS_PATH, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ from_ms: range.fromMs, to_ms: range.toMs, ...question }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${answer.status} ${text.slice(0, 200)}`);
  return text;
}

function mostFrequent(rows: readonly EventRow[], value: (row: EventRow) => string | undefined): string {
  return frequencies(rows, value)[0]?.[0] ?? 'none';
}

function leastFrequent(rows: readonly EventRow[], value: (row: EventRow) => string | undefined): string {
  return frequencies(rows, value).at(-1)?.[0] ?? 'none';
}

function frequencies(
  rows: readonly EventRow[],
  value: (row: EventRow) => string | undefined,
): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const row of rows) {
    const text = value(row) ?? '';
    if (text !== '') counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return [...counts].sort(([, a], [, b]) => b - a);
}
