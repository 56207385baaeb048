import type { EventsPage } from '@manager/core/contract/monitoring';
import { scan, withoutDeleted } from '../../../facts/kernels/selection.ts';
import { createTopEvents } from '../../../facts/kernels/top.ts';
import type { AnalyticsContext } from '../../../facts/operations.ts';
import { compileQuery } from '../../../facts/query.ts';
import type { FactSnapshot } from '../../../facts/reader.ts';
import { readEvents } from '../../../facts/stored-events.ts';
import { eventRow } from '../event-row.ts';
import type { AnalyticsQuery, EventsPageQuery } from '../request.ts';

/** One page of event rows, newest first, and the count of all matches. Events without their raw row are in neither. */
export function readEventsPage(
  snapshot: FactSnapshot,
  query: AnalyticsQuery,
  page: EventsPageQuery,
  context: AnalyticsContext,
): EventsPage {
  const top = createTopEvents(page.limit + 1, page.cursor);
  let totalCount = 0;
  scan(snapshot.chunks, compileQuery(snapshot, query), context.checkStopped, (chunk, selected) => {
    const live = withoutDeleted(chunk, selected);
    totalCount += live.count;
    top.offer(chunk, live);
  });
  const found = top.result();
  const shown = found.slice(0, page.limit);
  const last = found.length > page.limit ? shown.at(-1) : undefined;
  return {
    items: readEvents(snapshot, shown, context, eventRow),
    next_before_ms: last?.timestampMs ?? 0,
    next_before_id: last?.eventId ?? 0,
    has_more: last !== undefined,
    total_count: totalCount,
  };
}
