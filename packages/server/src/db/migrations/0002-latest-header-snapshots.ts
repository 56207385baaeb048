/**
 * The newest response headers of each credential, kept up to date by every insert. Events of a database that exists already
 * are taken in by a background job: the counter holds the highest event id it has not looked at.
 */
export const latestHeaderSnapshots = {
  name: '0002-latest-header-snapshots',
  sql: `
CREATE TABLE latest_header_snapshots (
  snapshot_key TEXT PRIMARY KEY,
  -- Time and id of the event: an older one that comes late never replaces a newer one.
  timestamp_ms INTEGER NOT NULL,
  event_id INTEGER NOT NULL,
  -- What an answer shows of the event, JSON: it outlives the raw row.
  item TEXT NOT NULL
) WITHOUT ROWID;

INSERT INTO counters (name, value)
SELECT 'header_snapshots_pending_id', seq
FROM sqlite_sequence
WHERE name = 'usage_events';
`,
} as const;
