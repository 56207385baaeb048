/**
 * Scalar SQL: `event`, a row of `usage_events`, may be archived: it is older than `$cutoff` and in no archive yet. An archive
 * record cannot have a time before 1970; such an event stays.
 */
export const IS_ELIGIBLE = `
  event.timestamp_ms < $cutoff
  AND event.timestamp_ms > 0
  AND NOT EXISTS (SELECT 1 FROM usage_archive_event_refs AS ref WHERE ref.raw_event_id = event.id)`;
