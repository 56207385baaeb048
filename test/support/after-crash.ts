import { expect } from 'bun:test';
import { join } from 'node:path';
import { checkInvariants } from '@manager/server/db/invariants';
import { openDatabase } from '@manager/server/db/open';
import { acquireLock } from '@manager/server/lock/lock';

/**
 * What must hold of a data directory whatever happened to the server before it was stopped: the lock is free, the file is whole,
 * raw rows, ledger, facts and sums agree. Returns how many events there are.
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
