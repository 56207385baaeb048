import type { Database } from 'bun:sqlite';

/** The highest id that was ever given to an event, 0 = none. */
export function newestEvent(db: Database): number {
  return (
    db.query<{ id: number }, []>("SELECT seq AS id FROM sqlite_sequence WHERE name = 'usage_events'").get()?.id ?? 0
  );
}
