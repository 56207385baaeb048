/** Sums of fact segments, so that a first question need not read their columns. Segments of before get theirs in the background. */
export const storedSums = {
  name: '0018-stored-sums',
  sql: `
CREATE TABLE fact_segment_sums (
  segment_id INTEGER NOT NULL REFERENCES fact_segments (id) ON DELETE CASCADE,
  -- What the events are grouped by.
  grouping TEXT NOT NULL,
  version INTEGER NOT NULL,
  -- CRC-32 of the data.
  checksum INTEGER NOT NULL,
  data BLOB NOT NULL,
  PRIMARY KEY (segment_id, grouping)
);
`,
} as const;
