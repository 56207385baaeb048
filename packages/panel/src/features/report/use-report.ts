import type { AnalyticsRequest, AnalyticsResponse, FilterOptions } from '@manager/core/contract/monitoring/analytics';
import type { BreakdownMeasure } from '@manager/core/contract/monitoring/breakdown';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { isUnsupported } from '../../platform/api/data-source.ts';
import { useServices } from '../../platform/api/services.ts';
import { type ResolvedRange, resolveCompare } from '../../platform/range/range.ts';
import { accountName, isAccountToken, rememberAccounts } from '../../platform/requests/account-names.ts';
import { toFilters } from '../../platform/requests/request-filters.ts';
import { type Period, type ResolvedPeriod, resolvePeriod } from './period.ts';
import { type ReportMeasure, type ReportSearch, requestFiltersOf } from './report-search.ts';

const REFRESH_MS = 5 * 60_000;

const ORDERS: Readonly<Record<ReportMeasure, BreakdownMeasure>> = {
  cost: 'cost',
  requests: 'calls',
  tokens: 'total_tokens',
};

/** A report whose period is known. */
export type OpenReport = ReportSearch & { readonly period: Period };

/** An answer with its request: numbers on screen belong to these instants, not to now. */
export interface Reported {
  readonly answer: AnalyticsResponse;
  readonly search: OpenReport;
  readonly range: ResolvedPeriod;
  /** Days of the range compared with; null without one. */
  readonly before: ReportedBefore | null;
  readonly nowMs: number;
}

interface ReportedBefore {
  readonly answer: AnalyticsResponse;
  readonly fromMs: number;
  readonly toMs: number;
}

type Span = Pick<ResolvedRange, 'fromMs' | 'toMs'>;

/** The days of a range, and its breakdown where it is that of the report. */
function daysRequest({ zone, filters }: ReportSearch, { fromMs, toMs }: Span, nowMs: number): AnalyticsRequest {
  const accounts = filters.account.map((token) => accountName(token) ?? token);
  return {
    from_ms: Math.floor(fromMs),
    to_ms: Math.ceil(toMs),
    now_ms: Math.floor(nowMs),
    time_zone: zone,
    filters: toFilters(requestFiltersOf(filters), accounts),
    include: { timeline: true, granularity: 'day' },
  };
}

function reportRequest(
  search: ReportSearch,
  range: ResolvedPeriod,
  before: Span | null,
  nowMs: number,
): AnalyticsRequest {
  const { by, parts, measure } = search;
  const request = daysRequest(search, range, nowMs);
  const compared =
    before === null ? {} : { compare_from_ms: Math.floor(before.fromMs), compare_to_ms: Math.ceil(before.toMs) };
  return {
    ...request,
    include: {
      ...request.include,
      // A running month has a forecast of each row.
      breakdown: { by, parts, order: ORDERS[measure], days: range.moving && range.month === true, ...compared },
    },
  };
}

/**
 * The report, repeated every five minutes while its period is running: it may be long.
 *
 * @param enabled false while filters of the address are not known yet
 */
export function useReport(search: OpenReport, enabled: boolean) {
  const { manager, client } = useServices();
  const { moving } = resolvePeriod(search.period, client.now(), search.zone);
  return useQuery({
    queryKey: ['analytics', 'report', search],
    enabled,
    queryFn: async ({ signal }): Promise<Reported> => {
      const nowMs = client.now();
      const range = resolvePeriod(search.period, nowMs, search.zone);
      const span = resolveCompare({ kind: 'previous' }, range, search.zone);
      const [answer, before] = await Promise.all([
        manager.analytics(reportRequest(search, range, span, nowMs), signal),
        // Only the line of the chart needs it: the rest is right without it.
        span === null ? null : manager.analytics(daysRequest(search, span, nowMs), signal).catch(() => null),
      ]);
      return {
        answer,
        search,
        range,
        before: span === null || before === null ? null : { answer: before, fromMs: span.fromMs, toMs: span.toMs },
        nowMs,
      };
    },
    staleTime: 10_000,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (moving && !isUnsupported(state.error) ? REFRESH_MS : false),
  });
}

interface ReportOptions {
  readonly selectors: FilterOptions | undefined;
  /** The address has accounts whose names are not known yet. */
  readonly waiting: boolean;
}

/** What the filters offer: values of the period. */
export function useReportOptions({ period, zone, filters }: OpenReport, isOpen: boolean): ReportOptions {
  const { manager, client } = useServices();
  const unknown = filters.account.some((token) => isAccountToken(token) && accountName(token) === undefined);
  const query = useQuery({
    queryKey: ['analytics', 'report-selectors', period, zone],
    queryFn: async ({ signal }): Promise<FilterOptions | undefined> => {
      const nowMs = client.now();
      const { fromMs, toMs } = resolvePeriod(period, nowMs, zone);
      const { filter_options: options } = await manager.analytics(
        {
          from_ms: Math.floor(fromMs),
          to_ms: Math.ceil(toMs),
          now_ms: Math.floor(nowMs),
          time_zone: zone,
          include: { filter_selectors: true },
        },
        signal,
      );
      rememberAccounts(options?.accounts ?? []);
      return options;
    },
    enabled: isOpen || unknown,
    staleTime: 60_000,
    placeholderData: keepPreviousData,
  });
  return { selectors: query.data, waiting: unknown && query.isLoading };
}
