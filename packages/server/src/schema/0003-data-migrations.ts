/**
 * Changes of stored rows whose number grows with the history: done in the background, 1,000 events per transaction. A database
 * that has events at this step was written by an earlier version and is scanned once; a new one needs no scan.
 */
export const dataMigrations = {
  name: '0003-data-migrations',
  sql: `
CREATE TABLE usage_data_migrations (
  name TEXT PRIMARY KEY,
  status TEXT NOT NULL,
  -- Events up to this id were looked at; while the target is being looked for, events from this id on.
  last_event_id INTEGER NOT NULL,
  target_event_id INTEGER NOT NULL,
  processed_rows INTEGER NOT NULL,
  changed_rows INTEGER NOT NULL,
  applied_rows INTEGER NOT NULL,
  started_at_ms INTEGER NOT NULL,
  updated_at_ms INTEGER NOT NULL,
  finished_at_ms INTEGER NOT NULL,
  -- Of the last attempt that failed; never part of an answer.
  last_error TEXT NOT NULL
) WITHOUT ROWID;

-- Events that were found to need a change and do not have it yet.
CREATE TABLE usage_data_migration_changes (
  name TEXT NOT NULL,
  event_id INTEGER NOT NULL,
  PRIMARY KEY (name, event_id)
) WITHOUT ROWID;

INSERT INTO usage_data_migrations
SELECT
  job.name,
  CASE WHEN EXISTS (SELECT 1 FROM usage_events) THEN job.first_status ELSE 'completed' END,
  0, 0, 0, 0, 0, 0,
  CAST(unixepoch('subsec') * 1000 AS INTEGER),
  0,
  ''
FROM (
  SELECT 'usage_cache_accounting_v2' AS name, 'discovering' AS first_status
  UNION ALL
  SELECT 'response_metadata_backfill', 'pending'
) AS job;
`,
} as const;
