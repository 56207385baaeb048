import type { AnalyticsResponse, EventRow } from '@manager/core/contract/monitoring/analytics';
import type { TextKey } from '../../../platform/i18n/index.ts';
import { accountToken } from '../../../platform/requests/account-names.ts';
import { setListFilter } from '../../../platform/requests/request-filters.ts';
import { DEFAULT_MONITORING_SEARCH, type MonitoringSearch } from '../monitoring-search.ts';

const FIVE_MINUTES_MS = 300_000;

export type RelatedKind = 'trace' | 'account' | 'key' | 'model';

export interface Related {
  readonly kind: RelatedKind;
  readonly label: TextKey;
  readonly search: MonitoringSearch;
}

export interface RelatedCount {
  readonly calls: number;
  readonly failed: number;
}

/** Five minutes before and after a request. */
export const relatedRange = (event: EventRow): { readonly fromMs: number; readonly toMs: number } => ({
  fromMs: event.timestamp_ms - FIVE_MINUTES_MS,
  toMs: event.timestamp_ms + FIVE_MINUTES_MS,
});

/** The value of the account filter. */
export const accountOf = (event: EventRow): string =>
  event.account_snapshot || event.auth_label_snapshot || event.source || event.auth_index;

const modelOf = (event: EventRow): string => event.analytics_model || event.model;

export function relatedOf(event: EventRow): readonly Related[] {
  const around: MonitoringSearch = { ...DEFAULT_MONITORING_SEARCH, range: { name: 'custom', ...relatedRange(event) } };
  const everywhere: MonitoringSearch = {
    ...DEFAULT_MONITORING_SEARCH,
    range: { name: 'all', fromMs: null, toMs: null },
  };
  const account = accountOf(event);
  const model = modelOf(event);
  const trace = event.header_trace_id ?? '';
  const all: readonly (Related | null)[] = [
    account === ''
      ? null
      : {
          kind: 'account',
          label: 'related.account',
          search: setListFilter(around, 'account', [accountToken(account)]),
        },
    event.api_key_hash === ''
      ? null
      : { kind: 'key', label: 'related.key', search: setListFilter(around, 'api_key_hash', [event.api_key_hash]) },
    model === '' ? null : { kind: 'model', label: 'related.model', search: setListFilter(around, 'model', [model]) },
    trace === ''
      ? null
      : { kind: 'trace', label: 'related.trace', search: setListFilter(everywhere, 'header_trace_id', [trace]) },
  ];
  return all.filter((related) => related !== null);
}

/** Groups of requests around one, by what they share with it, from one answer. */
export function relatedCounts(answer: AnalyticsResponse, event: EventRow): Partial<Record<RelatedKind, RelatedCount>> {
  const account = accountOf(event).toLowerCase();
  const names = (row: NonNullable<AnalyticsResponse['account_stats']>[number]): readonly string[] =>
    [
      row.account_snapshot ?? '',
      row.auth_label_snapshot ?? '',
      ...(row.sources ?? []),
      ...(row.auth_indices ?? []),
    ].map((name) => name.toLowerCase());
  const sum = (
    rows: readonly { readonly calls: number; readonly failure_calls: number }[] | undefined,
  ): RelatedCount => ({
    calls: (rows ?? []).reduce((total, row) => total + row.calls, 0),
    failed: (rows ?? []).reduce((total, row) => total + row.failure_calls, 0),
  });
  return {
    account: sum(answer.account_stats?.filter((row) => names(row).includes(account))),
    key: sum(answer.api_key_stats?.filter((row) => row.api_key_hash === event.api_key_hash)),
    model: sum(answer.model_stats?.filter((row) => row.model === modelOf(event))),
  };
}
