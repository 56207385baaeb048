/** Changes of accounts that people asked for, until it is known whether they happened. */
export const manualChanges = {
  name: '0010-manual-changes',
  sql: `
CREATE TABLE manual_changes (
  -- Never used again, because work that goes on names changes by it.
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- JSON object: what it is to lead to, so that a look tells whether it happened.
  wanted TEXT NOT NULL,
  -- JSON object: what was read before it was sent, null = nothing yet.
  before TEXT,
  -- JSON object: automation that ended with it, and is put back where nothing came of it.
  revoked TEXT NOT NULL,
  created_at_ms INTEGER NOT NULL
);
`,
} as const;
