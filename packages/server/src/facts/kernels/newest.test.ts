import { expect, test } from 'bun:test';
import { propertyRuns } from '@manager/core/testing/property-runs';
import fc from 'fast-check';
import { openDatabase } from '../../sqlite/open.ts';
import { NO_FILTERS } from '../query.ts';
import { createFactReader } from '../reader.ts';
import { createScan } from '../scan.ts';
import { sealTail } from '../seal.ts';
import { createTestDatabase, type StoredEvent, testEvent } from '../testing/test-database.ts';
import { newestEventsSection } from './newest-events.ts';
import { newestTasks, newestTasksSection } from './newest-tasks.ts';
import { newestTexts, newestTextsSection } from './newest-texts.ts';

// Small sizes, so that older ones are dropped all the time: the rest must equal the result over all events.

const SIZE = 3;
const FIRST_MS = 1_773_100_800_000;

const draft = fc.record({
  after: fc.integer({ min: 0, max: 12 }),
  trace: fc.constantFrom('', 'a', 'b', 'c', 'd', 'e', 'Ü', 'f', 'g'),
  credential: fc.constantFrom('x', 'y', ''),
  failed: fc.boolean(),
});

const range = fc.record({ from: fc.integer({ min: 0, max: 6 }), to: fc.integer({ min: 7, max: 13 }) });

test('the newest events, tasks and texts equal those of all events, however they are stored and requested', () => {
  fc.assert(
    fc.property(
      fc.array(draft, { minLength: 1, maxLength: 60 }),
      fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 5 }),
      fc.array(range, { minLength: 1, maxLength: 4 }),
      (drafts, seals, ranges) => {
        const database = createTestDatabase();
        const db = openDatabase(database.path, { readonly: true });
        try {
          const events = drafts.map(({ after, trace, credential: account, failed }, index) =>
            testEvent(index + 1, {
              timestamp_ms: FIRST_MS + after,
              timestamp: new Date(FIRST_MS + after).toISOString(),
              auth_index: account,
              header_trace_id: trace,
              failed,
            }),
          );
          database.insert(events);
          for (const rows of seals) sealTail({ db: database.db, now: () => 0 }, rows);
          const facts = createFactReader(db);
          // Every range a second time, from the cache.
          for (const { from, to } of [...ranges, ...ranges]) {
            const inRange = events.filter(({ timestamp_ms: at }) => at >= FIRST_MS + from && at < FIRST_MS + to);
            expect(
              facts.read((snapshot) => {
                const search = { query: '', apiKeyHash: '' };
                const asked = { fromMs: FIRST_MS + from, toMs: FIRST_MS + to, filters: NO_FILTERS, search };
                const scan = createScan(snapshot, asked, () => {});
                const newest = scan.add(newestEventsSection(SIZE, null, snapshot.rawDeletions));
                const tasks = scan.add(newestTasksSection(SIZE));
                const texts = scan.add(newestTextsSection('header_trace_id', SIZE));
                scan.run();
                return {
                  count: newest().count,
                  events: newest()
                    .top.result()
                    .map(({ eventId }) => eventId),
                  texts: newestTexts(texts(), SIZE),
                  tasks: tasksOf(newestTasks(tasks()).map((task) => [task.timestampMs, task.calls, task.failures])),
                };
              }),
            ).toEqual(expected(inRange));
          }
        } finally {
          db.close();
          database.dispose();
        }
      },
    ),
    { numRuns: propertyRuns(60) },
  );
}, 180_000);

type Task = readonly [timestampMs: number, calls: number, failures: number];

/** Those that may be among the newest: as new as the last of them. */
function tasksOf(tasks: readonly (readonly number[])[]): Task[] {
  const sorted = (tasks as readonly Task[]).toSorted((a, b) => b[0] - a[0] || b[1] - a[1] || b[2] - a[2]);
  const oldestMs = sorted[SIZE - 1]?.[0] ?? 0;
  return sorted.filter(([timestampMs]) => timestampMs >= oldestMs);
}

function expected(events: readonly StoredEvent[]) {
  const newest = events.toSorted((a, b) => b.timestamp_ms - a.timestamp_ms || b.id - a.id);
  const tasks = Map.groupBy(events, (event) => `${event.timestamp}|${event.auth_index}`);
  return {
    count: events.length,
    events: newest.slice(0, SIZE).map(({ id }) => id),
    texts: [...new Set(newest.map((event) => event.header_trace_id))].filter((text) => text !== '').slice(0, SIZE),
    tasks: tasksOf(
      [...tasks.values()].map((members) => [
        members[0]?.timestamp_ms ?? 0,
        members.length,
        members.filter(({ failed }) => failed).length,
      ]),
    ),
  };
}
