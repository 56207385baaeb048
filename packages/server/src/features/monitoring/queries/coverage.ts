import type { Coverage } from '@manager/core/contract/monitoring/sections';
import { type Auxiliary, countRaw, coverageOf, type Range } from '../../../facts/answers/coverage-object.ts';
import type { AnalyticsQuery } from '../request.ts';
import type { AnalyticsPlan } from './plan.ts';
import { comparisonRange, rollingRange } from './sections/summary.ts';

/**
 * The part of the answer that comes from raw events that were deleted after a verified archive; null when none was deleted in
 * any range. Counts are of all events of a range, ignoring filters and search. Facts outlive raw events, so every sum stays
 * exact and only the rows of events are limited; the other limitations are listed for clients, which show a notice.
 */
export function readCoverage(plan: AnalyticsPlan): Coverage | null {
  const { query, snapshot, context } = plan;
  if (snapshot.rawDeletions === 0) return null;
  const { include, drilldown } = query;
  const counted = (range: Range) => countRaw(snapshot, range, context.checkStopped);
  const current = counted(query);
  const compared = query.breakdown?.compare ?? (include.comparison ? comparisonRange(query) : null);
  const auxiliary: Auxiliary[] = [];
  if (include.summary && !include.compact) {
    const range = rollingRange(plan);
    auxiliary.push({ scope: 'rolling_30m', ...range, counts: counted(range) });
  }
  if (drilldown !== null) auxiliary.push({ scope: 'drilldown_preview', ...drilldown, counts: counted(drilldown) });
  const previewed = auxiliary.find(({ scope }) => scope === 'drilldown_preview');
  return coverageOf({
    current,
    comparison: compared && counted(compared),
    auxiliary,
    usesSums: usesSums(query),
    limitations: () => limitations(query, current.deleted > 0, (previewed?.counts.deleted ?? 0) > 0),
  });
}

function usesSums({ include, breakdown }: AnalyticsQuery): boolean {
  return (
    include.summary ||
    include.model_stats ||
    include.model_share ||
    include.timeline ||
    include.anomaly_points ||
    breakdown !== null
  );
}

/** In the order of the contract. Those about sums without derived data never apply: derived data always exists. */
function limitations(query: AnalyticsQuery, inRange: boolean, inPreview: boolean): string[] {
  const { include } = query;
  const events = 'event_details_require_raw_events';
  const rules: readonly (readonly [boolean, string])[] = [
    [include.summary && (!include.compact || include.percentiles), 'extended_summary_metrics_require_raw_events'],
    [include.timeline || include.anomaly_points, 'timeline_latency_percentiles_require_raw_events'],
    [include.hourly_distribution || include.heatmap || include.task_buckets, 'distribution_metrics_require_raw_events'],
    [include.failure_sources || query.recentFailures > 0, 'failure_metrics_require_raw_events'],
    [
      include.credential_stats || include.credential_timeline || include.api_key_timeline,
      'credential_metrics_require_raw_events',
    ],
    [query.eventsPage !== null, events],
  ];
  const named = inRange ? rules.filter(([applies]) => applies).map(([, name]) => name) : [];
  return inPreview && !named.includes(events) ? [...named, events] : named;
}
