import type { Database } from 'bun:sqlite';
import { afterEach, expect, test } from 'bun:test';
import { copyFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createEventWriter } from '@manager/server/events/ingest/event-writer';
import { createIngester } from '@manager/server/events/ingest/ingest';
import { checkInvariants } from '@manager/server/events/invariants/invariants';
import { records, recordText, TEST_NOW_MS } from '@manager/server/events/testing/test-ingester';
import { MIGRATIONS } from '@manager/server/schema/migrations';
import { type Migration, openMigrated } from '@manager/server/sqlite/migrate';
import { temporaryFolder } from '../support/manager-process.ts';

const STORED = join(import.meta.dir, 'databases');
const versions = readdirSync(STORED, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

/** What the next version may bring: one more column in each of the large tables. */
const LATER: Migration = {
  name: '9999-one-more-column',
  sql: `
ALTER TABLE facts_tail
ADD COLUMN probe_tokens INTEGER NOT NULL DEFAULT 0;

ALTER TABLE hourly_core
ADD COLUMN probe_tokens INTEGER NOT NULL DEFAULT 0;
`,
};

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function newPath(): string {
  const folder = temporaryFolder();
  folders.push(folder);
  return join(folder, 'usage.sqlite');
}

const open = (path: string, migrations: readonly Migration[]) =>
  openMigrated(path, { now: () => TEST_NOW_MS, migrations });

/** Every table, index and trigger with its columns, whatever the spelling of the statements. */
function shapeOf(db: Database): unknown {
  const objects = db
    .query<{ type: string; name: string }, []>(
      "SELECT type, name FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY name",
    )
    .all();
  return objects.map(({ type, name }) => ({
    type,
    name,
    columns: db
      .query('SELECT name, type, "notnull", dflt_value, pk FROM pragma_table_info(?)')
      .all(name)
      .map((column) => JSON.stringify(column))
      .toSorted(),
  }));
}

test.each(versions)('a database of schema %s gets the same schema as a new one, with a later column too', (version) => {
  const path = newPath();
  copyFileSync(join(STORED, version, 'usage.sqlite'), path);
  for (const migrations of [MIGRATIONS, [...MIGRATIONS, LATER]]) {
    const older = open(path, migrations);
    const created = open(newPath(), migrations);
    expect(shapeOf(older)).toEqual(shapeOf(created));
    older.close();
    created.close();
  }
});

const NEW = 'none (a new database)';

test.each([NEW, ...versions])('events are stored beside a later column, from schema %s', (version) => {
  const path = newPath();
  if (version !== NEW) copyFileSync(join(STORED, version, 'usage.sqlite'), path);
  // A process of this version may have opened it in between.
  open(path, MIGRATIONS).close();
  const db = open(path, [...MIGRATIONS, LATER]);
  const before = eventsIn(db);
  const { ingest } = createIngester(db, createEventWriter(db, { hourlyRollup: true }), () => TEST_NOW_MS);
  ingest({ records: records(recordText({ request_id: 'later' })) });
  expect(eventsIn(db)).toBe(before + 1);
  expect(db.query('SELECT probe_tokens FROM facts_tail ORDER BY event_id DESC LIMIT 1').get()).toEqual({
    probe_tokens: 0,
  });
  expect(checkInvariants(db)).toEqual([]);
  db.close();
});

function eventsIn(db: Database): number {
  return db.query<{ rows: number }, []>('SELECT count(*) AS rows FROM usage_events').get()?.rows ?? 0;
}
