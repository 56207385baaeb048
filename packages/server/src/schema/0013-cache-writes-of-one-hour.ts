/** Cache writes for one hour have a price of their own. Rows of before have none. */
export const cacheWritesOfOneHour = {
  name: '0013-cache-writes-of-one-hour',
  sql: `
ALTER TABLE facts_tail
ADD COLUMN cache_write_1h_tokens INTEGER NOT NULL DEFAULT 0;

ALTER TABLE hourly_core
ADD COLUMN cache_write_1h_tokens INTEGER NOT NULL DEFAULT 0;

ALTER TABLE hourly_core
ADD COLUMN long_cache_write_1h_tokens INTEGER NOT NULL DEFAULT 0;
`,
} as const;
