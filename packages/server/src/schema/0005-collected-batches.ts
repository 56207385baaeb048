/**
 * Collected events that the account automation has not read yet, as ranges of ids: one row unless other writes (an import) take
 * ids in between. Written with the events, shortened with the effects that were derived from them.
 */
export const collectedBatches = {
  name: '0005-collected-batches',
  sql: `
CREATE TABLE collected_batches (
  first_event_id INTEGER PRIMARY KEY,
  last_event_id INTEGER NOT NULL
);
`,
} as const;
