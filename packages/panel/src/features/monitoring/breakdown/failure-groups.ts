import type { AnalyticsResponse, FailureRow } from '@manager/core/contract/monitoring/analytics';
import type { TextKey } from '../../../platform/i18n/index.ts';
import { accountToken, rememberAccounts } from '../../../platform/requests/account-names.ts';
import { causeOf } from '../../../platform/requests/diagnosis.ts';
import { failureStatus } from '../../../platform/requests/event-view.ts';
import { setListFilter } from '../../../platform/requests/request-filters.ts';
import type { FailureGroup, MonitoringSearch } from '../monitoring-search.ts';

type Narrow = (search: MonitoringSearch) => MonitoringSearch;

/** Name of a group: a cause, a name that may have to be masked, or a text of the gateway. */
type GroupName =
  | { readonly kind: 'cause'; readonly cause: TextKey; readonly advice: TextKey }
  | { readonly kind: 'account'; readonly account: string; readonly source: string; readonly provider: string }
  | { readonly kind: 'word'; readonly word: string };

export interface FailureLine {
  readonly id: string;
  readonly name: GroupName;
  readonly failed: number;
  readonly lastSeenMs: number | null;
  /** Different ones among its failures; null = unknown. */
  readonly accounts: number | null;
  readonly models: number | null;
  /** Newest failures of the group; a failure itself has none. */
  readonly below: readonly FailureLine[];
  readonly failure: FailureRow | null;
  readonly filter: Narrow | null;
}

export interface FailureGroups {
  readonly lines: readonly FailureLine[];
  /** Number of failures in the groups. */
  readonly counted: number;
  /** Failures of the range. */
  readonly total: number;
}

const failedRows = (search: MonitoringSearch): MonitoringSearch => ({ ...search, status: 'failed' });

function accountFilter(name: string, authIndex: string, provider: string): Narrow | null {
  if (name === '' && (authIndex === '' || authIndex === '-')) return null;
  return (search) => {
    const base = provider === '' ? search : setListFilter(search, 'provider', [provider]);
    if (authIndex !== '' && authIndex !== '-') return failedRows(setListFilter(base, 'auth_index', [authIndex]));
    rememberAccounts([name], true);
    return failedRows(setListFilter(base, 'account', [accountToken(name)]));
  };
}

const accountOf = (row: Pick<FailureRow, 'account_snapshot' | 'auth_label_snapshot' | 'source' | 'auth_index'>) =>
  row.account_snapshot || row.auth_label_snapshot || row.source || row.auth_index || '';

/** One failure as a row below its group; its time links to it. */
function failureLine(group: string, row: FailureRow, index: number): FailureLine {
  return {
    id: `${group}|${index}`,
    name: {
      kind: 'account',
      account: row.account_snapshot || row.auth_label_snapshot || '',
      source: row.source || row.auth_index,
      provider: row.auth_provider_snapshot ?? '',
    },
    failed: 1,
    lastSeenMs: row.timestamp_ms,
    accounts: null,
    models: null,
    below: [],
    failure: row,
    filter: (search) => ({
      ...failedRows(search),
      range: { name: 'custom', fromMs: row.timestamp_ms, toMs: row.timestamp_ms + 1 },
    }),
  };
}

const MAX_BELOW = 50;
/** In place of a status that would look like a success. */
const BROKEN_OFF: TextKey = 'cause.brokenOff';

/** Failures of one group among the newest of the range. */
function fromRows(
  rows: readonly FailureRow[],
  keyOf: (row: FailureRow) => string,
  nameOf: (row: FailureRow, key: string) => GroupName,
  filterOf: (row: FailureRow, key: string) => Narrow | null,
): readonly FailureLine[] {
  const groups = new Map<string, FailureRow[]>();
  for (const row of rows) {
    const key = keyOf(row);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  return [...groups].flatMap(([key, group]) => {
    const [newest] = group;
    if (newest === undefined) return [];
    return {
      id: key,
      name: nameOf(newest, key),
      failed: group.length,
      lastSeenMs: newest.timestamp_ms,
      accounts: new Set(group.map(accountOf)).size,
      models: new Set(group.map((row) => row.model)).size,
      below: group.slice(0, MAX_BELOW).map((row, index) => failureLine(key, row, index)),
      failure: null,
      filter: filterOf(newest, key),
    };
  });
}

/** Failures of the range in groups; the server counts accounts and models, the rest is counted among the newest. */
export function failureGroups(answer: AnalyticsResponse, by: FailureGroup): FailureGroups {
  const rows = answer.recent_failures ?? [];
  const total = answer.summary?.failure_calls ?? rows.length;
  const sampled = (lines: readonly FailureLine[]): FailureGroups => ({
    lines,
    counted: rows.length,
    total: Math.max(total, rows.length),
  });
  const whole = (lines: readonly FailureLine[]): FailureGroups => ({ lines, counted: total, total });
  const word = (_: FailureRow, key: string): GroupName => ({ kind: 'word', word: key });
  switch (by) {
    case 'cause':
      return sampled(
        fromRows(
          rows,
          (row) => causeOf(row).cause,
          (row) => ({ kind: 'cause', ...causeOf(row) }),
          () => null,
        ),
      );
    case 'kind':
      return sampled(
        fromRows(
          rows,
          (row) => row.header_error_kind ?? '',
          word,
          (_, key) => (key === '' ? null : (search) => failedRows(setListFilter(search, 'error_kind', [key]))),
        ),
      );
    case 'code':
      return sampled(
        fromRows(
          rows,
          (row) => row.header_error_code ?? (causeOf(row).cause === BROKEN_OFF ? BROKEN_OFF : failureStatus(row)),
          (row, key) => (key === BROKEN_OFF ? { kind: 'cause', ...causeOf(row) } : word(row, key)),
          (row, key) =>
            row.header_error_code === undefined
              ? null
              : (search) => failedRows(setListFilter(search, 'error_code', [key])),
        ),
      );
    case 'account':
      return whole(
        (answer.failure_sources ?? []).map((row) => {
          const id = `${row.source_hash}|${row.auth_index}`;
          const own = rows.filter((one) => one.source_hash === row.source_hash && sameIndex(one, row));
          const name = row.account_snapshot || row.auth_label_snapshot || row.source || '';
          return {
            id,
            name: {
              kind: 'account',
              account: row.account_snapshot || row.auth_label_snapshot || '',
              source: row.source || row.auth_index,
              provider: row.auth_provider_snapshot ?? '',
            },
            failed: row.failure,
            lastSeenMs: row.last_seen_ms,
            accounts: null,
            models: null,
            below: own.slice(0, MAX_BELOW).map((one, index) => failureLine(id, one, index)),
            failure: null,
            filter: accountFilter(name, row.auth_index, row.auth_provider_snapshot ?? ''),
          };
        }),
      );
    case 'model':
      return whole(
        (answer.model_stats ?? []).flatMap((row) => {
          if (row.failure_calls === 0) return [];
          const own = rows.filter((one) => one.model === row.model);
          return {
            id: row.model,
            name: { kind: 'word', word: row.model },
            failed: row.failure_calls,
            lastSeenMs: own[0]?.timestamp_ms ?? null,
            accounts: null,
            models: null,
            below: own.slice(0, MAX_BELOW).map((one, index) => failureLine(row.model, one, index)),
            failure: null,
            filter:
              row.model === ''
                ? null
                : (search: MonitoringSearch) => failedRows(setListFilter(search, 'model', [row.model])),
          };
        }),
      );
  }
}

const sameIndex = (one: FailureRow, row: { readonly auth_index: string }): boolean =>
  (one.auth_index || '-') === (row.auth_index || '-');
