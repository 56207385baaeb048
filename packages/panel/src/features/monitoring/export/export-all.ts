import type { AnalyticsRequest, AnalyticsResponse, EventRow } from '@manager/core/contract/monitoring/analytics';
import type { EventsQuery } from '../list/use-events.ts';

/** Maximum rows of a file. */
export const MAX_EXPORTED_ROWS = 50_000;
/** Rows per request: some megabytes. */
const PAGE = 2_500;

/** All matching rows, newest first, page by page; the range is fixed meanwhile. */
export async function collectEvents(options: {
  readonly ask: (request: AnalyticsRequest) => Promise<AnalyticsResponse>;
  readonly query: EventsQuery;
  /** Rows so far, and expected rows. */
  readonly onProgress: (done: number, total: number) => void;
  readonly most?: number;
  readonly page?: number;
}): Promise<readonly EventRow[]> {
  const { ask, query, onProgress, most = MAX_EXPORTED_ROWS, page = PAGE } = options;
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
