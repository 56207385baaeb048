import type { AnalyticsResponse } from '@manager/core/contract/monitoring';
import { Transfer } from '../../../db/worker/transfer.ts';
import type { AnalyticsContext } from '../../../facts/operations.ts';
import { type AnalyticsInput, type AnalyticsQuery, parseAnalyticsRequest } from '../request.ts';
import { readEventsPage } from './events-page.ts';
import { readFilterSelectors } from './filter-selectors.ts';
import { type AnalyticsPlan, createPlan, type Planned } from './plan.ts';
import { modelShare, modelStats, planModels } from './sections/model-stats.ts';

/** Answers one analytics question with its JSON body. All sections come from one read transaction. */
export function answerAnalytics(context: AnalyticsContext, input: AnalyticsInput): Transfer<Uint8Array<ArrayBuffer>> {
  const query = 'query' in input ? input.query : parseAnalyticsRequest(input.body);
  const response = context.facts.read((snapshot): AnalyticsResponse => {
    const plan = createPlan(snapshot, query, context);
    const planned = SECTIONS.filter(({ isAsked }) => isAsked(query)).map(({ plan: section }) => section(plan));
    plan.run();
    return Object.assign(
      { generated_at_ms: context.now(), granularity: query.granularity },
      ...planned.map((read) => read()),
    );
  });
  const body = new TextEncoder().encode(JSON.stringify(response));
  return new Transfer(body, [body.buffer]);
}

interface SectionEntry {
  readonly isAsked: (query: AnalyticsQuery) => boolean;
  readonly plan: (plan: AnalyticsPlan) => Planned;
}

/** Every section of an answer, in the order of its members. An array without rows is left out. */
const SECTIONS: readonly SectionEntry[] = [
  {
    isAsked: ({ include }) => include.model_share,
    plan: (plan) => {
      const models = planModels(plan, plan.range);
      return () => rows('model_share', modelShare(models()));
    },
  },
  {
    isAsked: ({ include }) => include.model_stats,
    plan: (plan) => {
      const models = planModels(plan, plan.range);
      return () => rows('model_stats', modelStats(models()));
    },
  },
  {
    isAsked: ({ eventsPage }) => eventsPage !== null,
    plan: ({ snapshot, query, context }) => {
      const page = query.eventsPage;
      return () => (page === null ? {} : { events: readEventsPage(snapshot, query, page, context) });
    },
  },
  {
    isAsked: ({ include }) => include.filter_selectors,
    plan:
      ({ snapshot, query, context }) =>
      () => ({ filter_options: readFilterSelectors(snapshot, query, context.checkStopped) }),
  },
];

function rows<Name extends keyof AnalyticsResponse>(
  name: Name,
  list: NonNullable<AnalyticsResponse[Name]> & readonly unknown[],
): Partial<AnalyticsResponse> {
  return list.length === 0 ? {} : { [name]: list };
}
