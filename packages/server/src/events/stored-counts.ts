import type { ReaderContext } from '../sqlite/contexts.ts';
import { readCounter } from './ingest/counters.ts';

export interface StoredCounts {
  readonly events: number;
  readonly deadLetters: number;
  /** Events with a time outside `[2000-01-01, arrival + 1 day]`. */
  readonly implausibleTimestamps: number;
}

/** Read operation for `/status`; reads counters, and counts only the dead letters, of which there are few. */
export function storedCounts({ db }: ReaderContext, _args: null): StoredCounts {
  const letters = db.query<{ rows: number }, []>('SELECT count(*) AS rows FROM dead_letters').get();
  return {
    events: readCounter(db, 'events'),
    deadLetters: letters?.rows ?? 0,
    implausibleTimestamps: readCounter(db, 'implausible_timestamps'),
  };
}
