import { afterEach, expect, test } from 'bun:test';
import type { PriceMap } from '@manager/core/pricing/price';
import { createPriceBook } from '@manager/core/pricing/price-book';
import { propertyRuns } from '@manager/core/testing/property-runs';
import { analyticsModel } from '@manager/core/usage/models';
import fc from 'fast-check';
import { openDatabase } from '../sqlite/open.ts';
import { ACTIVITY_SLOTS, activityAt, activitySection } from './kernels/activity.ts';
import { createPricer } from './kernels/cost.ts';
import { symbolDimension } from './kernels/dimensions.ts';
import { addTotals, costOfTotals, groupTotals, type Totals, totalsSection } from './kernels/totals.ts';
import { createFactReader } from './reader.ts';
import { createScan } from './scan.ts';
import { sealTail } from './seal.ts';
import { createTestDatabase, type StoredEvent, testEvent } from './testing/test-database.ts';

const PRICES: PriceMap = {
  alpha: { prompt: 1.25, completion: 10, cache: 0.125 },
  beta: {
    prompt: 3,
    completion: 15,
    cache: 0.3,
    cacheCreation: 3.75,
    contextTiers: [{ thresholdTokens: 500, prompt: 6, completion: 22.5, cache: 0.6, promptConfigured: true }],
  },
  // Not a whole number of units: a third of a cent.
  gamma: { prompt: 0.003_333_333, completion: 750_000, cache: 0 },
};

const dispose: (() => void)[] = [];
afterEach(() => {
  for (const close of dispose.splice(0)) close();
});

function store() {
  const database = createTestDatabase();
  const db = openDatabase(database.path, { readonly: true });
  dispose.push(() => {
    db.close();
    database.dispose();
  });
  const facts = createFactReader(db, { cacheBytes: 300_000 });
  const book = createPriceBook(PRICES);
  const ask = (fromMs: number, toMs: number, dimensions: 'all' | 'models' | 'three') =>
    facts.read((snapshot) => {
      const scan = createScan(
        snapshot,
        { fromMs, toMs, filters: null, search: { query: '', apiKeyHash: '' } },
        () => {},
      );
      const columns = {
        all: [],
        models: [['analytics_model']],
        three: [['analytics_model'], ['auth_index'], ['source']],
      };
      const state = scan.add(
        totalsSection(
          (columns[dimensions] as Parameters<typeof symbolDimension>[0][]).map(symbolDimension),
          createPricer(book, 1, snapshot.symbols),
        ),
      );
      scan.run();
      return groupTotals(state()).map(({ values, totals }) => ({
        name: values.map(([symbol]) => snapshot.symbols.text(symbol ?? 0)).join('/'),
        totals,
      }));
    });
  return { database, facts, book, ask };
}

const draft = fc.record({
  timestamp_ms: fc.integer({ min: 1_000, max: 1_040 }),
  requested_model: fc.constantFrom('alpha', 'beta', 'gamma', 'unpriced', ''),
  auth_index: fc.constantFrom('', '-', '1', '2'),
  source: fc.constantFrom('', 'a', ' a '),
  service_tier: fc.constantFrom('', 'flex', 'priority'),
  failed: fc.boolean(),
  latency_ms: fc.constantFrom(null, 0, 5, 70_000),
  input_tokens: fc.integer({ min: 0, max: 1_000 }),
  output_tokens: fc.constantFrom(0, 1, 333, 4_000_000),
  total_tokens: fc.constantFrom(0, 7, 1_000),
});

function sums(events: readonly StoredEvent[]) {
  const newest = events.toSorted((a, b) => b.timestamp_ms - a.timestamp_ms || b.id - a.id)[0];
  const sum = (of: (event: StoredEvent) => number) => events.reduce((total, event) => total + of(event), 0);
  const latencies = events.filter((event) => (event.latency_ms ?? 0) > 0);
  return {
    calls: events.length,
    failures: sum((event) => (event.failed ? 1 : 0)),
    inputTokens: sum((event) => event.input_tokens),
    outputTokens: sum((event) => event.output_tokens),
    totalTokens: sum((event) => event.total_tokens),
    latencySumMs: latencies.reduce((total, event) => total + (event.latency_ms ?? 0), 0),
    latencySamples: latencies.length,
    newestMs: newest?.timestamp_ms ?? 0,
    newestId: newest?.id ?? 0,
    zeroTokenCalls: sum((event) => (!event.failed && event.total_tokens === 0 ? 1 : 0)),
    unpricedCalls: sum((event) => (event.total_tokens > 0 && !(analyticsModel(event) in PRICES) ? 1 : 0)),
  };
}

test('sums of every group equal a recount, for any segments and earlier queries', () => {
  fc.assert(
    fc.property(
      fc.array(draft, { minLength: 1, maxLength: 50 }),
      fc.array(fc.integer({ min: 1, max: 20 }), { maxLength: 5 }),
      fc.array(fc.tuple(fc.integer({ min: 990, max: 1_045 }), fc.integer({ min: 1, max: 60 })), {
        minLength: 1,
        maxLength: 5,
      }),
      (drafts, seals, ranges) => {
        const { database, ask } = store();
        const events = drafts.map((members, index) => testEvent(index + 1, members));
        const half = Math.ceil(events.length / 2);
        const known: StoredEvent[] = [];
        const check = () => {
          for (const [fromMs, length] of ranges) {
            const inside = known.filter(
              (event) => event.timestamp_ms >= fromMs && event.timestamp_ms < fromMs + length,
            );
            const [all] = ask(fromMs, fromMs + length, 'all');
            if (inside.length === 0) expect(all).toBeUndefined();
            else expect(all?.totals).toMatchObject(sums(inside));
            for (const [dimensions, nameOf] of [
              ['models', (event: StoredEvent) => analyticsModel(event)],
              ['three', (event: StoredEvent) => [analyticsModel(event), event.auth_index, event.source].join('/')],
            ] as const) {
              const groups = ask(fromMs, fromMs + length, dimensions);
              expect(groups.map(({ name }) => name).sort()).toEqual([...new Set(inside.map(nameOf))].sort());
              for (const { name, totals } of groups) {
                expect(totals).toMatchObject(sums(inside.filter((event) => nameOf(event) === name)));
              }
              // Exactly: the whole is the sum of its parts.
              const whole: Totals = addTotals(groups.map(({ totals }) => totals));
              expect(whole).toEqual(addTotals(all === undefined ? [] : [all.totals]));
            }
          }
        };
        for (const part of [events.slice(0, half), events.slice(half)]) {
          database.insert(part);
          known.push(...part);
          check();
          for (const rows of seals) sealTail({ db: database.db, now: () => 0 }, rows);
          check();
        }
      },
    ),
    { numRuns: propertyRuns(40) },
  );
}, 180_000);

test('many groups of several segments have all of their sums, also from columns', () => {
  const { database, ask } = store();
  const models = Array.from({ length: 90 }, (_, index) => `model ${index}`);
  database.insert(
    models.map((requested_model, index) =>
      testEvent(index + 1, { timestamp_ms: 1_000 + index, requested_model, output_tokens: index, total_tokens: index }),
    ),
  );
  while (sealTail({ db: database.db, now: () => 0 }, 40)) {
    // The next segment.
  }
  const expected = models.map((name, index) => [name, 1, index] as const).sort();
  const found = (toMs: number) =>
    ask(1_000, toMs, 'models')
      .map(({ name, totals }) => [name, totals.calls, totals.outputTokens] as const)
      .sort();
  expect(found(2_000)).toEqual(expected);
  database.db.run('DELETE FROM fact_segment_sums');
  // Another process: nothing is cached.
  const again = createFactReader(database.db);
  const calls = again.read((snapshot) => {
    const query = { fromMs: 0, toMs: 2_000, filters: null, search: { query: '', apiKeyHash: '' } };
    const scan = createScan(snapshot, query, () => {});
    const pricer = createPricer(createPriceBook(PRICES), 1, snapshot.symbols);
    const totals = scan.add(totalsSection([symbolDimension(['analytics_model'])], pricer));
    const activity = scan.add(activitySection([symbolDimension(['analytics_model'])], pricer));
    scan.run();
    const { groups, sums } = activity();
    const active = Array.from(
      { length: groups.count() },
      (_, group) => activityAt(sums, group * ACTIVITY_SLOTS).tokens,
    );
    return [
      groupTotals(totals())
        .map((group) => group.totals.outputTokens)
        .sort(),
      active.sort(),
    ];
  });
  const tokens = models.map((_, index) => index).sort();
  expect(calls).toEqual([tokens, tokens]);
});

test('a cost is exact to the unit where doubles would drift', () => {
  const { database, ask } = store();
  // 0.1 USD each: ten of them are one dollar, in any order.
  database.insert(
    Array.from({ length: 1_000 }, (_, index) =>
      testEvent(index + 1, { timestamp_ms: 1_000, requested_model: 'alpha', output_tokens: 10_000, total_tokens: 1 }),
    ),
  );
  expect(ask(1_000, 1_001, 'all')[0]?.totals).toMatchObject({ costDollars: 100, costRest: 0 });
});

test('a single request above eight dollars keeps its cost', () => {
  const { database, ask } = store();
  database.insert([
    testEvent(1, { timestamp_ms: 1_000, requested_model: 'gamma', output_tokens: 4_000_000, total_tokens: 1 }),
    testEvent(2, { timestamp_ms: 1_000, requested_model: 'gamma', output_tokens: 1, total_tokens: 1 }),
  ]);
  const [all] = ask(1_000, 1_001, 'all');
  expect(costOfTotals(all?.totals ?? { costDollars: 0, costRest: 0 })).toBeCloseTo(3_000_000.75, 9);
});
