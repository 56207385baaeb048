import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { SEGMENT_ROWS } from './columns.ts';
import { createTestDatabase, testEvent } from './testing/test-database.ts';

/** About 32 MiB; with doubles, and all texts of a column at once, it would be twice as much. */
const LIMIT_BYTES = 52 * 2 ** 20;
const DISTINCT = 1_024;

test('sealing a whole segment uses little memory', async () => {
  const database = createTestDatabase();
  database.insert(
    Array.from({ length: DISTINCT }, (_, index) =>
      testEvent(index + 1, {
        model: `model-${index % 7}`,
        source: `account-${index % 500}`,
        input_tokens: index * 37,
        output_tokens: index,
        total_tokens: index * 38,
        latency_ms: index * 11,
        request_id: `request ${crypto.randomUUID()}`,
        header_trace_id: `trace ${crypto.randomUUID()}`,
        fail_summary: index % 10 === 0 ? 'the upstream is overloaded, try again later' : '',
      }),
    ),
  );
  const names = database.db
    .query<{ name: string }, []>(`SELECT name FROM pragma_table_info('facts_tail') WHERE name <> 'event_id'`)
    .all()
    .map(({ name }) => name)
    .join(', ');
  for (let rows = DISTINCT; rows < SEGMENT_ROWS; rows *= 2)
    database.db.run(`INSERT INTO facts_tail (event_id, ${names}) SELECT event_id + ${rows}, ${names} FROM facts_tail`);

  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'testing/seal-memory-child.ts'), database.path], {
    stdout: 'pipe',
  });
  const { rows, grownBytes } = JSON.parse(await new Response(child.stdout).text());
  database.dispose();
  expect(rows).toBe(SEGMENT_ROWS);
  expect(grownBytes).toBeLessThan(LIMIT_BYTES);
}, 180_000);
