import type { AnalyticsRequest, AnalyticsResponse, EventRow } from '@manager/core/contract/monitoring/analytics';
import type { EventsQuery } from '../list/use-events.ts';

/** More rows than this go into no file. */
export const MOST_EXPORTED = 50_000;
/** Rows asked for at a time: some megabytes. */
const PAGE = 2_500;

/** All rows of a question, newest first, page by page; the range stands still meanwhile. */
export async function collectEvents(options: {
  readonly ask: (request: AnalyticsRequest) => Promise<AnalyticsResponse>;
  readonly query: EventsQuery;
  /** Rows so far, and rows that there will be. */
  readonly onProgress: (done: number, total: number) => void;
  readonly most?: number;
  readonly page?: number;
}): Promise<readonly EventRow[]> {
  const { ask, query, onProgress, most = MOST_EXPORTED, page = PAGE } = options;
  const rows: EventRow[] = [];
  let cursor: { readonly before_ms: number; readonly before_id: number } | null = null;
  for (;;) {
    const limit = Math.min(page, most - rows.length);
    const answer: AnalyticsResponse = await ask({ ...query, include: { events_page: { limit, ...cursor } } });
    const { events } = answer;
    if (events === undefined) return rows;
    rows.push(...events.items);
    onProgress(rows.length, Math.min(most, events.total_count));
    if (!events.has_more || rows.length >= most) return rows;
    cursor = { before_ms: events.next_before_ms, before_id: events.next_before_id };
  }
}
