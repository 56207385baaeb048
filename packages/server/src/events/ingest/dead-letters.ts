import type { Database } from 'bun:sqlite';

/** Rows kept; older ones are removed and reported. */
export const MAX_DEAD_LETTERS = 10_000;

export interface DeadLetter {
  /** As received: a replay needs all of it. */
  readonly payload: string;
  /** The reason, without any part of the payload. */
  readonly error: string;
}

/** Writes letters and removes the oldest beyond the limit. Returns how many were removed. */
export function insertDeadLetters(db: Database, letters: readonly DeadLetter[], createdAtMs: number): number {
  if (letters.length === 0) return 0;
  const insert = db.query('INSERT INTO dead_letters (payload, error, created_at_ms) VALUES (?, ?, ?)');
  for (const letter of letters) insert.run(letter.payload, letter.error, createdAtMs);
  // Ids are never reused, so the oldest rows have the smallest ids.
  return db
    .query(
      `DELETE FROM dead_letters
       WHERE id <= (SELECT id FROM dead_letters ORDER BY id DESC LIMIT 1 OFFSET ?)`,
    )
    .run(MAX_DEAD_LETTERS).changes;
}
