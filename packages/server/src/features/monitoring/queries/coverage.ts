import type { Coverage } from '@manager/core/contract/monitoring-sections';
import { type RawCoverage, rawCoverageSection } from '../../../facts/kernels/raw-coverage.ts';
import { createPass } from '../../../facts/sections.ts';
import type { AnalyticsQuery } from '../request.ts';
import type { AnalyticsPlan } from './plan.ts';
import { comparisonRange, rollingRange } from './sections/summary.ts';

interface Range {
  readonly fromMs: number;
  readonly toMs: number;
}
type AuxiliaryRange = NonNullable<Coverage['auxiliary_ranges']>[number];

/** A range of its own beside the one of the request. */
interface Auxiliary extends Range {
  readonly scope: AuxiliaryRange['scope'];
  readonly counts: RawCoverage;
}

/**
 * What of the answer rests on raw events that were deleted after a verified archive; null where nothing was deleted in any
 * range that was looked at. Counts are of all events of a range, whatever filters and search say. Facts outlive raw events,
 * so every sum stays exact and only the rows of events are limited; the other limitations are named for clients, which show
 * a notice.
 */
export function readCoverage(plan: AnalyticsPlan): Coverage | null {
  const { query, snapshot } = plan;
  if (snapshot.rawDeletions === 0) return null;
  const { include, drilldown } = query;
  const current = countsOf(plan, query);
  const compared = include.comparison ? comparisonRange(query) : null;
  const comparison = compared && countsOf(plan, compared);
  const auxiliary: Auxiliary[] = [];
  if (include.summary && !include.compact) {
    const range = rollingRange(plan);
    auxiliary.push({ scope: 'rolling_30m', ...range, counts: countsOf(plan, range) });
  }
  if (drilldown !== null) {
    auxiliary.push({ scope: 'drilldown_preview', ...drilldown, counts: countsOf(plan, drilldown) });
  }

  const evaluated = [current, ...(comparison === null ? [] : [comparison]), ...auxiliary.map(({ counts }) => counts)];
  if (evaluated.every(({ deleted }) => deleted === 0)) return null;
  const previewed = auxiliary.find(({ scope }) => scope === 'drilldown_preview');
  return {
    scope: auxiliary.length > 0 ? 'requested_ranges' : 'time_range',
    mode: evaluated.some(({ live }) => live > 0) ? 'mixed' : 'aggregate_only',
    raw_complete: false,
    core_aggregate_used: usesSums(query),
    ...countMember('raw_event_count', current.live),
    raw_deleted_event_count: current.deleted,
    min_deleted_timestamp_ms: current.deleted > 0 ? current.minDeletedMs : 0,
    max_deleted_timestamp_ms: current.deleted > 0 ? current.maxDeletedMs : 0,
    ...(comparison === null ? {} : comparisonMembers(comparison)),
    ...(auxiliary.length === 0 ? {} : { auxiliary_ranges: auxiliary.map(auxiliaryMember) }),
    fidelity_limitations: limitations(query, current.deleted > 0, (previewed?.counts.deleted ?? 0) > 0),
  };
}

function countsOf({ snapshot, context }: AnalyticsPlan, { fromMs, toMs }: Range): RawCoverage {
  const everything = { fromMs, toMs, filters: null, search: { query: '', apiKeyHash: '' } };
  const pass = createPass(snapshot, everything, context.checkStopped);
  const counts = pass.add(rawCoverageSection(snapshot.rawDeletions));
  pass.run();
  return counts();
}

function usesSums({ include }: AnalyticsQuery): boolean {
  return include.summary || include.model_stats || include.model_share || include.timeline || include.anomaly_points;
}

/** In the order of the contract. Those about sums without derived data never apply: there always is derived data. */
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

function comparisonMembers({ live, deleted, minDeletedMs, maxDeletedMs }: RawCoverage) {
  return {
    ...countMember('comparison_raw_event_count', live),
    ...countMember('comparison_raw_deleted_event_count', deleted),
    ...(deleted > 0
      ? { comparison_min_deleted_timestamp_ms: minDeletedMs, comparison_max_deleted_timestamp_ms: maxDeletedMs }
      : {}),
  };
}

function auxiliaryMember({ scope, fromMs, toMs, counts }: Auxiliary): AuxiliaryRange {
  const { live, deleted, minDeletedMs, maxDeletedMs } = counts;
  return {
    scope,
    from_ms: fromMs,
    to_ms: toMs,
    ...countMember('raw_event_count', live),
    raw_deleted_event_count: deleted,
    ...(deleted > 0 ? { min_deleted_timestamp_ms: minDeletedMs, max_deleted_timestamp_ms: maxDeletedMs } : {}),
  };
}

function countMember<Name extends string>(name: Name, count: number): { readonly [Key in Name]?: number } {
  return count === 0 ? {} : ({ [name]: count } as { readonly [Key in Name]: number });
}
