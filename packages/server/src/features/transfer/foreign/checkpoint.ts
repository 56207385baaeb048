import type { Database } from 'bun:sqlite';
import { readSetting, writeSettings } from '../../../sqlite/settings.ts';

/** What an import has done so far; kept until it is complete, so that a command that was stopped goes on where it was. */
export interface ImportProgress {
  readonly lastRowId: number;
  /** The newest event that was here when the import began. */
  readonly eventsUntil: number;
  readonly read: number;
  readonly added: number;
  /** Known by their identity. */
  readonly skipped: number;
  /** Recorded here as well, under another identity. */
  readonly skippedOverlap: number;
  /** Rows by the reason why they are no events. */
  readonly notMapped: Readonly<Record<string, number>>;
  /** Rows whose stored input buckets are not those that follow from their tokens. */
  readonly recounted: number;
  readonly repairedTexts: number;
}

export function emptyProgress(eventsUntil: number): ImportProgress {
  return {
    lastRowId: Number.MIN_SAFE_INTEGER,
    eventsUntil,
    read: 0,
    added: 0,
    skipped: 0,
    skippedOverlap: 0,
    notMapped: {},
    recounted: 0,
    repairedTexts: 0,
  };
}

/** One row of settings for each source, named by a hash of what stays the same in it. */
export function createCheckpoint(db: Database, fingerprint: string, now: () => number) {
  const key = `database_import:${fingerprint}`;
  const put = (value: string | null) => writeSettings(db, [{ key, value, updatedAtMs: now() }]);
  return {
    read(): ImportProgress | null {
      const stored = readSetting(db, key);
      return stored === null ? null : (JSON.parse(stored.value) as ImportProgress);
    },
    /** In the transaction that stores the events. */
    write: (progress: ImportProgress) => put(JSON.stringify(progress)),
    remove: () => put(null),
  };
}
