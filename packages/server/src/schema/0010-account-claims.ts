/**
 * One table of the accounts that automation disabled, or should disable, in place of one table per automation; and manual
 * changes of accounts, until their result is known.
 */
export const accountClaims = {
  name: '0010-account-claims',
  sql: `
CREATE TABLE account_claims (
  -- Never used again, because work that goes on names claims by it.
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- The automation.
  owner TEXT NOT NULL,
  -- By which the owner tells its claims apart.
  subject TEXT NOT NULL,
  -- Requested: to be disabled. Disabling, enabling: stored before the gateway is told, so it is not known yet whether it
  -- happened. Held: disabled by the owner, which alone enables it again. Ended: kept for a time.
  state TEXT NOT NULL CHECK (state IN ('requested', 'disabling', 'held', 'enabling', 'ended')),
  auth_file_name TEXT NOT NULL,
  provider TEXT NOT NULL,
  auth_index TEXT NOT NULL,
  account_id TEXT NOT NULL,
  account_snapshot TEXT NOT NULL,
  -- JSON, the owner's own; null = none.
  details TEXT,
  -- When the reason ends, null = never.
  until_ms INTEGER,
  failed_attempts INTEGER NOT NULL DEFAULT 0,
  next_attempt_at_ms INTEGER NOT NULL DEFAULT 0,
  last_error TEXT NOT NULL DEFAULT '',
  created_at_ms INTEGER NOT NULL,
  updated_at_ms INTEGER NOT NULL
);
CREATE UNIQUE INDEX account_claims_requested ON account_claims (owner, subject) WHERE state = 'requested';
CREATE UNIQUE INDEX account_claims_open ON account_claims (owner, subject)
WHERE state IN ('disabling', 'held', 'enabling');
CREATE INDEX account_claims_file ON account_claims (auth_file_name) WHERE state <> 'ended';
CREATE INDEX account_claims_due ON account_claims (owner, state, next_attempt_at_ms, id) WHERE state <> 'ended';
CREATE INDEX account_claims_ended ON account_claims (updated_at_ms) WHERE state = 'ended';

INSERT INTO account_claims (
  owner, subject, state, auth_file_name, provider, auth_index, account_id, account_snapshot, created_at_ms, updated_at_ms
)
SELECT 'inspection', json_array(auth_file_name, provider, auth_index, account_id, account_snapshot),
  CASE state WHEN 'owned' THEN 'held' ELSE 'disabling' END,
  auth_file_name, provider, auth_index, account_id, account_snapshot, created_at_ms, updated_at_ms
FROM inspection_disable_ownership
ORDER BY id;

INSERT INTO account_claims (
  owner, subject, state, auth_file_name, provider, auth_index, account_id, account_snapshot, details, until_ms,
  failed_attempts, next_attempt_at_ms, last_error, created_at_ms, updated_at_ms
)
SELECT 'cooldown', json_array(auth_file_name, owner, identity_key),
  CASE status WHEN 'pending' THEN 'disabling' WHEN 'active' THEN 'held' ELSE 'ended' END,
  auth_file_name, provider, auth_index, '', account_snapshot,
  json_object(
    'file', auth_file_name, 'authIndex', auth_index, 'provider', provider, 'accountSnapshot', account_snapshot,
    'owner', owner, 'reasonCode', reason_code, 'windowKind', window_kind, 'evidence', json(evidence),
    'eventHash', event_hash, 'preDisabledState', json(iif(pre_disabled_state, 'true', 'false')),
    'recoverAtMs', recover_at_ms, 'disabledAtMs', disabled_at_ms
  ),
  recover_at_ms, failed_attempts, next_attempt_at_ms, last_error, created_at_ms, updated_at_ms
FROM quota_cooldowns
ORDER BY id;

INSERT INTO account_claims (
  owner, subject, state, auth_file_name, provider, auth_index, account_id, account_snapshot, details, until_ms,
  failed_attempts, next_attempt_at_ms, created_at_ms, updated_at_ms
)
SELECT 'cooldown', json_array(auth_file_name, owner, identity_key), 'requested',
  auth_file_name, COALESCE(json_extract(candidate, '$.provider'), ''),
  COALESCE(json_extract(candidate, '$.authIndex'), ''), '', COALESCE(json_extract(candidate, '$.accountSnapshot'), ''),
  candidate, json_extract(candidate, '$.recoverAtMs'),
  failed_attempts, next_attempt_at_ms, created_at_ms, created_at_ms
FROM quota_cooldown_signals
ORDER BY id;

INSERT INTO account_claims (
  owner, subject, state, auth_file_name, provider, auth_index, account_id, account_snapshot,
  failed_attempts, next_attempt_at_ms, created_at_ms, updated_at_ms
)
SELECT 'account_action', CAST(id AS TEXT),
  CASE auto_disable_step WHEN 'requested' THEN 'requested' WHEN 'sent' THEN 'disabling' ELSE 'enabling' END,
  auth_file_name, provider, auth_index, account_id, account_snapshot,
  auto_disable_attempts, auto_disable_next_at_ms, updated_at_ms, updated_at_ms
FROM account_action_candidates
-- One that was disabled before may have been enabled by a person since: a look decides.
WHERE auto_disable_step IS NOT NULL OR (status = 'pending' AND auto_disabled_at_ms IS NOT NULL)
ORDER BY id;

DROP TABLE inspection_disable_ownership;
DROP TABLE quota_cooldowns;
DROP TABLE quota_cooldown_signals;
DROP INDEX account_action_candidates_auto_disable;
ALTER TABLE account_action_candidates DROP COLUMN auto_disable_step;
ALTER TABLE account_action_candidates DROP COLUMN auto_disable_attempts;
ALTER TABLE account_action_candidates DROP COLUMN auto_disable_next_at_ms;

CREATE TABLE manual_changes (
  -- Never used again, because work that goes on names changes by it.
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- JSON object: what it is to lead to, so that a look tells whether it happened.
  wanted TEXT NOT NULL,
  -- JSON object: what was read before it was sent, null = nothing yet.
  before TEXT,
  -- JSON array: claims that ended with it, and are put back where nothing came of it.
  revoked TEXT NOT NULL,
  created_at_ms INTEGER NOT NULL
);
`,
} as const;
