/** Notifications: targets, what each was told of, and messages on their way and sent. */
export const notifications = {
  name: '0019-notifications',
  sql: `
CREATE TABLE notification_targets (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  enabled INTEGER NOT NULL,
  -- JSON: everything that is not secret.
  config TEXT NOT NULL,
  -- JSON of the secrets, encrypted; '' = none.
  secrets TEXT NOT NULL,
  -- JSON: events that were observed for it at least once. What existed before is not told.
  observed TEXT NOT NULL,
  created_at_ms INTEGER NOT NULL,
  updated_at_ms INTEGER NOT NULL
) WITHOUT ROWID;

-- Conditions that hold, or that the target has not been told the end of.
CREATE TABLE notification_states (
  target_id TEXT NOT NULL REFERENCES notification_targets (id) ON DELETE CASCADE,
  event TEXT NOT NULL,
  subject TEXT NOT NULL,
  -- no, yes or silent: it existed before the target
  told TEXT NOT NULL,
  -- raised, recovered, passed: both of it happened since the last message; NULL = nothing to tell
  pending TEXT,
  -- JSON: the condition as it was observed last
  condition TEXT NOT NULL,
  until_ms INTEGER,
  PRIMARY KEY (target_id, event, subject)
) WITHOUT ROWID;
CREATE INDEX notification_states_pending ON notification_states (target_id) WHERE pending IS NOT NULL;

CREATE TABLE notification_messages (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  target_id TEXT NOT NULL,
  -- As they were: the target may be renamed or removed.
  target_name TEXT NOT NULL,
  kind TEXT NOT NULL,
  test INTEGER NOT NULL,
  -- queued, sent or failed
  status TEXT NOT NULL,
  title TEXT NOT NULL,
  -- JSON: groups of changes, in no language
  content TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  next_attempt_at_ms INTEGER,
  -- What the service answered last, without secrets.
  answer TEXT NOT NULL,
  created_at_ms INTEGER NOT NULL,
  finished_at_ms INTEGER
);
CREATE INDEX notification_messages_target ON notification_messages (target_id, created_at_ms);
CREATE INDEX notification_messages_queued ON notification_messages (target_id, number) WHERE status = 'queued';
`,
} as const;
