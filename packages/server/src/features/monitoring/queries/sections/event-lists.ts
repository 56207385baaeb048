import type { EventsPage, FailureRow } from '@manager/core/contract/monitoring/analytics';
import { eventRow, failureRow } from '../../../../facts/answers/event-row.ts';
import { newestEventsSection } from '../../../../facts/kernels/newest-events.ts';
import type { Scan } from '../../../../facts/scan.ts';
import { readEvents } from '../../../../facts/stored-events.ts';
import type { EventsPageQuery } from '../../request.ts';
import type { AnalyticsPlan } from '../plan.ts';

/** One page of event rows, newest first, and the count of all matches. Events without a raw row are in neither. */
export function planEventsPage(
  { snapshot, context }: Pick<AnalyticsPlan, 'snapshot' | 'context'>,
  scan: Scan,
  { limit, cursor }: EventsPageQuery,
): () => EventsPage {
  const read = scan.add(newestEventsSection(limit + 1, cursor, snapshot.rawDeletions));
  return () => {
    const { count, top } = read();
    const found = top.result();
    const shown = found.slice(0, limit);
    const last = found.length > limit ? shown.at(-1) : undefined;
    return {
      items: readEvents(snapshot, shown, context, eventRow, true),
      next_before_ms: last?.timestampMs ?? 0,
      next_before_id: last?.eventId ?? 0,
      has_more: last !== undefined,
      total_count: count,
    };
  };
}

/** The newest events of a separate range; its count is that of the rows. */
export function planDrilldown(
  plan: AnalyticsPlan,
  { fromMs, toMs, limit }: { readonly fromMs: number; readonly toMs: number; readonly limit: number },
): () => EventsPage {
  const page = planEventsPage(plan, plan.over(fromMs, toMs), { limit, cursor: null });
  return () => {
    const preview = page();
    return { ...preview, total_count: preview.items.length };
  };
}

/** The newest failures, ignoring the request's own failure filters. */
export function planRecentFailures({ snapshot, context, failures }: AnalyticsPlan, limit: number): () => FailureRow[] {
  const read = failures().add(newestEventsSection(limit, null, snapshot.rawDeletions));
  return () => readEvents(snapshot, read().top.result(), context, failureRow);
}
