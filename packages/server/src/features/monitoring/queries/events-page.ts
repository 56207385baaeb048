import type { EventRow, EventsPage } from '@manager/core/contract/monitoring';
import { scan, withoutDeleted } from '../../../facts/kernels/selection.ts';
import { createTopEvents, type EventPosition } from '../../../facts/kernels/top.ts';
import type { AnalyticsContext } from '../../../facts/operations.ts';
import { compileQuery } from '../../../facts/query.ts';
import type { FactSnapshot } from '../../../facts/reader.ts';
import { eventRow } from '../event-row.ts';
import type { AnalyticsQuery, EventsPageQuery } from '../request.ts';

/** Details read by one statement. */
const DETAIL_BATCH = 500;

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
    items: readRows(snapshot, shown, context),
    next_before_ms: last?.timestampMs ?? 0,
    next_before_id: last?.eventId ?? 0,
    has_more: last !== undefined,
    total_count: totalCount,
  };
}

function readRows(snapshot: FactSnapshot, positions: readonly EventPosition[], context: AnalyticsContext): EventRow[] {
  // Reads by the primary key.
  const details = snapshot.db.query<{ id: number; detail: Uint8Array }, [string]>(
    `SELECT id, detail
     FROM usage_events
     WHERE id IN (SELECT value FROM json_each(?))`,
  );
  const rows: EventRow[] = [];
  for (let from = 0; from < positions.length; from += DETAIL_BATCH) {
    context.checkStopped();
    const ids = positions.slice(from, from + DETAIL_BATCH).map((position) => position.eventId);
    const byId = new Map(details.all(JSON.stringify(ids)).map((row) => [row.id, row.detail]));
    for (const id of ids) {
      const detail = byId.get(id);
      if (detail !== undefined) rows.push(eventRow(context.decode(detail)));
    }
  }
  return rows;
}
