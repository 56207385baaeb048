/** Versions of the gateway's configuration that the panel saw or saved. */
export const gatewayConfigurations = {
  name: '0015-gateway-configurations',
  sql: `
CREATE TABLE gateway_configurations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- URL of the gateway.
  gateway TEXT NOT NULL,
  -- SHA-256 of the text, hex.
  digest TEXT NOT NULL,
  -- Compressed and encrypted.
  envelope TEXT NOT NULL,
  -- Of the text.
  bytes INTEGER NOT NULL,
  -- seen, saved or elsewhere
  origin TEXT NOT NULL,
  first_seen_at_ms INTEGER NOT NULL,
  last_seen_at_ms INTEGER NOT NULL,
  UNIQUE (gateway, digest)
);
`,
} as const;
