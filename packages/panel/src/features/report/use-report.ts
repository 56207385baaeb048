import type { AnalyticsRequest, AnalyticsResponse } from '@manager/core/contract/monitoring/analytics';
import type { BreakdownMeasure } from '@manager/core/contract/monitoring/breakdown';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { isUnsupported } from '../../platform/api/data-source.ts';
import { useServices } from '../../platform/api/services.ts';
import { resolveCompare } from '../../platform/range/range.ts';
import { type Period, type ResolvedPeriod, resolvePeriod } from './period.ts';
import type { ReportMeasure, ReportSearch } from './report-search.ts';

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
  readonly nowMs: number;
}

/** The breakdown of the period, and its days where a forecast is made from them. */
function reportRequest(
  { by, parts, measure, zone }: ReportSearch,
  range: ResolvedPeriod,
  nowMs: number,
): AnalyticsRequest {
  const compared = resolveCompare({ kind: 'previous' }, range, zone);
  const isForecast = range.moving && range.month === true;
  return {
    from_ms: range.fromMs,
    to_ms: Math.ceil(range.toMs),
    now_ms: Math.floor(nowMs),
    time_zone: zone,
    include: {
      breakdown: {
        by,
        parts,
        order: ORDERS[measure],
        ...(compared === null
          ? {}
          : { compare_from_ms: Math.floor(compared.fromMs), compare_to_ms: Math.ceil(compared.toMs) }),
      },
      ...(isForecast ? { timeline: true, granularity: 'day' } : {}),
    },
  };
}

/** One request for the whole page, repeated every five minutes while its period is running: it may be long. */
export function useReport(search: OpenReport) {
  const { manager, client } = useServices();
  const { moving } = resolvePeriod(search.period, client.now(), search.zone);
  return useQuery({
    queryKey: ['analytics', 'report', search],
    queryFn: async ({ signal }): Promise<Reported> => {
      const nowMs = client.now();
      const range = resolvePeriod(search.period, nowMs, search.zone);
      const answer = await manager.analytics(reportRequest(search, range, nowMs), signal);
      return { answer, search, range, nowMs };
    },
    staleTime: 10_000,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (moving && !isUnsupported(state.error) ? REFRESH_MS : false),
  });
}
