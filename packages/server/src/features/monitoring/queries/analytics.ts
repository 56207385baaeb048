import type { AnalyticsResponse } from '@manager/core/contract/monitoring/analytics';
import type { AnalyticsContext } from '../../../facts/context.ts';
import { type AnalyticsInput, type AnalyticsQuery, type IncludedSections, parseAnalyticsRequest } from '../request.ts';
import { readCoverage } from './coverage.ts';
import { jsonOf, type WrittenList } from './json/written-list.ts';
import { type AnalyticsAnswer, type AnalyticsPlan, createPlan, type Planned } from './plan.ts';
import { planAccountStats } from './sections/account-stats.ts';
import { anomalyPoints } from './sections/anomalies.ts';
import { planApiKeyStats } from './sections/api-key-stats.ts';
import { planBreakdown } from './sections/breakdown.ts';
import { failureSources, planChannelShare } from './sections/channels.ts';
import { accountStats } from './sections/credential-stats.ts';
import { planHeatmap, planHourlyDistribution } from './sections/distribution.ts';
import { planDrilldown, planEventsPage, planRecentFailures } from './sections/event-lists.ts';
import { planFilterOptions, planFilterValues } from './sections/filter-options.ts';
import { planFilterSelectors } from './sections/filter-selectors.ts';
import { planIdentityModels } from './sections/identity-models.ts';
import { modelShare, modelStats, planModels } from './sections/model-stats.ts';
import { planAccountTimeline, planApiKeyTimeline } from './sections/series.ts';
import { planComparison, planSummary } from './sections/summary.ts';
import { planTaskBuckets } from './sections/task-buckets.ts';
import { planTimeline, readGaps } from './sections/timeline.ts';

/** Returns the parts of the JSON body of one analytics request. All sections come from one read transaction. */
export function answerAnalytics(context: AnalyticsContext, input: AnalyticsInput): readonly Uint8Array<ArrayBuffer>[] {
  const query = 'query' in input ? input.query : parseAnalyticsRequest(input.body);
  // Written lists read the state of this one transaction.
  return context.facts.read((snapshot) => {
    const plan = createPlan(snapshot, query, context);
    const planned = SECTIONS.filter(({ isAsked }) => isAsked(query)).map(({ plan: section }) => section(plan));
    plan.run();
    const coverage = planned.length === 0 ? null : readCoverage(plan);
    const answer: AnalyticsAnswer = Object.assign(
      { generated_at_ms: context.now(), granularity: query.granularity, ...(coverage === null ? {} : { coverage }) },
      ...planned.map((read) => read()),
    );
    return jsonOf(answer);
  });
}

interface SectionEntry {
  readonly isAsked: (query: AnalyticsQuery) => boolean;
  readonly plan: (plan: AnalyticsPlan) => Planned;
}

/** Every section of an answer, in member order. An array without rows is left out. */
const SECTIONS: readonly SectionEntry[] = [
  {
    isAsked: ({ include }) => include.summary,
    plan: (plan) => {
      const summary = planSummary(plan);
      const comparison = plan.query.include.comparison ? planComparison(plan) : null;
      return () => ({ summary: summary(), ...(comparison === null ? {} : { summary_comparison: comparison() }) });
    },
  },
  {
    isAsked: ({ include }) => include.timeline || include.anomaly_points,
    plan: (plan) => {
      const { include } = plan.query;
      const timeline = planTimeline(plan);
      return () => {
        const points = timeline();
        return {
          ...(include.timeline ? { ...rows('gaps', readGaps(plan)), ...rows('timeline', points) } : {}),
          ...(include.anomaly_points ? rows('anomaly_points', anomalyPoints(points)) : {}),
        };
      };
    },
  },
  list('hourly_distribution', planHourlyDistribution),
  list('heatmap', planHeatmap),
  list('model_share', (plan) => {
    const models = planModels(plan, plan.range);
    return () => modelShare(models());
  }),
  list('model_stats', (plan) => {
    const models = planModels(plan, plan.range);
    return () => modelStats(models());
  }),
  list('channel_share', (plan) => planChannelShare(plan, plan.range)),
  list('failure_sources', (plan) => {
    const models = planIdentityModels(plan, plan.range);
    return () => failureSources(models());
  }),
  list('account_stats', (plan) => planAccountStats(plan, plan.range, plan.query.rows)),
  list('credential_stats', (plan) => {
    const models = planIdentityModels(plan, plan.range);
    return () => accountStats(models(), plan.snapshot.symbols, plan.query.rows);
  }),
  list('credential_timeline', planAccountTimeline),
  list('api_key_stats', (plan) => planApiKeyStats(plan, plan.range, plan.query.rows)),
  list('api_key_timeline', planApiKeyTimeline),
  {
    isAsked: ({ breakdown }) => breakdown !== null,
    plan: (plan) => {
      const { breakdown } = plan.query;
      const read = breakdown === null ? null : planBreakdown(plan, breakdown);
      return () => (read === null ? {} : { breakdown: read() });
    },
  },
  list('task_buckets', planTaskBuckets),
  {
    isAsked: ({ include }) => include.filter_selectors,
    plan: (plan) => {
      const selectors = planFilterSelectors(plan);
      return () => ({ filter_options: selectors() });
    },
  },
  {
    isAsked: ({ include }) => include.filter_options,
    plan: (plan) => {
      const options = planFilterOptions(plan);
      return () => ({ filter_options: options() });
    },
  },
  {
    isAsked: ({ include }) => include.filter_values,
    plan: (plan) => {
      const values = planFilterValues(plan);
      return () => ({ filter_options: values() });
    },
  },
  {
    isAsked: ({ recentFailures }) => recentFailures > 0,
    plan: (plan) => {
      const failures = planRecentFailures(plan, plan.query.recentFailures);
      return () => rows('recent_failures', failures());
    },
  },
  {
    isAsked: ({ eventsPage }) => eventsPage !== null,
    plan: (plan) => {
      const { eventsPage } = plan.query;
      const page = eventsPage === null ? null : planEventsPage(plan, plan.range, eventsPage);
      return () => (page === null ? {} : { events: page() });
    },
  },
  {
    isAsked: ({ drilldown }) => drilldown !== null,
    plan: (plan) => {
      const { drilldown } = plan.query;
      const preview = drilldown === null ? null : planDrilldown(plan, drilldown);
      return () => (preview === null ? {} : { drilldown_preview: preview() });
    },
  },
];

/** Sections that are one array. */
type ListName = keyof AnalyticsResponse & keyof IncludedSections;
type RowsOf<Name extends ListName | 'gaps' | 'recent_failures'> =
  NonNullable<AnalyticsResponse[Name]> extends readonly (infer Row)[] ? readonly Row[] | WrittenList<Row> : never;

/** Enabled by its name. */
function list<Name extends ListName>(name: Name, plan: (plan: AnalyticsPlan) => () => RowsOf<Name>): SectionEntry {
  return {
    isAsked: ({ include }) => include[name],
    plan: (shared) => {
      const read = plan(shared);
      return () => rows(name, read());
    },
  };
}

function rows<Name extends ListName | 'gaps' | 'recent_failures'>(
  name: Name,
  list: RowsOf<Name>,
): Partial<AnalyticsAnswer> {
  return list.length === 0 ? {} : { [name]: list };
}
