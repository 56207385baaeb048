import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { eventRowsOf } from './event-rows.ts';
import { readShape } from './format.ts';

test('pages that are cut by their bytes leave out no row of either table', () => {
  const db = new Database(':memory:');
  for (const table of ['usage_events', 'usage_events_archive']) {
    db.run(`CREATE TABLE ${table} (id INTEGER PRIMARY KEY, event_key, api_group_key, timestamp, model)`);
  }
  for (let id = 1; id <= 40; id += 1) {
    // Long rows in one table, short ones in the other.
    const table = id % 3 === 0 ? 'usage_events_archive' : 'usage_events';
    db.run(`INSERT INTO ${table} VALUES (?, '', '', '', ?)`, [id, 'x'.repeat(id % 3 === 0 ? 90 : 2)]);
  }
  const rows = eventRowsOf(readShape(db), 200);
  const ids: number[] = [];
  const sizes: number[] = [];
  for (;;) {
    const page = rows.page(db, ids.at(-1) ?? 0);
    if (page.length === 0) break;
    sizes.push(page.length);
    ids.push(...page.map(({ row_id }) => Number(row_id)));
  }
  expect(ids).toEqual(Array.from({ length: 40 }, (_, index) => index + 1));
  expect(Math.max(...sizes)).toBeLessThan(12);
  db.close();
});
