/**
 * Account inspections: runs, their results and logs, and which accounts an inspection disabled. Results and logs refer to the
 * number of their run, because they are many and the id of a run is long.
 */
export const inspection = {
  name: '0006-inspection',
  sql: `
CREATE TABLE inspection_runs (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  trigger_type TEXT NOT NULL,
  trigger_key TEXT NOT NULL,
  status TEXT NOT NULL,
  -- Somebody asked for the end of the run; never taken back.
  cancel_requested INTEGER NOT NULL DEFAULT 0,
  started_at_ms INTEGER NOT NULL,
  finished_at_ms INTEGER,
  total_files INTEGER NOT NULL DEFAULT 0,
  probe_set_count INTEGER NOT NULL DEFAULT 0,
  sampled_count INTEGER NOT NULL DEFAULT 0,
  disabled_count INTEGER NOT NULL DEFAULT 0,
  enabled_count INTEGER NOT NULL DEFAULT 0,
  delete_count INTEGER NOT NULL DEFAULT 0,
  disable_count INTEGER NOT NULL DEFAULT 0,
  enable_count INTEGER NOT NULL DEFAULT 0,
  reauth_count INTEGER NOT NULL DEFAULT 0,
  keep_count INTEGER NOT NULL DEFAULT 0,
  error TEXT NOT NULL DEFAULT '',
  -- JSON, in the form in which the configuration is sent.
  settings TEXT NOT NULL,
  created_at_ms INTEGER NOT NULL,
  updated_at_ms INTEGER NOT NULL
);
CREATE INDEX inspection_runs_started ON inspection_runs (started_at_ms, id);
-- One scheduled run per key, whatever came of it.
CREATE UNIQUE INDEX inspection_runs_scheduled ON inspection_runs (trigger_key) WHERE trigger_type = 'scheduled';
CREATE INDEX inspection_runs_scheduled_started ON inspection_runs (started_at_ms) WHERE trigger_type = 'scheduled';
-- One run at a time.
CREATE UNIQUE INDEX inspection_runs_active ON inspection_runs ((1)) WHERE status IN ('running', 'cancelling');

CREATE TABLE inspection_results (
  -- Never used again, because callers name results by it.
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  run_number INTEGER NOT NULL REFERENCES inspection_runs (number) ON DELETE CASCADE,
  account_key TEXT NOT NULL,
  file_name TEXT NOT NULL,
  display_account TEXT NOT NULL,
  account_snapshot TEXT NOT NULL,
  auth_index TEXT NOT NULL,
  account_id TEXT NOT NULL,
  provider TEXT NOT NULL,
  disabled INTEGER NOT NULL,
  status TEXT NOT NULL,
  state TEXT NOT NULL,
  action TEXT NOT NULL,
  action_reason TEXT NOT NULL,
  action_status TEXT NOT NULL,
  executed_action TEXT NOT NULL,
  action_error TEXT NOT NULL,
  status_code INTEGER,
  used_percent REAL,
  is_quota INTEGER NOT NULL,
  auto_recover_eligible INTEGER NOT NULL,
  quota_inventory_observed INTEGER NOT NULL,
  error TEXT NOT NULL,
  error_kind TEXT NOT NULL,
  error_detail TEXT NOT NULL,
  plan_type TEXT NOT NULL,
  -- JSON array, null = none.
  quota_windows TEXT,
  created_at_ms INTEGER NOT NULL,
  UNIQUE (run_number, account_key)
);

CREATE TABLE inspection_logs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  run_number INTEGER NOT NULL REFERENCES inspection_runs (number) ON DELETE CASCADE,
  level TEXT NOT NULL,
  message TEXT NOT NULL,
  -- JSON object without secrets, null = none.
  detail TEXT,
  created_at_ms INTEGER NOT NULL
);
CREATE INDEX inspection_logs_run ON inspection_logs (run_number);

-- When an account was probed last, so that a sample takes those whose turn it is without reading all results.
CREATE TABLE inspection_account_turns (
  account_key TEXT PRIMARY KEY,
  inspected_at_ms INTEGER NOT NULL
) WITHOUT ROWID;

-- Credentials that an inspection disabled by itself, so that an inspection may enable them again.
CREATE TABLE inspection_disable_ownership (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  auth_file_name TEXT NOT NULL,
  provider TEXT NOT NULL,
  auth_index TEXT NOT NULL,
  account_id TEXT NOT NULL,
  account_snapshot TEXT NOT NULL,
  -- Pending: stored before the upstream is told, so it is not known yet whether it was disabled.
  state TEXT NOT NULL CHECK (state IN ('pending', 'owned')),
  created_at_ms INTEGER NOT NULL,
  updated_at_ms INTEGER NOT NULL,
  UNIQUE (auth_file_name, provider, auth_index, account_id, account_snapshot)
);
`,
} as const;
