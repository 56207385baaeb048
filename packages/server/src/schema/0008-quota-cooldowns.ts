/** Accounts that are disabled until their quota resets, and requests for that which were not executed yet. */
export const quotaCooldowns = {
  name: '0008-quota-cooldowns',
  sql: `
CREATE TABLE quota_cooldowns (
  -- Never used again, because work that goes on names rows by it.
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- Pending: stored before the upstream is told, so it is not known yet whether the credential was disabled.
  status TEXT NOT NULL CHECK (status IN ('pending', 'active', 'recovered', 'skipped')),
  auth_file_name TEXT NOT NULL,
  auth_index TEXT NOT NULL,
  provider TEXT NOT NULL,
  account_snapshot TEXT NOT NULL,
  owner TEXT NOT NULL,
  -- By which cooldowns of one file and owner are told apart.
  identity_key TEXT NOT NULL,
  reason_code TEXT NOT NULL,
  window_kind TEXT NOT NULL,
  -- JSON object, null = none.
  evidence TEXT,
  event_hash TEXT NOT NULL,
  pre_disabled_state INTEGER NOT NULL,
  recover_at_ms INTEGER NOT NULL,
  disabled_at_ms INTEGER NOT NULL,
  recovered_at_ms INTEGER,
  last_error TEXT NOT NULL,
  failed_attempts INTEGER NOT NULL,
  next_attempt_at_ms INTEGER NOT NULL,
  created_at_ms INTEGER NOT NULL,
  updated_at_ms INTEGER NOT NULL
);
CREATE UNIQUE INDEX quota_cooldowns_open ON quota_cooldowns (auth_file_name, owner, identity_key)
WHERE status IN ('pending', 'active');
CREATE INDEX quota_cooldowns_due ON quota_cooldowns (next_attempt_at_ms, id) WHERE status = 'active';

-- One per credential and owner: of two signals the later recovery is kept, under a new id.
CREATE TABLE quota_cooldown_signals (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  auth_file_name TEXT NOT NULL,
  owner TEXT NOT NULL,
  identity_key TEXT NOT NULL,
  -- JSON object.
  candidate TEXT NOT NULL,
  failed_attempts INTEGER NOT NULL DEFAULT 0,
  next_attempt_at_ms INTEGER NOT NULL,
  created_at_ms INTEGER NOT NULL,
  UNIQUE (auth_file_name, owner, identity_key)
);
CREATE INDEX quota_cooldown_signals_due ON quota_cooldown_signals (next_attempt_at_ms, id);
`,
} as const;
