import { describe, expect, test } from 'bun:test';
import { openDatabase } from '../sqlite/open.ts';
import { createFactReader } from './reader.ts';
import { sealTail } from './seal.ts';
import { createTestDatabase, type StoredEvent, testEvent } from './testing/test-database.ts';

const ROWS = 10;

/** Ids of the live rows of each chunk by the reader: 'all' where all rows are live. */
function liveRowsAfter(events: readonly StoredEvent[], deletions: readonly (readonly number[])[]) {
  const database = createTestDatabase();
  const db = openDatabase(database.path, { readonly: true });
  try {
    database.insert(events);
    while (sealTail({ db: database.db, now: () => 0 }, ROWS));
    const reader = createFactReader(db);
    return deletions.map((ids) => {
      for (const id of ids) database.db.query('DELETE FROM usage_events WHERE id = ?').run(id);
      return reader.read(({ chunks }) =>
        chunks.map((chunk) => {
          const live = chunk.liveRows();
          if (live === null) return 'all';
          const { base, values } = chunk.eventIds();
          return [...live.entries()].filter(([, set]) => set === 1).map(([row]) => base + (values?.[row] ?? 0));
        }),
      );
    });
  } finally {
    db.close();
    database.dispose();
  }
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

describe('rows with a raw event', () => {
  test('are all of a chunk, some or none, after each deletion', () => {
    const events = range(1, 30).map((id) => testEvent(id));
    expect(liveRowsAfter(events, [[], range(1, 12), [30]])).toEqual([
      ['all', 'all', 'all'],
      [[], range(13, 20), 'all'],
      [[], range(13, 20), range(21, 29)],
    ]);
  });

  test('ids with gaps', () => {
    const events = range(1, 30).map((id) => testEvent(id * 3));
    expect(liveRowsAfter(events, [[3, 33, 36]])).toEqual([
      [range(2, 10).map((id) => id * 3), range(13, 20).map((id) => id * 3), 'all'],
    ]);
  });

  test('an event of another time makes a chunk overlap the others', () => {
    const events = range(1, 60).map((id) => testEvent(id, id === 55 ? { timestamp_ms: 0 } : {}));
    expect(liveRowsAfter(events, [[1], [52], range(53, 60)])).toEqual([
      [range(2, 10), 'all', 'all', 'all', 'all', 'all'],
      [range(2, 10), 'all', 'all', 'all', 'all', [51, ...range(53, 60)]],
      [range(2, 10), 'all', 'all', 'all', 'all', [51]],
    ]);
  });
});
