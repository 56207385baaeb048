import type { AccountHistory } from '@manager/core/contract/accounts/history';
import type { QuotaWindowView } from '@manager/core/contract/quotas/snapshots';
import { type Account, readAccounts } from '../account.ts';
import { type AccountRow, type AccountSources, createAccountRows } from '../rows.ts';

export const NOW = Date.UTC(2026, 8, 1, 12);
export const HOUR = 3_600_000;

/** Entries as the gateway lists them. */
export function accountsOf(...entries: readonly Readonly<Record<string, unknown>>[]): readonly Account[] {
  return readAccounts({
    files: entries.map((entry, index) => ({
      id: `codex-${index}.json`,
      name: `codex-${index}.json`,
      auth_index: `index-${index}`,
      provider: 'codex',
      email: `user-${index}@example.test`,
      ...entry,
    })),
  });
}

export function account(entry: Readonly<Record<string, unknown>> = {}): Account {
  const [first] = accountsOf(entry);
  if (first === undefined) throw new Error('no account was read');
  return first;
}

export const NO_SOURCES: AccountSources = {
  history: new Map(),
  windows: new Map(),
  cooldowns: [],
  candidates: [],
  headers: [],
  inspections: [],
  refusals: new Map(),
  tags: new Map(),
  managed: true,
  pending: { history: false, windows: false },
  windowsFailed: false,
};

export function rowOf(
  sources: Partial<AccountSources> = {},
  entry: Readonly<Record<string, unknown>> = {},
): AccountRow {
  const [row] = createAccountRows()(accountsOf(entry), { ...NO_SOURCES, ...sources }, NOW);
  if (row === undefined) throw new Error('no row was made');
  return row;
}

/** A window of the whole account, five hours long, half of it over. */
export function windowOf(change: Partial<QuotaWindowView> = {}): QuotaWindowView {
  return {
    provider_window_id: 'five-hour',
    window_mode: 'fixed',
    model_scope_kind: 'family',
    model_scope_key: 'codex_main',
    source: 'api_query',
    observed_at_ms: NOW - HOUR,
    boundary_accuracy: 'exact',
    cycle_start_ms: NOW - 2.5 * HOUR,
    cycle_end_ms: NOW + 2.5 * HOUR,
    duration_seconds: 18_000,
    used_percent: 25,
    stale: false,
    field_sources: {},
    logical_window_id: 1,
    activation_generation: 1,
    availability: 'active',
    first_seen_at_ms: 1,
    last_seen_at_ms: NOW - HOUR,
    ...change,
  };
}

/** Outcomes of the last requests, newest first: 0 = success, else the status; one per hour. */
export function historyOf(...statuses: readonly number[]): AccountHistory {
  return {
    row_key: 'index-0',
    account_key: 'key',
    matched: statuses.length > 0,
    total_requests: statuses.length,
    success_calls: 0,
    failure_calls: 0,
    total_tokens: 0,
    total_cost: 0,
    success_rate: null,
    first_seen_ms: 1,
    last_seen_ms: NOW - HOUR,
    recent_requests: statuses.map((status, index) => ({
      timestamp_ms: NOW - (index + 1) * HOUR,
      failed: status !== 0,
      ...(status === 0 ? {} : { fail_status_code: status }),
    })),
    sync_status: 'ready',
  };
}
