import { describe, expect, test } from 'bun:test';
import type { ModelPrice } from '@manager/core/pricing/price';
import { createPriceBook } from '@manager/core/pricing/price-book';
import fc from 'fast-check';
import { createPricer } from '../facts/kernels/cost.ts';
import { symbolDimension } from '../facts/kernels/dimensions.ts';
import { addTotals, groupTotals, type Totals, totalsSection } from '../facts/kernels/totals.ts';
import { type FactFilters, type FactQuery, NO_FILTERS } from '../facts/query.ts';
import { createFactReader, type FactSnapshot } from '../facts/reader.ts';
import { sealTail } from '../facts/seal.ts';
import { createScan } from '../facts/sections.ts';
import { createTestDatabase, type StoredEvent, type TestDatabase, testEvent } from '../facts/testing/test-database.ts';
import { openDatabase } from '../sqlite/open.ts';
import { catchUpHourlyRollup } from './ingest/hourly-catch-up.ts';
import { type RollupSums, readRollupSums } from './rollup-sums.ts';

// For any events and range, the hourly rollup with its edges gives exactly the result of a scan.

const HOUR_MS = 3_600_000;
const START_MS = Math.floor(1_773_100_800_000 / HOUR_MS) * HOUR_MS;
const NO_SEARCH = { query: '', apiKeyHash: '' };

const PRICES: Readonly<Record<string, ModelPrice>> = {
  plain: { prompt: 2, completion: 8, cache: 0.5 },
  fast: {
    prompt: 0.15,
    completion: 0.6,
    cache: 0,
    cacheCreation: 0.3,
    cacheCreationConfigured: true,
    serviceTiers: [{ mode: 'fast', serviceTier: 'priority', prompt: 1, completion: 2, cache: 0 }],
  },
  // A family whose requests of more than 272,000 tokens cost more.
  'gpt-5.4': { prompt: 2.5, completion: 15, cache: 0.25 },
};
const BOOK = createPriceBook(PRICES);
const MODELS = ['plain', 'fast', 'gpt-5.4', 'plain(high)', 'unpriced', '', '-', ' x '];

const tokens = fc.constantFrom(0, 0, 1, 999, 271_999, 300_000, 3_000_000);
const calls = fc.array(
  fc
    .record({
      atMs: fc.oneof(
        { weight: 20, arbitrary: fc.integer({ min: -HOUR_MS, max: 4 * HOUR_MS }) },
        { weight: 1, arbitrary: fc.constantFrom(-START_MS, 900_000_000_000) },
        { weight: 4, arbitrary: fc.integer({ min: 0, max: 4 }).map((hour) => hour * HOUR_MS) },
      ),
      model: fc.constantFrom(...MODELS),
      resolved_model: fc.constantFrom('', '', 'plain', 'fast'),
      service_tier: fc.constantFrom('', 'priority', 'flex'),
      failed: fc.boolean(),
      input: tokens,
      read: tokens,
      output_tokens: tokens,
      latency_ms: fc.constantFrom(null, 0, 1, 70_000),
    })
    .map(({ atMs, input, read, ...members }) => ({
      ...members,
      timestamp_ms: START_MS + atMs,
      input_tokens: input + read,
      normalized_total_input_tokens: input + read,
      normalized_uncached_input_tokens: input,
      cache_read_tokens: read,
      total_tokens: input + read + members.output_tokens,
    })),
  { minLength: 1, maxLength: 60 },
);
type Call = Parameters<typeof testEvent>[1];

const FILTERS: readonly (FactFilters | null)[] = [
  null,
  NO_FILTERS,
  { ...NO_FILTERS, models: ['plain', 'fast(low)'] },
  { ...NO_FILTERS, failed_only: true },
  { ...NO_FILTERS, include_failed: false, models: ['unpriced', '-'] },
  { ...NO_FILTERS, include_failed: false, failed_only: true },
];

function store(database: TestDatabase, list: readonly Call[], sealed: number): void {
  database.insert(list.map((call, index): StoredEvent => testEvent(index + 1, call)));
  if (sealed > 0) sealTail({ db: database.db, now: Date.now }, sealed);
  fillHourlyRollup(database);
}

function fillHourlyRollup({ db }: TestDatabase): void {
  while (catchUpHourlyRollup({ db } as Parameters<typeof catchUpHourlyRollup>[0], null).behind);
}

function read<Result>(database: TestDatabase, body: (snapshot: FactSnapshot) => Result): Result {
  const db = openDatabase(database.path, { readonly: true });
  const result = createFactReader(db).read(body);
  db.close();
  return result;
}

const goOn = () => {};

function scanned(snapshot: FactSnapshot, query: FactQuery): [number, Totals][] {
  const scan = createScan(snapshot, query, goOn);
  const pricer = createPricer(BOOK, 1, snapshot.symbols);
  const state = scan.add(totalsSection([symbolDimension(['analytics_model'])], pricer));
  scan.run();
  return groupTotals(state()).map(({ values, totals }) => [values[0]?.[0] ?? 0, totals]);
}

/** Core and edges combined, as a section combines them; without the newest event, which the rollup does not know. */
function modelsOf(parts: Iterable<readonly [number, Totals]>): ReadonlyMap<number, object> {
  const byModel = Map.groupBy(parts, ([model]) => model);
  const models = [...byModel].map(([model, list]) => {
    const { newestMs, newestId, ...sums } = addTotals(list.map(([, totals]) => totals));
    return [model, sums] as const;
  });
  return new Map(models.sort(([left], [right]) => left - right));
}

describe('sums from the hourly rollup', () => {
  test('and its edges are those of a scan', () => {
    let answered = 0;
    const property = fc.property(
      calls,
      fc.nat({ max: 60 }),
      fc.array(fc.tuple(fc.nat({ max: 2 * HOUR_MS }), fc.integer({ min: HOUR_MS, max: 4 * HOUR_MS })), {
        minLength: 3,
        maxLength: 3,
      }),
      (list, sealed, ranges) => {
        const database = createTestDatabase();
        store(database, list, sealed);
        read(database, (snapshot) => {
          for (const [from, length] of [...ranges, [0, 4 * HOUR_MS] as const]) {
            for (const asked of FILTERS) {
              const fromMs = START_MS + from;
              const query = { fromMs, toMs: fromMs + length, filters: asked, search: NO_SEARCH };
              const core = readRollupSums(snapshot, query, BOOK, goOn);
              if (core === null) continue;
              answered++;
              const edges = core.edges.flatMap((edge) => scanned(snapshot, { ...query, ...edge }));
              expect(modelsOf([...core.models, ...edges])).toEqual(modelsOf(scanned(snapshot, query)));
            }
          }
        });
        database.dispose();
      },
    );
    fc.assert(property, { numRuns: 20 });
    expect(answered).toBeGreaterThan(50);
  }, 180_000);

  const RANGE = { fromMs: START_MS + 1, toMs: START_MS + 3 * HOUR_MS, filters: null, search: NO_SEARCH };
  const call: Call = { timestamp_ms: START_MS + HOUR_MS + 5, model: 'plain', total_tokens: 7, output_tokens: 7 };

  function ask(list: readonly Call[], query: FactQuery, book = BOOK): RollupSums | null {
    const database = createTestDatabase();
    store(database, list, 0);
    const core = read(database, (snapshot) => readRollupSums(snapshot, query, book, goOn));
    database.dispose();
    return core;
  }

  test('leave the incomplete hours to the facts', () => {
    expect(ask([call], RANGE)?.edges).toEqual([{ fromMs: START_MS + 1, toMs: START_MS + HOUR_MS }]);
    expect(ask([call], { ...RANGE, fromMs: START_MS, toMs: START_MS + HOUR_MS })?.edges).toEqual([]);
  });

  test.each<readonly [string, Partial<FactQuery>]>([
    ['a search', { search: { query: 'x', apiKeyHash: '' } }],
    ['a search for a key', { search: { query: '', apiKeyHash: 'x' } }],
    ['a filter of accounts', { filters: { ...NO_FILTERS, accounts: ['x'] } }],
    ['a filter of latency', { filters: { ...NO_FILTERS, min_latency_ms: 1 } }],
    ['plausible times only', { filters: { ...NO_FILTERS, plausible_only: true } }],
    ['a filter of cache use', { filters: { ...NO_FILTERS, cache_status: 'hit' } }],
    ['no complete hour', { fromMs: START_MS + 1, toMs: START_MS + 2 * HOUR_MS - 1 }],
  ])('are not there for %s', (_name, change) => {
    expect(ask([call], { ...RANGE, ...change })).toBeNull();
  });

  test('do not exist where a price depends on single requests', () => {
    const tiers = { contextTiers: [{ thresholdTokens: 1_000, prompt: 5, completion: 9, cache: 0 }] };
    expect(
      ask([call], RANGE, createPriceBook({ plain: { prompt: 2, completion: 8, cache: 0.5, ...tiers } })),
    ).toBeNull();
    expect(ask([call], RANGE, createPriceBook({ 'plain(high)': { prompt: 2, completion: 8, cache: 0 } }))).toBeNull();
  });

  test('do not exist while events are missing in the hourly rollup', () => {
    const database = createTestDatabase();
    store(database, [call], 0);
    const asked = () => read(database, (snapshot) => readRollupSums(snapshot, RANGE, BOOK, goOn)?.models.size);
    expect(asked()).toBe(1);
    database.insert([testEvent(2, call)]);
    expect(asked()).toBeUndefined();
    fillHourlyRollup(database);
    expect(asked()).toBe(1);
    database.dispose();
  });
});
