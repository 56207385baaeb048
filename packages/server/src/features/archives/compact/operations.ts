import type { Database } from 'bun:sqlite';
import { stopPoint } from '../../../platform/stop-point.ts';
import { type CheckpointOutcome, checkpoint } from '../../../sqlite/checkpoint.ts';
import { type FileStatistics, readFileStatistics } from './file-statistics.ts';
import { isIncremental } from './online/space.ts';
import { type LogicalSummary, readSummary } from './summary.ts';

/** One exclusive connection, and the canonical path behind it. */
export interface CompactContext {
  readonly db: Database;
  readonly path: string;
}

export interface Baseline {
  readonly statistics: FileStatistics;
  readonly summary: LogicalSummary;
  /** Result of the checks; empty = no damage. */
  readonly damage: readonly string[];
}

const REQUIRED_TABLES = [
  'settings',
  'usage_events',
  'usage_event_identity_ledger',
  'usage_archive_runs',
  'usage_archive_segments',
  'usage_archive_event_refs',
  'usage_maintenance_locks',
  'usage_data_migrations',
] as const;

/** Starts the transaction that proves that nobody else has the database open. Returns the missing tables. */
function prepare({ db }: CompactContext): readonly string[] {
  db.run('BEGIN EXCLUSIVE');
  const found = db.query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  const names = new Set(found.map(({ name }) => name));
  return REQUIRED_TABLES.filter((name) => !names.has(name));
}

/** Whether an archive run is active. Pending data migrations keep their checkpoints and do not matter. */
function isArchiving({ db }: CompactContext): boolean {
  return (
    db
      .query<{ active: number }, []>(
        `SELECT EXISTS (SELECT 1 FROM usage_maintenance_locks)
           OR EXISTS (SELECT 1 FROM usage_archive_runs WHERE status IN ('archiving', 'verifying', 'deleting')) AS active`,
      )
      .get()?.active === 1
  );
}

/** Reads the state before compacting, and ends the transaction of `prepare`. */
function baseline({ db, path }: CompactContext): Baseline {
  const damage = [...check(db, 'quick_check'), ...brokenReferences(db)];
  const result = { statistics: readFileStatistics(db, path), summary: readSummary(db), damage };
  db.run('COMMIT');
  return result;
}

function checkpointBefore({ db }: CompactContext): CheckpointOutcome {
  const outcome = checkpoint({ db }, 'truncate');
  stopPoint('compact_checkpointed');
  return outcome;
}

function vacuum({ db }: CompactContext): void {
  // A file of an earlier version: from now on its free pages are returned while the manager works. In one that has it, the pragma
  // writes before anything is known to succeed.
  if (!isIncremental(db)) db.run('PRAGMA auto_vacuum = INCREMENTAL');
  db.run('VACUUM');
  stopPoint('compact_vacuumed');
}

function checkpointAfter({ db }: CompactContext): CheckpointOutcome {
  return checkpoint({ db }, 'truncate');
}

function verify({ db, path }: CompactContext): Baseline {
  const damage = [...check(db, 'integrity_check'), ...brokenReferences(db)];
  return { statistics: readFileStatistics(db, path), summary: readSummary(db), damage };
}

function check(db: Database, pragma: 'quick_check' | 'integrity_check'): string[] {
  const rows = db.query<Record<string, string>, []>(`PRAGMA ${pragma}`).all();
  return rows.flatMap((row) => Object.values(row)).filter((text) => text !== 'ok');
}

function brokenReferences(db: Database): string[] {
  const rows = db.query<{ table: string }, []>('PRAGMA foreign_key_check').all();
  return rows.map(({ table }) => `a row of ${table} refers to nothing`);
}

/** The steps of compacting, in order; each is uninterruptible, the caller may stop between them. */
export const COMPACT_OPERATIONS = {
  prepare,
  isArchiving,
  baseline,
  checkpointBefore,
  vacuum,
  checkpointAfter,
  verify,
} as const;

export type CompactOperations = typeof COMPACT_OPERATIONS;
