/** The first schema: settings, events, identity ledger, facts, hourly rollup, dead letters, collection gaps, aliases. */
export const initial = {
  name: '0001-initial',
  sql: `
CREATE TABLE settings (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL,
  updated_at_ms INTEGER NOT NULL
) WITHOUT ROWID;

-- One row per raw event: complete, compressed detail. Only archive deletion removes rows; ids are never reused.
CREATE TABLE usage_events (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  timestamp_ms INTEGER NOT NULL,
  detail BLOB NOT NULL
);
CREATE INDEX usage_events_time ON usage_events (timestamp_ms);
-- Counts deletions, so that readers know when their picture of the live rows is out of date.
CREATE TRIGGER usage_events_deleted AFTER DELETE ON usage_events BEGIN
  INSERT INTO counters (name, value) VALUES ('raw_events_deleted', 1)
    ON CONFLICT (name) DO UPDATE SET value = value + 1;
END;

-- One row per event ever accepted. The hash is a 32-byte blob where it is 64 lower-case hex digits, else text.
CREATE TABLE usage_event_identity_ledger (
  event_hash BLOB PRIMARY KEY,
  event_id INTEGER NOT NULL,
  timestamp_ms INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE symbols (
  id INTEGER PRIMARY KEY,
  text TEXT NOT NULL UNIQUE
);

-- Texts that many raw details share (shapes of records, names, hashes): details hold their numbers. Only grows.
CREATE TABLE detail_words (
  id INTEGER PRIMARY KEY,
  text TEXT NOT NULL UNIQUE
);

CREATE TABLE facts_tail (
  event_id INTEGER PRIMARY KEY,
  timestamp_ms INTEGER NOT NULL,
  provider INTEGER NOT NULL,
  auth_provider_snapshot INTEGER NOT NULL,
  executor_type INTEGER NOT NULL,
  model INTEGER NOT NULL,
  requested_model INTEGER NOT NULL,
  resolved_model INTEGER NOT NULL,
  analytics_model INTEGER NOT NULL,
  endpoint INTEGER NOT NULL,
  method INTEGER NOT NULL,
  path INTEGER NOT NULL,
  auth_index INTEGER NOT NULL,
  source INTEGER NOT NULL,
  source_hash INTEGER NOT NULL,
  api_key_hash INTEGER NOT NULL,
  account_snapshot INTEGER NOT NULL,
  auth_label_snapshot INTEGER NOT NULL,
  auth_file_snapshot INTEGER NOT NULL,
  auth_project_id_snapshot INTEGER NOT NULL,
  reasoning_effort INTEGER NOT NULL,
  service_tier INTEGER NOT NULL,
  client_ip INTEGER NOT NULL,
  x_forwarded_for INTEGER NOT NULL,
  user_agent INTEGER NOT NULL,
  header_quota_plan_type INTEGER NOT NULL,
  header_error_kind INTEGER NOT NULL,
  header_error_code INTEGER NOT NULL,
  input_tokens INTEGER NOT NULL,
  uncached_input_tokens INTEGER NOT NULL,
  cached_tokens INTEGER NOT NULL,
  cache_read_tokens INTEGER NOT NULL,
  cache_creation_tokens INTEGER NOT NULL,
  output_tokens INTEGER NOT NULL,
  billable_output_tokens INTEGER NOT NULL,
  reasoning_tokens INTEGER NOT NULL,
  total_tokens INTEGER NOT NULL,
  unclassified_tokens INTEGER NOT NULL,
  latency_ms INTEGER NOT NULL,
  ttft_ms INTEGER NOT NULL,
  fail_status_code INTEGER NOT NULL,
  flags INTEGER NOT NULL,
  task_key_high INTEGER NOT NULL,
  task_key_low INTEGER NOT NULL,
  event_hash BLOB NOT NULL,
  request_id TEXT NOT NULL,
  header_trace_id TEXT NOT NULL,
  fail_summary TEXT NOT NULL
);

CREATE TABLE fact_segments (
  id INTEGER PRIMARY KEY,
  format INTEGER NOT NULL,
  row_count INTEGER NOT NULL,
  first_event_id INTEGER NOT NULL,
  last_event_id INTEGER NOT NULL,
  min_timestamp_ms INTEGER NOT NULL,
  max_timestamp_ms INTEGER NOT NULL
);

CREATE TABLE fact_segment_columns (
  segment_id INTEGER NOT NULL REFERENCES fact_segments (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  encoding TEXT NOT NULL,
  -- Smallest and largest value, for skipping; null where the column has no order.
  min_value INTEGER,
  max_value INTEGER,
  checksum INTEGER NOT NULL,
  data BLOB NOT NULL,
  PRIMARY KEY (segment_id, name)
);

-- Permanent sums by UTC hour; the independent check of the facts.
CREATE TABLE hourly_core (
  hour_ms INTEGER NOT NULL,
  analytics_model INTEGER NOT NULL,
  billing_model INTEGER NOT NULL,
  service_tier INTEGER NOT NULL,
  failed INTEGER NOT NULL,
  calls INTEGER NOT NULL,
  input_tokens INTEGER NOT NULL,
  uncached_input_tokens INTEGER NOT NULL,
  cached_tokens INTEGER NOT NULL,
  cache_read_tokens INTEGER NOT NULL,
  cache_creation_tokens INTEGER NOT NULL,
  output_tokens INTEGER NOT NULL,
  billable_output_tokens INTEGER NOT NULL,
  reasoning_tokens INTEGER NOT NULL,
  total_tokens INTEGER NOT NULL,
  long_uncached_input_tokens INTEGER NOT NULL,
  long_cached_tokens INTEGER NOT NULL,
  long_cache_read_tokens INTEGER NOT NULL,
  long_cache_creation_tokens INTEGER NOT NULL,
  long_billable_output_tokens INTEGER NOT NULL,
  latency_sum_ms INTEGER NOT NULL,
  latency_samples INTEGER NOT NULL,
  zero_token_calls INTEGER NOT NULL,
  PRIMARY KEY (hour_ms, analytics_model, billing_model, service_tier, failed)
) WITHOUT ROWID;

-- One row: how far the hourly rollup covers the facts, and running counters that would need a scan.
CREATE TABLE counters (
  name TEXT PRIMARY KEY,
  value INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE dead_letters (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  payload TEXT NOT NULL,
  error TEXT NOT NULL,
  created_at_ms INTEGER NOT NULL
);

CREATE TABLE collection_gaps (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  from_ms INTEGER NOT NULL,
  to_ms INTEGER,
  kind TEXT NOT NULL,
  estimated_lost INTEGER
);

CREATE TABLE api_key_aliases (
  api_key_hash TEXT PRIMARY KEY,
  alias TEXT NOT NULL,
  updated_at_ms INTEGER NOT NULL
) WITHOUT ROWID;

-- Prices belong to the schema from the start, because "has historical data" looks at them.
CREATE TABLE model_prices (
  model TEXT PRIMARY KEY,
  source TEXT NOT NULL,
  price TEXT NOT NULL,
  updated_at_ms INTEGER NOT NULL,
  synced_at_ms INTEGER
) WITHOUT ROWID;
`,
} as const;
