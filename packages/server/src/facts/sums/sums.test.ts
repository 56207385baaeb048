import { afterEach, describe, expect, setDefaultTimeout, test } from 'bun:test';
import type { PriceMap } from '@manager/core/pricing/price';
import { createPriceBook } from '@manager/core/pricing/price-book';
import { propertyRuns } from '@manager/core/testing/property-runs';
import { bucketAt, type Granularity } from '@manager/core/time/buckets';
import { createZone } from '@manager/core/time/zones';
import fc from 'fast-check';
import { checkSums } from '../../events/invariants/sums.ts';
import { openDatabase } from '../../sqlite/open.ts';
import { IDENTITY_COLUMNS } from '../answers/identity-columns.ts';
import { activitySection } from '../kernels/activity.ts';
import { createPricer } from '../kernels/cost.ts';
import { type Dimension, symbolDimension, timeDimension } from '../kernels/dimensions.ts';
import { distinctTasksSection } from '../kernels/distinct-tasks.ts';
import { overallPercentiles, overallPercentilesSection } from '../kernels/overall-percentiles.ts';
import { percentilesByGroup, percentilesSection } from '../kernels/percentiles.ts';
import { presentValuesSection } from '../kernels/present-values.ts';
import { qualitySection } from '../kernels/quality.ts';
import { groupTotals, totalsSection } from '../kernels/totals.ts';
import { createFactReader, type FactSnapshot } from '../reader.ts';
import { rewriteSegment } from '../rewrite.ts';
import { createScan } from '../scan.ts';
import { sealTail } from '../seal.ts';
import { sharingInPlace } from '../testing/sharing-in-place.ts';
import { createTestDatabase, type StoredEvent, testEvent } from '../testing/test-database.ts';
import { encodeSums, segmentWithoutSums, storeSums } from './write.ts';

const PRICES: PriceMap = {
  alpha: { prompt: 1.25, completion: 10, cache: 0.125 },
  beta: {
    prompt: 3,
    completion: 15,
    cache: 0.3,
    cacheCreation: 3.75,
    contextTiers: [{ thresholdTokens: 200_000, prompt: 6, completion: 22.5, cache: 0.6, promptConfigured: true }],
  },
  // Its price changes at an amount of input that groups are not split by.
  odd: {
    prompt: 1,
    completion: 2,
    cache: 0,
    contextTiers: [{ thresholdTokens: 500, prompt: 2, completion: 4, cache: 0, promptConfigured: true }],
  },
  // Not a whole number of coarse units: a third of a cent.
  gamma: { prompt: 0.003_333_333, completion: 1, cache: 0 },
};
const FIRST_MS = Date.parse('2026-10-31T20:00Z');
const HOUR_MS = 3_600_000;

setDefaultTimeout(180_000);

const dispose: (() => void)[] = [];
afterEach(() => {
  for (const close of dispose.splice(0)) close();
});

function timeBucket(zoneName: string, granularity: Granularity): Dimension {
  const zone = createZone(zoneName);
  return timeDimension(`${zoneName}:${granularity}`, (ms) => {
    const { startMs, endMs } = bucketAt(zone, granularity, ms);
    return { fromMs: startMs, toMs: endMs, value: startMs };
  });
}

/** What the views ask without a filter, of everything; every call from a new process. */
function answers(path: string, zoneName = 'America/New_York', isShared = false) {
  const db = openDatabase(path, { readonly: true });
  const book = createPriceBook(PRICES);
  const read = (snapshot: FactSnapshot) => {
    const query = { fromMs: 0, toMs: 9e15, filters: null, search: { query: '', apiKeyHash: '' } };
    const scan = createScan(snapshot, query, () => {});
    const pricer = createPricer(book, 1, snapshot.symbols);
    const model = symbolDimension(['analytics_model']);
    const identity = symbolDimension(IDENTITY_COLUMNS);
    const key = symbolDimension(['api_key_hash']);
    const hours = timeBucket(zoneName, 'hour');
    const groupings: readonly (readonly Dimension[])[] = [
      ...[[], [model], [identity, model], [key, model], [key, identity]],
      ...[[hours], [hours, model]],
    ];
    const totals = groupings.map((dimensions) => scan.add(totalsSection(dimensions, pricer)));
    const activity = groupings.map((dimensions) => scan.add(activitySection(dimensions, pricer)));
    const quality = scan.add(qualitySection());
    const present = scan.add(presentValuesSection(hours));
    const tasks = scan.add(distinctTasksSection());
    const overall = scan.add(overallPercentilesSection());
    const percentiles = ['hour', 'day'].map((granularity) =>
      scan.add(percentilesSection(timeBucket(zoneName, granularity as Granularity))),
    );
    scan.run();
    return {
      totals: totals.map((state) =>
        groupTotals(state())
          .map((group) => JSON.stringify(group))
          .sort(),
      ),
      activity: activity.map((state) => {
        const { groups, sums } = state();
        return Array.from({ length: groups.count() }, (_, group) =>
          JSON.stringify([groups.valuesOf(group), [...sums.subarray(group * 6, group * 6 + 6)]]),
        ).sort();
      }),
      quality: quality(),
      present: [...present()].sort(),
      tasks: tasks(),
      overall: overallPercentiles(overall()),
      percentiles: percentiles.map((state) =>
        [...percentilesByGroup(state())]
          .filter(([, { latencyMs, ttftMs }]) => latencyMs !== null || ttftMs !== null)
          .sort(([left], [right]) => left - right),
      ),
    };
  };
  const second = openDatabase(path, { readonly: true });
  const sharing = sharingInPlace(createFactReader(second), read);
  const result = createFactReader(db, isShared ? { sharing } : {}).read(read);
  db.close();
  second.close();
  expect(sharing.parts()).toBe(isShared ? 1 : 0);
  return result;
}

function store(events: readonly StoredEvent[], segmentRows: number) {
  const database = createTestDatabase();
  dispose.push(database.dispose);
  database.insert(events);
  while (sealTail({ db: database.db, now: () => 0 }, segmentRows)) {
    // The next segment.
  }
  return database;
}

/** Replaces the sums, so that everything is computed from columns. */
function withoutSums(database: ReturnType<typeof store>, zoneName?: string) {
  const copy = `${database.path}-${crypto.randomUUID()}`;
  database.db.run(`VACUUM INTO '${copy}'`);
  const db = openDatabase(copy);
  db.run('DELETE FROM fact_segment_sums');
  db.close();
  return answers(copy, zoneName);
}

/** Only sums can answer then. */
function removeColumns(database: ReturnType<typeof store>): void {
  database.db.run('DELETE FROM fact_segment_columns');
}

const draft = fc.record({
  timestamp_ms: fc.integer({ min: 0, max: 40 }).map((quarters) => FIRST_MS + quarters * 900_000 + (quarters % 7)),
  requested_model: fc.constantFrom('alpha', 'alpha', 'beta', 'odd', 'gamma', 'unpriced', ''),
  auth_index: fc.constantFrom('', '1', '2'),
  source: fc.constantFrom('', 'a'),
  api_key_hash: fc.constantFrom('', 'k', 'l'),
  service_tier: fc.constantFrom('', 'flex', 'priority'),
  failed: fc.boolean(),
  latency_ms: fc.oneof(fc.constantFrom(null, 0, 5, 70_000, 5_000_000_000), fc.integer({ min: 1, max: 200 })),
  ttft_ms: fc.constantFrom(null, 1, 2, 3),
  timestamp: fc.constantFrom('a', 'b'),
  input_tokens: fc.constantFrom(0, 7, 600, 128_000, 128_001, 200_000, 200_001, 300_000),
  cache_read_tokens: fc.constantFrom(0, 5),
  cache_write_1h_tokens: fc.constantFrom(0, 0, 0, 9),
  output_tokens: fc.constantFrom(0, 1, 333, 4_000_000),
  total_tokens: fc.constantFrom(0, 7, 1_000),
  token_quality: fc.constantFrom('', 'inconsistent', 'unclassified'),
  unclassified_tokens: fc.constantFrom(0, 3),
  created_at_ms: fc.constantFrom(FIRST_MS, FIRST_MS - 30 * 24 * HOUR_MS),
});

describe('stored sums', () => {
  test('answer what columns do, for any events and segments', () => {
    fc.assert(
      fc.property(fc.array(draft, { minLength: 1, maxLength: 60 }), fc.integer({ min: 1, max: 30 }), (drafts, rows) => {
        const database = store(
          drafts.map((members, index) => testEvent(index + 1, members as Partial<StoredEvent>)),
          rows,
        );
        const found = answers(database.path);
        expect(found).toEqual(withoutSums(database));
        if (drafts.length >= rows) expect(answers(database.path, undefined, true)).toEqual(found);
        expect(createFactReader(database.db).read(({ chunks }) => checkSums(database.db, chunks))).toEqual([]);
      }),
      { numRuns: propertyRuns(30) },
    );
  });

  test('are enough without the columns', () => {
    const database = store(someEvents(40), 10);
    const before = answers(database.path);
    removeColumns(database);
    expect(answers(database.path)).toEqual(before);
  });

  test.each([
    ['damaged', `UPDATE fact_segment_sums SET data = data || x'00'`],
    ['empty', `UPDATE fact_segment_sums SET data = x''`],
    ['of another version', 'UPDATE fact_segment_sums SET version = 99, data = zeroblob(4)'],
    ['missing', 'DELETE FROM fact_segment_sums'],
  ])('that are %s count as missing', (_, sql) => {
    const database = store(someEvents(40), 10);
    const before = answers(database.path);
    database.db.run(sql);
    expect(answers(database.path)).toEqual(before);
    removeColumns(database);
    expect(() => answers(database.path)).toThrow('is missing');
  });

  test('with a price that changes elsewhere are not used', () => {
    const database = store(
      someEvents(40).map((event) => ({ ...event, requested_model: 'odd', input_tokens: event.id * 20 })),
      10,
    );
    expect(answers(database.path)).toEqual(withoutSums(database));
    removeColumns(database);
    expect(() => answers(database.path)).toThrow('is missing');
  });

  test('of many groups have longer stretches of time, and serve only zones that these fit', () => {
    const events = Array.from({ length: 9_000 }, (_, index) =>
      testEvent(index + 1, {
        timestamp_ms: FIRST_MS + index * 900_000 + 7,
        requested_model: 'alpha',
        output_tokens: 3,
      }),
    );
    const database = store(events, 9_000);
    for (const zone of ['Asia/Kolkata', 'Asia/Kathmandu'])
      expect(answers(database.path, zone)).toEqual(withoutSums(database, zone));
    removeColumns(database);
    expect(answers(database.path, 'Asia/Kolkata').present).toHaveLength(2_251);
    expect(() => answers(database.path, 'Asia/Kathmandu')).toThrow('is missing');
  });

  test('go with a corrected segment, and come back with the new values', () => {
    const database = store(someEvents(40), 10);
    const { db } = database;
    const segments = () =>
      db.query<{ id: number }, []>('SELECT DISTINCT segment_id AS id FROM fact_segment_sums').all();
    expect(segments()).toHaveLength(4);
    db.transaction(() => {
      rewriteSegment(db, 2, [{ eventId: 12, values: { output_tokens: 77_777, total_tokens: 80_000 } }], () => {});
    }).immediate();
    expect(segments().map(({ id }) => id)).toEqual([1, 3, 4]);
    const corrected = answers(database.path);
    expect(corrected).toEqual(withoutSums(database));
    const missing = segmentWithoutSums(db) ?? 0;
    expect(missing).toBe(5);
    const made = encodeSums(db, missing);
    if (made !== null) storeSums(db, made);
    expect(segmentWithoutSums(db)).toBeNull();
    removeColumns(database);
    expect(answers(database.path)).toEqual(corrected);
  });

  test('of a segment that was replaced meanwhile are not stored', () => {
    const { db } = store(someEvents(20), 10);
    const made = encodeSums(db, 2);
    db.run('DELETE FROM fact_segments WHERE id = 2');
    if (made !== null) storeSums(db, made);
    expect(db.query('SELECT DISTINCT segment_id AS id FROM fact_segment_sums').all()).toEqual([{ id: 1 }]);
    expect(encodeSums(db, 2)).toBeNull();
  });

  test('that differ from the facts are a violation', () => {
    const { db } = store(someEvents(20), 10);
    db.run(`UPDATE fact_segment_sums AS s
            SET (checksum, data) = (SELECT checksum, data FROM fact_segment_sums WHERE segment_id = 1 AND grouping = s.grouping)
            WHERE segment_id = 2`);
    expect(createFactReader(db).read(({ chunks }) => checkSums(db, chunks))).toEqual(
      ['identities', 'key_identities', 'keys', 'slowest', 'tasks', 'times'].map(
        (name) => `the sums of fact segment 2 by ${name} differ from its facts`,
      ),
    );
  });
});

function someEvents(count: number): StoredEvent[] {
  return Array.from({ length: count }, (_, index) =>
    testEvent(index + 1, {
      timestamp_ms: FIRST_MS + index * 400_000,
      requested_model: ['alpha', 'beta', 'gamma', 'unpriced'][index % 4] ?? '',
      auth_index: String(index % 3),
      api_key_hash: `key ${index % 2}`,
      input_tokens: index * 9_000,
      output_tokens: index * 7,
      total_tokens: index * 9_007,
      latency_ms: 1 + ((index * 7) % 10),
      timestamp: String(index >> 1),
      failed: index % 5 === 0,
    }),
  );
}
