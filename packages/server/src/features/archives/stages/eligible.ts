/**
 * Scalar SQL: `event`, a row of `usage_events`, may be taken into an archive: it is older than `$cutoff` and in no archive yet.
 * A time before 1970 has no place in a record of an archive; such an event stays where it is.
 */
export const IS_ELIGIBLE = `
  event.timestamp_ms < $cutoff
  AND event.timestamp_ms > 0
  AND NOT EXISTS (SELECT 1 FROM usage_archive_event_refs AS ref WHERE ref.raw_event_id = event.id)`;
