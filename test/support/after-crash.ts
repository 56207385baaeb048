import { expect } from 'bun:test';
import { join } from 'node:path';
import { checkInvariants } from '@manager/server/events/invariants/invariants';
import { acquireLock } from '@manager/server/platform/lock/lock';
import { openDatabase } from '@manager/server/sqlite/open';

/**
 * What must hold in a data directory after every stop of the server: the lock is free, the file is intact, raw rows, ledger,
 * facts and sums agree. Returns the number of events.
 */
export function checkStored(dataDir: string): number {
  const lock = acquireLock(join(dataDir, 'usage.sqlite'));
  try {
    const db = openDatabase(lock.canonicalPath, { readonly: true });
    try {
      expect(db.query('PRAGMA integrity_check').values()).toEqual([['ok']]);
      expect(db.query('PRAGMA foreign_key_check').values()).toEqual([]);
      expect(checkInvariants(db)).toEqual([]);
      const count = (table: string) =>
        db.query<{ rows: number }, []>(`SELECT count(*) AS rows FROM ${table}`).get()?.rows;
      const events = count('usage_events') ?? 0;
      expect(count('usage_event_identity_ledger')).toBeGreaterThanOrEqual(events);
      return events;
    } finally {
      db.close();
    }
  } finally {
    lock.release();
  }
}

/** What must hold in the database of a running server; a segment is complete or absent. */
export function checkRunning(dataDir: string): void {
  const db = openDatabase(join(dataDir, 'usage.sqlite'), { readonly: true });
  try {
    expect(checkInvariants(db)).toEqual([]);
    const torn = db.query(
      `SELECT id
       FROM fact_segments
       WHERE (SELECT count(*) FROM fact_segment_columns WHERE segment_id = fact_segments.id) <>
         (SELECT count(DISTINCT name) FROM fact_segment_columns)`,
    );
    expect(torn.all()).toEqual([]);
  } finally {
    db.close();
  }
}
