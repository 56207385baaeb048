import type { Database } from 'bun:sqlite';
import { readSetting, writeSettings } from '../../../sqlite/settings.ts';

/** Progress of an import; stored until it is complete, so that a stopped command can continue. */
export interface ImportProgress {
  readonly lastRowId: number;
  /** The newest event at the start of the import. */
  readonly eventsUntil: number;
  readonly read: number;
  readonly added: number;
  /** Known by their identity. */
  readonly skipped: number;
  /** Also recorded here, with another identity. */
  readonly skippedOverlap: number;
  /** Rows that are no events, by reason. */
  readonly notMapped: Readonly<Record<string, number>>;
  /** Rows whose stored input buckets differ from those calculated from their tokens. */
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

/** One row of settings per source, named by a hash of its stable parts. */
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
