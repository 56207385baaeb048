import type { Database } from 'bun:sqlite';
import { stopPoint } from '../platform/stop-point.ts';
import type { ReaderContext } from '../sqlite/contexts.ts';

export interface DerivedIndex {
  readonly name: string;
  readonly table: string;
  readonly sql: string;
}

/**
 * Indexes without which everything works, only slower. A new database gets them with its tables. Building one over millions of
 * rows takes minutes, so a start that finds one missing (a later version wants another one) writes it down, and
 * `cleanup-derived` builds it. Indexes that statements name do not belong here.
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

/** Tables that a schema step put aside because their format is not read any more. Dropping a large one takes long. */
const PARKED = 'parked_%';

const BOOKKEEPING = 'usage_derived_deferred_indexes';

/** For the start: builds what costs nothing, and writes the rest down. Returns the names of what waits. */
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
 * Builds one index that waits, and forgets what was noted about it, in one transaction. False when there is none left; notes
 * about indexes that are there, or whose table is gone, are forgotten then.
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

/** Drops one parked table. Returns how many rows it had; null when there is none left. */
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
 * Read operation: upkeep that waits for the server to be stopped. From what there really is, so that a note which was
 * overtaken by events says nothing.
 */
export function maintenanceWork({ db }: ReaderContext, _args: null) {
  const notes = hasTable(db, BOOKKEEPING)
    ? db.query<DerivedIndex, []>(`SELECT name, table_name AS "table", '' AS sql FROM ${BOOKKEEPING}`).all()
    : [];
  return { deferredIndexes: missingIndexes(db, notes).length, offlineJobs: parkedTables(db).length };
}

/** Those whose table is there and has no index of that name. */
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
