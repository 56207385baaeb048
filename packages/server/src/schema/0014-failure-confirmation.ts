/** Failures are confirmed before they count: candidates know until when, and every account its newest success. */
export const failureConfirmation = {
  name: '0014-failure-confirmation',
  sql: `
CREATE TABLE account_successes (
  -- See successKeys.
  account TEXT NOT NULL PRIMARY KEY,
  at_ms INTEGER NOT NULL
) WITHOUT ROWID;

-- Null: confirmed.
ALTER TABLE account_action_candidates ADD COLUMN confirming_until_ms INTEGER;
UPDATE account_action_candidates
SET confirming_until_ms = last_seen_at_ms + 90000
WHERE status = 'pending' AND action_type <> 'delete';
CREATE INDEX account_action_candidates_confirming
ON account_action_candidates (confirming_until_ms) WHERE status = 'pending' AND confirming_until_ms IS NOT NULL;

UPDATE account_claims
SET next_attempt_at_ms = max(next_attempt_at_ms, created_at_ms + 90000)
WHERE owner = 'account_action' AND state = 'requested';
`,
} as const;
