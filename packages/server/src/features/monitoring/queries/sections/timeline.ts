import type { TimelineGap, TimelinePoint } from '@manager/core/contract/monitoring/sections';
import { collectionGapsIn } from '../../../../events/collection-gaps.ts';
import { type Percentiles, percentilesByGroup, percentilesSection } from '../../../../facts/kernels/percentiles.ts';
import { groupTotals, type Totals, totalsSection } from '../../../../facts/kernels/totals.ts';
import { averageLatency, cacheHitRate, costMember, ratio, tokenMembers } from '../../../../facts/ratios.ts';
import { type TimeBuckets, timeBuckets } from '../buckets.ts';
import type { AnalyticsPlan } from '../plan.ts';

const NO_PERCENTILES: Percentiles = { latencyMs: null, ttftMs: null };

/** @returns one point per bucket with an event, ascending */
export function planTimeline({ range, query, pricer }: AnalyticsPlan): () => TimelinePoint[] {
  const buckets = timeBuckets(query);
  const totals = range.add(totalsSection([buckets.dimension], pricer));
  const percentiles = range.add(percentilesSection(buckets.dimension));
  return () => {
    const groups = groupTotals(totals());
    buckets.checkCount(groups.length);
    const percentilesOf = percentilesByGroup(percentiles());
    return groups
      .map((group) => {
        const startMs = group.values[0]?.[0] ?? 0;
        return timelinePoint(buckets, startMs, group.totals, percentilesOf.get(startMs) ?? NO_PERCENTILES);
      })
      .sort((left, right) => left.bucket_ms - right.bucket_ms);
  };
}

/** Gaps: their buckets look empty or low for another reason than few requests. */
export function readGaps({ snapshot, query }: AnalyticsPlan): TimelineGap[] {
  return collectionGapsIn(snapshot.db, query.fromMs, query.toMs);
}

function timelinePoint(buckets: TimeBuckets, startMs: number, totals: Totals, percentiles: Percentiles): TimelinePoint {
  const { calls, failures, totalTokens } = totals;
  return {
    bucket_ms: startMs,
    bucket_end_ms: buckets.endOf(startMs),
    label: buckets.label(startMs),
    calls,
    tokens: totalTokens,
    success: calls - failures,
    failure: failures,
    ...tokenMembers(totals),
    cache_hit_rate: cacheHitRate(totals),
    reasoning_tokens: totals.reasoningTokens,
    total_tokens: totalTokens,
    ...costMember(totals),
    average_latency_ms: averageLatency(totals),
    p95_latency_ms: percentiles.latencyMs,
    p95_ttft_ms: percentiles.ttftMs,
    success_rate: ratio(calls - failures, calls),
    failure_rate: ratio(failures, calls),
  };
}
