import { ANALYTICS_PATH } from '@manager/core/contract/monitoring/analytics';
import { createAnalyticsClient } from '../../../../workers/analytics-client.ts';
import { dashboardRoutes } from '../../../dashboard/routes.ts';
import { monitoringRoutes } from '../../../monitoring/routes.ts';

/** Sections that list single raw events or report deleted ones. */
const OF_RAW_EVENTS = ['events', 'recent_failures', 'coverage', 'generated_at_ms'];

type Answer = Readonly<Record<string, unknown>>;

export interface AnalyticsAnswers {
  /** Everything that is counted, summed or ranked. */
  readonly sums: Answer;
  readonly events: readonly Answer[];
  readonly coverage: Answer | undefined;
}

/** The answers to the panel's requests for a range, with every section. */
export async function analyticsAnswers(
  databasePath: string,
  range: { readonly fromMs: number; readonly toMs: number },
): Promise<AnalyticsAnswers> {
  const analytics = createAnalyticsClient({ databasePath });
  const now = () => range.toMs;
  const monitoring = monitoringRoutes({ analytics });
  const ask = async (include: object, filters: object = {}): Promise<Answer> => {
    const response = await monitoring.request(ANALYTICS_PATH, {
      method: 'POST',
      body: JSON.stringify({ from_ms: range.fromMs, to_ms: range.toMs, now_ms: range.toMs, include, filters }),
    });
    if (response.status !== 200) throw new Error(await response.text());
    return (await response.json()) as Answer;
  };
  try {
    const all = {
      summary: true,
      summary_percentiles: true,
      summary_comparison: true,
      timeline: true,
      hourly_distribution: true,
      heatmap: true,
      anomaly_points: true,
      model_share: true,
      model_stats: true,
      channel_share: true,
      failure_sources: true,
      account_stats: true,
      credential_stats: true,
      credential_timeline: true,
      api_key_stats: true,
      task_buckets: true,
      filter_options: true,
    };
    const answers = [await ask(all), await ask(all, { providers: ['claude'] }), await ask({ filter_selectors: true })];
    const listed = await ask({ events_page: { limit: 500 }, recent_failures: 20 });
    const dashboard = await dashboardRoutes({ analytics, now }).request(
      `/v0/management/dashboard/summary?today_start_ms=${range.fromMs}&now_ms=${range.toMs}`,
    );
    const { events, coverage } = listed as {
      readonly events: { readonly items: readonly Answer[] };
      readonly coverage?: Answer;
    };
    return {
      sums: { answers: answers.map(sumsOf), dashboard: sumsOf((await dashboard.json()) as Answer) },
      events: events.items,
      coverage,
    };
  } finally {
    await analytics.close();
  }
}

function sumsOf(answer: Answer): Answer {
  const sums = Object.fromEntries(Object.entries(answer).filter(([name]) => !OF_RAW_EVENTS.includes(name)));
  const tasks = sums.task_buckets;
  // The key of a task has another form once the exact time text of its event is gone.
  return Array.isArray(tasks) ? { ...sums, task_buckets: tasks.map(({ bucket_key, ...task }) => task) } : sums;
}
