import type { Database } from 'bun:sqlite';
import { eventDecoder } from '../../../events/detail/event-decoder.ts';

/** Whether this manager was collecting, without a gap, at a time in ms. */
export type WasCollecting = (timestampMs: number) => boolean;

/**
 * From the arrival of the first event to the collector's last heartbeat, without the gaps. Always false when this manager has
 * never collected.
 */
export function collectedTimes(db: Database): WasCollecting {
  const first = db.query<{ detail: Uint8Array }, []>('SELECT detail FROM usage_events ORDER BY id LIMIT 1').get();
  const alive = db
    .query<{ at: number }, []>("SELECT updated_at_ms AS at FROM settings WHERE key = 'collector_heartbeat'")
    .get();
  if (first === null || alive === null) return () => false;
  const fromMs = eventDecoder(db)(first.detail, { raw: false }).created_at_ms;
  const gaps = db
    .query<{ from_ms: number; to_ms: number | null }, []>('SELECT from_ms, to_ms FROM collection_gaps')
    .all();
  return (at) =>
    at >= fromMs && at <= alive.at && !gaps.some((gap) => at >= gap.from_ms && (gap.to_ms === null || at < gap.to_ms));
}
