/** A configuration that returns is a version of its own, so a text may be stored more than once. */
export const configurationTimeline = {
  name: '0017-configuration-timeline',
  // A constraint cannot be dropped. At most 50 rows per gateway are copied.
  sql: `
ALTER TABLE gateway_configurations
RENAME TO unique_gateway_configurations;

CREATE TABLE gateway_configurations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- URL of the gateway.
  gateway TEXT NOT NULL,
  -- SHA-256 of the text, hex.
  digest TEXT NOT NULL,
  -- Of the text.
  bytes INTEGER NOT NULL,
  -- seen, saved or elsewhere
  origin TEXT NOT NULL,
  first_seen_at_ms INTEGER NOT NULL,
  last_seen_at_ms INTEGER NOT NULL,
  -- JSON: a list of names. NULL = unknown, as for the first version.
  changed TEXT,
  -- The text, compressed and encrypted. Last, so that lists do not read it.
  envelope TEXT NOT NULL
);

INSERT INTO
  gateway_configurations (id, gateway, digest, bytes, origin, first_seen_at_ms, last_seen_at_ms, changed, envelope)
SELECT
  id, gateway, digest, bytes, origin, first_seen_at_ms, last_seen_at_ms, changed, envelope
FROM
  unique_gateway_configurations;

DROP TABLE unique_gateway_configurations;
`,
} as const;
