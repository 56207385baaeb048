/**
 * The newest event with response headers of each account, updated by every insert. A background job adds the events of an
 * existing database: the counter holds the highest event id that it has not processed.
 */
export const latestHeaderSnapshots = {
  name: '0002-latest-header-snapshots',
  sql: `
CREATE TABLE latest_header_snapshots (
  snapshot_key TEXT PRIMARY KEY,
  -- Time and id of the event: an older one that comes late never replaces a newer one.
  timestamp_ms INTEGER NOT NULL,
  event_id INTEGER NOT NULL,
  -- The raw row is where the headers are. Hundreds of these rows are written again with every batch, so they are small;
  -- only when the raw row is deleted its detail moves here.
  detail BLOB
);
CREATE INDEX latest_header_snapshots_event ON latest_header_snapshots (event_id);
CREATE TRIGGER latest_header_snapshots_outlive BEFORE DELETE ON usage_events BEGIN
  UPDATE latest_header_snapshots SET detail = OLD.detail WHERE event_id = OLD.id;
END;

INSERT INTO counters (name, value)
SELECT 'header_snapshots_pending_id', seq
FROM sqlite_sequence
WHERE name = 'usage_events';
`,
} as const;
