import type { Database } from 'bun:sqlite';

/**
 * Registers the SQL function `still_wanted()`: 1, or an error once nobody waits for the answer. SQLite of this runtime has no
 * interrupt, so a function that is called for every row ends a long statement.
 */
export function registerStillWanted(db: Database, stopped: () => boolean): void {
  db.function('still_wanted', () => {
    if (stopped()) throw new Error('no request waits for this response');
    return 1;
  });
}
