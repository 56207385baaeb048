import type { AnalyticsRequest } from '@manager/core/contract/monitoring/analytics';

const DAY_MS = 86_400_000;

/** What the dashboard and the list of requests ask, of one day. */
export function firstQuestions(nowMs: number) {
  const list: AnalyticsRequest = {
    from_ms: nowMs - DAY_MS,
    to_ms: nowMs,
    now_ms: nowMs,
    include: { summary: true, summary_profile: 'compact', summary_percentiles: true, events_page: { limit: 500 } },
  };
  return [
    ['dashboard', { todayStartMs: nowMs - (nowMs % DAY_MS), nowMs, topModels: 5, recentFailures: 5 }],
    ['analytics', { body: JSON.stringify(list) }],
  ] as const;
}
