/** Accounts that the operator should check, because requests failed with an error about the account. */
export const accountActions = {
  name: '0009-account-actions',
  sql: `
CREATE TABLE account_action_candidates (
  -- Never used again, because callers name candidates by it.
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  status TEXT NOT NULL CHECK (status IN ('pending', 'ignored', 'resolved', 'deleted')),
  auth_file_name TEXT NOT NULL,
  provider TEXT NOT NULL,
  auth_index TEXT NOT NULL,
  account_id TEXT NOT NULL,
  account_snapshot TEXT NOT NULL,
  auth_label TEXT NOT NULL,
  -- By which candidates of one file, action and reason are told apart.
  identity_key TEXT NOT NULL,
  action_type TEXT NOT NULL CHECK (action_type IN ('delete', 'reauth', 'review')),
  reason_code TEXT NOT NULL,
  reason TEXT NOT NULL,
  auto_disable_eligible INTEGER NOT NULL,
  -- Null: not wanted, or settled. 'requested': to be done. 'sent': the upstream was, or was about to be, told.
  auto_disable_step TEXT CHECK (auto_disable_step IN ('requested', 'sent')),
  auto_disable_attempts INTEGER NOT NULL DEFAULT 0,
  auto_disable_next_at_ms INTEGER NOT NULL DEFAULT 0,
  auto_disabled_at_ms INTEGER,
  -- JSON object, null = none.
  evidence TEXT,
  last_error TEXT NOT NULL,
  first_seen_at_ms INTEGER NOT NULL,
  last_seen_at_ms INTEGER NOT NULL,
  hit_count INTEGER NOT NULL,
  created_at_ms INTEGER NOT NULL,
  updated_at_ms INTEGER NOT NULL
);
CREATE UNIQUE INDEX account_action_candidates_pending
ON account_action_candidates (auth_file_name, action_type, reason_code, identity_key) WHERE status = 'pending';
CREATE INDEX account_action_candidates_seen ON account_action_candidates (status, last_seen_at_ms, id);
CREATE INDEX account_action_candidates_auto_disable
ON account_action_candidates (auto_disable_next_at_ms, id) WHERE auto_disable_step IS NOT NULL;
`,
} as const;
