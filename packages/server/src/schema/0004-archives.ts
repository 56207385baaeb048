/**
 * Archives: runs, their files, and which event is in which file. References are one row per archived event, kept forever, so
 * their key is the id of the event, which is as unique as its hash: about 64 bytes per event until its raw row is deleted and,
 * after compacting, 29 bytes. With the hash as key, and an index for each query, they took 163 to 196 bytes and ten times the
 * write time.
 */
export const archives = {
  name: '0004-archives',
  sql: `
CREATE TABLE usage_archive_runs (
  -- What other tables refer to; outside, a run is known by its id.
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  mode TEXT NOT NULL,
  schema_version INTEGER NOT NULL,
  format TEXT NOT NULL,
  status TEXT NOT NULL,
  resume_status TEXT,
  requested_stage TEXT,
  progress_phase TEXT,
  progress_current INTEGER NOT NULL DEFAULT 0,
  progress_total INTEGER NOT NULL DEFAULT 0,
  progress_unit TEXT,
  progress_updated_at_ms INTEGER,
  cutoff_timestamp_ms INTEGER NOT NULL,
  target_event_id INTEGER NOT NULL,
  event_count INTEGER NOT NULL,
  estimated_bytes INTEGER NOT NULL,
  last_archived_event_id INTEGER NOT NULL DEFAULT 0,
  archived_event_count INTEGER NOT NULL DEFAULT 0,
  archived_uncompressed_bytes INTEGER NOT NULL DEFAULT 0,
  archived_compressed_bytes INTEGER NOT NULL DEFAULT 0,
  archive_digest TEXT,
  manifest_file TEXT,
  manifest_sha256 TEXT,
  last_deleted_event_id INTEGER NOT NULL DEFAULT 0,
  deleted_event_count INTEGER NOT NULL DEFAULT 0,
  created_at_ms INTEGER NOT NULL,
  updated_at_ms INTEGER NOT NULL,
  started_at_ms INTEGER,
  archived_at_ms INTEGER,
  verified_at_ms INTEGER,
  delete_started_at_ms INTEGER,
  completed_at_ms INTEGER,
  -- For the log and for support; never part of an answer.
  last_error TEXT
);
CREATE INDEX usage_archive_runs_created ON usage_archive_runs (created_at_ms, id);

CREATE TABLE usage_archive_segments (
  run_number INTEGER NOT NULL REFERENCES usage_archive_runs (number),
  -- From 1, without holes.
  sequence INTEGER NOT NULL,
  status TEXT NOT NULL,
  -- Run id, '/', base name.
  file_name TEXT NOT NULL UNIQUE,
  first_event_id INTEGER NOT NULL,
  last_event_id INTEGER NOT NULL,
  min_timestamp_ms INTEGER NOT NULL,
  max_timestamp_ms INTEGER NOT NULL,
  event_count INTEGER NOT NULL,
  uncompressed_bytes INTEGER NOT NULL,
  compressed_bytes INTEGER NOT NULL,
  content_sha256 TEXT NOT NULL,
  event_hash_digest TEXT NOT NULL,
  -- Also the time at which the events of the segment were archived.
  created_at_ms INTEGER NOT NULL,
  verified_at_ms INTEGER,
  PRIMARY KEY (run_number, sequence)
) WITHOUT ROWID;

CREATE TABLE usage_archive_event_refs (
  -- Id of the event in usage_events, ledger and facts: an event belongs to at most one run.
  raw_event_id INTEGER PRIMARY KEY,
  run_number INTEGER NOT NULL,
  segment_sequence INTEGER NOT NULL,
  timestamp_ms INTEGER NOT NULL,
  -- Key of the event in the ledger (32 bytes, or the opaque text). Null once the raw row is deleted: ledger and facts keep it.
  event_hash BLOB,
  raw_deleted_at_ms INTEGER
);
-- Raw rows of a run that are still there, by id. Shrinks as they are deleted.
CREATE INDEX usage_archive_event_refs_undeleted ON usage_archive_event_refs (run_number) WHERE raw_deleted_at_ms IS NULL;

-- How much was deleted of each UTC day, by event time.
CREATE TABLE usage_archive_deleted_coverage_daily (
  -- Its midnight in ms.
  utc_day_ms INTEGER PRIMARY KEY,
  deleted_event_count INTEGER NOT NULL,
  min_timestamp_ms INTEGER NOT NULL,
  max_timestamp_ms INTEGER NOT NULL
);

-- At most one row: one stage of one run at a time.
CREATE TABLE usage_maintenance_locks (
  name TEXT PRIMARY KEY CHECK (name = 'usage_archive'),
  run_number INTEGER NOT NULL REFERENCES usage_archive_runs (number),
  operation TEXT NOT NULL,
  acquired_at_ms INTEGER NOT NULL,
  updated_at_ms INTEGER NOT NULL
) WITHOUT ROWID;
`,
} as const;
