import type { Database } from 'bun:sqlite';
import { stopPoint } from '../platform/stop-point.ts';
import type { ReaderContext } from '../sqlite/contexts.ts';

export interface DerivedIndex {
  readonly name: string;
  readonly table: string;
  readonly sql: string;
}

/**
 * Indexes without which everything works, but slower. A new database gets them with its tables. Building one over millions of
 * rows takes minutes, so a start that finds one missing (a later version needs another one) notes it, and `cleanup-derived`
 * builds it. Indexes that statements name do not belong here.
 */
const DERIVED_INDEXES: readonly DerivedIndex[] = [
  {
    name: 'latest_header_snapshots_event',
    table: 'latest_header_snapshots',
    sql: 'CREATE INDEX latest_header_snapshots_event ON latest_header_snapshots (event_id)',
  },
  {
    name: 'usage_archive_event_refs_undeleted',
    table: 'usage_archive_event_refs',
    sql: `CREATE INDEX usage_archive_event_refs_undeleted
            ON usage_archive_event_refs (run_number) WHERE raw_deleted_at_ms IS NULL`,
  },
];

/** Tables that a schema step put aside because their format is no longer read. Dropping a large one takes long. */
const PARKED = 'parked_%';

const BOOKKEEPING = 'usage_derived_deferred_indexes';

/** At start: builds indexes of empty tables, and notes the others. Returns the deferred names. */
export function deferIndexes(db: Database, wanted: readonly DerivedIndex[] = DERIVED_INDEXES): readonly string[] {
  const missing = missingIndexes(db, wanted);
  if (missing.length === 0) return [];
  return db
    .transaction(() => {
      const waiting = missing.filter((index) => !isEmpty(db, index.table) || !isFree(db, index.name));
      for (const index of missing) if (!waiting.includes(index)) db.run(index.sql);
      if (waiting.length > 0) {
        db.run(
          `CREATE TABLE IF NOT EXISTS ${BOOKKEEPING} (name TEXT PRIMARY KEY, table_name TEXT NOT NULL) WITHOUT ROWID`,
        );
        const note = db.query(`INSERT INTO ${BOOKKEEPING} (name, table_name) VALUES (?, ?) ON CONFLICT DO NOTHING`);
        for (const { name, table } of waiting) note.run(name, table);
      }
      return waiting.map(({ name }) => name);
    })
    .immediate();
}

/**
 * Builds one deferred index and removes its note, in one transaction. False when none is left; then notes about existing
 * indexes and missing tables are removed.
 */
export function buildDeferredIndex(db: Database, wanted: readonly DerivedIndex[] = DERIVED_INDEXES): boolean {
  const [next] = missingIndexes(db, wanted).filter(({ name }) => isFree(db, name));
  db.transaction(() => {
    if (next === undefined) {
      db.run(`DROP TABLE IF EXISTS ${BOOKKEEPING}`);
      return;
    }
    db.run(next.sql);
    if (hasTable(db, BOOKKEEPING)) db.query(`DELETE FROM ${BOOKKEEPING} WHERE name = ?`).run(next.name);
    stopPoint('deferred_index_built');
  }).exclusive();
  stopPoint('deferred_index_committed');
  return next !== undefined;
}

/** Drops one parked table. Returns its number of rows; null when none is left. */
export function dropParkedTable(db: Database): number | null {
  const [name] = parkedTables(db);
  if (name === undefined) return null;
  return db
    .transaction(() => {
      const rows = db.query<{ rows: number }, []>(`SELECT count(*) AS rows FROM "${name}"`).get()?.rows ?? 0;
      db.run(`DROP TABLE "${name}"`);
      return rows;
    })
    .exclusive();
}

/**
 * Read operation: maintenance work that needs a stopped server. From the actual schema, so that an outdated note is ignored.
 */
export function maintenanceWork({ db }: ReaderContext, _args: null) {
  const notes = hasTable(db, BOOKKEEPING)
    ? db.query<DerivedIndex, []>(`SELECT name, table_name AS "table", '' AS sql FROM ${BOOKKEEPING}`).all()
    : [];
  return { deferredIndexes: missingIndexes(db, notes).length, offlineJobs: parkedTables(db).length };
}

/** Those whose table exists without an index of that name. */
function missingIndexes(db: Database, wanted: readonly DerivedIndex[]): DerivedIndex[] {
  const find = db.query<{ found: number }, [string, string]>(
    "SELECT 1 AS found FROM sqlite_schema WHERE type = 'index' AND name = ? AND tbl_name = ?",
  );
  return wanted.filter(({ name, table }) => hasTable(db, table) && find.get(name, table) === null);
}

/** A parked table keeps the names of its indexes. */
function isFree(db: Database, name: string): boolean {
  return (
    db.query<{ found: number }, [string]>('SELECT 1 AS found FROM sqlite_schema WHERE name = ?').get(name) === null
  );
}

function isEmpty(db: Database, table: string): boolean {
  return db.query<{ found: number }, []>(`SELECT 1 AS found FROM "${table}" LIMIT 1`).get() === null;
}

function hasTable(db: Database, name: string): boolean {
  return (
    db
      .query<{ found: number }, [string]>("SELECT 1 AS found FROM sqlite_schema WHERE type = 'table' AND name = ?")
      .get(name) !== null
  );
}

function parkedTables(db: Database): string[] {
  return db
    .query<{ name: string }, [string]>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE ? ESCAPE '\\' ORDER BY name",
    )
    .all(PARKED.replace('_', '\\_'))
    .map(({ name }) => name);
}
