/** Stored events get newer rules for counts and for sources that are keys; a new database has none that need them. */
export const storedEventRules = {
  name: '0011-stored-event-rules',
  sql: `
INSERT INTO usage_data_migrations
SELECT
  'stored_event_rules',
  CASE WHEN EXISTS (SELECT 1 FROM usage_events) THEN 'pending' ELSE 'completed' END,
  0, 0, 0, 0, 0, 0,
  CAST(unixepoch('subsec') * 1000 AS INTEGER),
  0,
  '';
`,
} as const;
