import type { UsageEvent } from '@manager/core/usage/event';
import type { AnalyticsContext } from './context.ts';
import type { EventPosition } from './kernels/top.ts';
import type { FactSnapshot } from './reader.ts';

/** Details per statement. */
const DETAIL_BATCH = 500;

/**
 * Raw events in the given order; deleted ones are left out. Only the rows are kept, not the events.
 *
 * @param withRaw whether rows need the original item
 */
export function readEvents<Row>(
  snapshot: FactSnapshot,
  positions: readonly Pick<EventPosition, 'eventId'>[],
  context: Pick<AnalyticsContext, 'checkStopped' | 'decode'>,
  toRow: (event: UsageEvent, eventId: number) => Row,
  withRaw = false,
): Row[] {
  // Reads by the primary key.
  const details = snapshot.db.query<{ id: number; detail: Uint8Array }, [string]>(
    `SELECT id, detail
     FROM usage_events
     WHERE id IN (SELECT value FROM json_each(?))`,
  );
  const rows: Row[] = [];
  for (let from = 0; from < positions.length; from += DETAIL_BATCH) {
    context.checkStopped();
    const ids = positions.slice(from, from + DETAIL_BATCH).map((position) => position.eventId);
    const byId = new Map(details.all(JSON.stringify(ids)).map((row) => [row.id, row.detail]));
    for (const id of ids) {
      const detail = byId.get(id);
      if (detail !== undefined) rows.push(toRow(context.decode(detail, withRaw), id));
    }
  }
  return rows;
}
