/** Viewer links: who may see the usage of which client keys. */
export const viewerLinks = {
  name: '0020-viewer-links',
  sql: `
CREATE TABLE viewer_links (
  id TEXT PRIMARY KEY,
  -- SHA-256 of the token in hex; the token itself is never stored.
  token_hash TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  -- JSON array of SHA-256 hashes of client keys; NULL = all requests.
  keys TEXT,
  created_at_ms INTEGER NOT NULL,
  -- NULL = never
  expires_at_ms INTEGER,
  -- Start of an hour; NULL = not used yet
  last_used_at_ms INTEGER
) WITHOUT ROWID;
`,
} as const;
