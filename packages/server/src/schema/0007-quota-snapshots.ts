/**
 * Quota windows of accounts over time. Ids of windows and cycles are numbers of the counter `quota_ids`.
 *
 * Some providers report their quotas in every answer, mostly unchanged. A row therefore represents a run of equal observations,
 * and the newest run of an account is stored with its name, where one short write extends it.
 */
export const quotaSnapshots = {
  name: '0007-quota-snapshots',
  sql: `
CREATE TABLE quota_accounts (
  account_key TEXT NOT NULL,
  provider TEXT NOT NULL,
  number INTEGER NOT NULL UNIQUE,
  -- JSON: observations that repeated what is known since state and rows were written; null = none may.
  runs TEXT,
  PRIMARY KEY (account_key, provider)
) WITHOUT ROWID;

-- JSON: inventories, windows, activations and newest cycles, without the repeats.
CREATE TABLE quota_states (
  account_number INTEGER PRIMARY KEY,
  state TEXT NOT NULL
);

-- Observations that someone may send a second time. Those of events come once and have no row.
CREATE TABLE quota_observations (
  number INTEGER PRIMARY KEY,
  account_number INTEGER NOT NULL,
  observed_at_ms INTEGER NOT NULL,
  hash BLOB NOT NULL,
  -- The id that the source gave it, '' = none.
  observation_id TEXT NOT NULL,
  UNIQUE (account_number, hash)
);

-- Members of a window that many observations have in common, as JSON. Only grows.
CREATE TABLE quota_window_shapes (
  number INTEGER PRIMARY KEY,
  shape TEXT NOT NULL UNIQUE
);

CREATE TABLE quota_snapshots (
  id INTEGER PRIMARY KEY,
  -- Null: the window was never part of the lifecycle.
  window_number INTEGER,
  source INTEGER NOT NULL,
  -- 1 = took part in the lifecycle; other rows are history and not read.
  counts INTEGER NOT NULL,
  first_observed_at_ms INTEGER NOT NULL,
  -- Until the newest observation of the run.
  seen_for_ms INTEGER NOT NULL,
  -- Either the row of the observation, or the hash of the newest event of the run.
  observation_number INTEGER,
  event_hash BLOB,
  cycle_number INTEGER,
  shape_number INTEGER NOT NULL,
  used_percent REAL,
  -- Null where it follows from end and length.
  cycle_start_ms INTEGER,
  cycle_end_ms INTEGER,
  -- JSON of the members that are rare and differ every time.
  rest TEXT
);
CREATE INDEX quota_snapshots_newest ON quota_snapshots (window_number, source, counts, first_observed_at_ms);
CREATE INDEX quota_snapshots_cycle ON quota_snapshots (cycle_number, first_observed_at_ms)
WHERE cycle_number IS NOT NULL;
CREATE INDEX quota_snapshots_observation ON quota_snapshots (observation_number) WHERE observation_number IS NOT NULL;
`,
} as const;
