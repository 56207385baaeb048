import type { Database } from 'bun:sqlite';
import { eventDecoder } from '../../../events/detail/event-decoder.ts';
import type { StoredEvent } from '../files/segment-writer.ts';
import { IS_ELIGIBLE } from './eligible.ts';

/** Rows per read: no statement stays open while a file is written. */
const PAGE_ROWS = 200;

/** By the primary key. */
export const EVENTS_SQL = `
SELECT event.id, event.detail
FROM usage_events AS event
WHERE event.id > $after
  AND event.id <= $target
  AND ${IS_ELIGIBLE}
ORDER BY event.id
LIMIT ${PAGE_ROWS}`;

/** The next events for a run, in id order. */
export function readEligibleEvents(
  db: Database,
  run: { readonly cutoffMs: number; readonly targetEventId: number },
): (afterId: number) => readonly StoredEvent[] {
  const decode = eventDecoder(db);
  const page = db.query<{ id: number; detail: Uint8Array }, [Record<string, number>]>(EVENTS_SQL);
  return (afterId) =>
    page
      .all({ after: afterId, target: run.targetEventId, cutoff: run.cutoffMs })
      .map(({ id, detail }) => ({ id, read: () => decode(detail) }));
}
