import type { Database } from 'bun:sqlite';
import { type HeaderSnapshot, type HeaderSnapshots, isNewer } from '../ingest/header-snapshots.ts';

/**
 * The newest header snapshots equal a recount of the raw events; a newer one may have lost its raw row, then it has the
 * detail itself.
 *
 * @param recount of the raw events that the table covers
 */
export function checkHeaderSnapshots(db: Database, recount: HeaderSnapshots): string[] {
  const stored = db
    .query<HeaderSnapshot & { readonly raw: number; readonly kept: number }, []>(
      `SELECT
         snapshot_key AS key,
         timestamp_ms AS timestampMs,
         event_id AS eventId,
         event_id IN (SELECT id FROM usage_events) AS raw,
         detail IS NOT NULL AS kept
       FROM latest_header_snapshots`,
    )
    .all();
  const byKey = new Map(stored.map((row) => [row.key, row]));
  const expected = recount.rows();
  const newest = new Set(expected.map(({ eventId }) => eventId));
  return [
    ...expected
      .filter((row) => isMissing(row, byKey.get(row.key)))
      .map(({ eventId }) => `newest headers: those of event ${eventId} are missing`),
    ...stored
      .filter(({ raw, eventId }) => raw === 1 && !newest.has(eventId))
      .map(({ eventId }) => `newest headers: event ${eventId} is not the newest of its credential`),
    ...stored
      .filter(({ raw, kept }) => raw === kept)
      .map(({ eventId }) => `newest headers: event ${eventId} has its detail twice or not at all`),
  ];
}

function isMissing(expected: HeaderSnapshot, stored: HeaderSnapshot | undefined): boolean {
  return stored === undefined || isNewer(expected, stored);
}
