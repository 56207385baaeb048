/** Archive runs whose stages follow each other without a person, up to the compaction of the database. */
export const automaticArchives = {
  name: '0021-automatic-archives',
  sql: `
-- 1: each stage requests the next one, up to the deletion of the rows.
ALTER TABLE usage_archive_runs ADD COLUMN automatic INTEGER NOT NULL DEFAULT 0;
-- Of an automatic run whose rows are deleted: waiting, running, done, not_needed, offline.
ALTER TABLE usage_archive_runs ADD COLUMN compaction TEXT;
`,
} as const;
