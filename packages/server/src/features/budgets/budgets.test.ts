import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type BudgetState, budgetsResponseSchema } from '@manager/core/contract/budgets';
import { BUDGETS_PATH } from '@manager/core/contract/constants';
import { sealTail } from '../../facts/seal.ts';
import { type StoredEvent, type TestDatabase, testEvent } from '../../facts/testing/test-database.ts';
import { getSettings, putSettings } from '../../sqlite/settings.ts';
import { openSite, type Site } from '../monitoring/testing/site.ts';
import { budgetRoutes } from './routes.ts';
import { type BudgetService, createBudgetService } from './service.ts';

/** In Berlin the 21st of November, 9:30. */
const NOW = Date.parse('2026-11-21T08:30:00Z');
const HOUR_MS = 3_600_000;
const FIRST_MS = Date.parse('2026-10-30T00:00:00Z');
const KEY = 'a'.repeat(64);
const ZONE = 'Europe/Berlin';

/** One event every five hours since the end of October, of three models and with three keys; `free` has no price. */
const EVENTS: readonly StoredEvent[] = Array.from(
  { length: Math.ceil((NOW - FIRST_MS) / (5 * HOUR_MS)) },
  (_, index) => {
    const tokens = (index % 7) * 1_000_000;
    return testEvent(index + 1, {
      timestamp_ms: FIRST_MS + index * 5 * HOUR_MS,
      model: ['gpt', 'gpt(high)', 'free'][index % 3] ?? '',
      api_key_hash: [KEY.toUpperCase(), 'b'.repeat(64), ''][index % 4] ?? KEY,
      normalized_total_input_tokens: tokens,
      normalized_uncached_input_tokens: tokens,
      total_tokens: tokens,
    });
  },
);

/** US dollars: a million tokens of `gpt` cost one. */
const usedBy = (passes: (event: StoredEvent) => boolean): number =>
  EVENTS.filter(({ timestamp_ms }) => timestamp_ms >= Date.parse('2026-10-31T23:00:00Z') && timestamp_ms < NOW)
    .filter((event) => passes(event) && event.model !== 'free')
    .reduce((sum, event) => sum + event.total_tokens / 1_000_000, 0);

let site: Site;
let database: TestDatabase;
let service: BudgetService;

beforeAll(() => {
  site = openSite(
    (analytics) => {
      const now = () => NOW;
      const context = () => ({ db: database.db, now });
      service = createBudgetService({
        read: async (keys) => getSettings(context(), keys),
        write: async (changes) => putSettings(context(), changes),
        use: (query) => analytics.budgetUse(query),
        spent: (query) => analytics.budgetSpent(query),
        now,
      });
      return budgetRoutes(service);
    },
    (filled) => {
      database = filled;
      const insert = database.db.query(
        `INSERT INTO model_prices (model, source, price, updated_at_ms) VALUES ('gpt', 'manual', ?, 0)`,
      );
      insert.run(JSON.stringify({ prompt: 1, completion: 0, cache: 0 }));
      database.insert(EVENTS.slice(0, 60));
      sealTail({ db: database.db, now: () => 0 }, 50);
      database.insert(EVENTS.slice(60));
    },
  );
});
afterAll(() => site.dispose());

async function put(budgets: unknown): Promise<{ status: number; body: unknown }> {
  const answer = await fetch(site.url + BUDGETS_PATH, { method: 'PUT', body: JSON.stringify({ budgets }) });
  return { status: answer.status, body: await answer.json() };
}

async function list() {
  return budgetsResponseSchema.parse(await (await fetch(site.url + BUDGETS_PATH)).json()).budgets;
}

describe('budgets', () => {
  test('are none at first', async () => {
    expect(await list()).toEqual([]);
  });

  test('have the cost of the running month of their zone, equal to a recount of the events', async () => {
    const all = { scope: 'all', name: '', usd: 1_000, timeZone: ZONE };
    const key = { scope: 'client_key', name: KEY.toUpperCase(), usd: 5, timeZone: ZONE };
    const model = { scope: 'model', name: 'gpt(low)', usd: 100_000, timeZone: ZONE };
    const unknown = { scope: 'model', name: 'nothing', usd: 1, timeZone: 'UTC' };
    expect((await put([all, key, model, unknown])).status).toBe(200);
    const states = await list();
    expect(states.map(({ scope, name, usedUsd, passed }) => [scope, name, usedUsd, passed])).toEqual([
      ['all', '', usedBy(() => true), false],
      ['client_key', KEY, usedBy(({ api_key_hash }) => api_key_hash.toLowerCase() === KEY), true],
      ['model', 'gpt', usedBy(() => true), false],
      ['model', 'nothing', 0, false],
    ]);
    expect(states[0]).toMatchObject({
      fromMs: Date.parse('2026-10-31T23:00:00Z'),
      toMs: Date.parse('2026-11-30T23:00:00Z'),
    });
    expect(states[0]?.unpricedCalls).toBeGreaterThan(0);
    expect(states[0]?.forecastUsd).toBeGreaterThan(states[0]?.usedUsd ?? 0);
    expect(states[1]?.reachedMs).toBeLessThan(NOW);
    expect(states[3]?.fromMs).toBe(Date.parse('2026-11-01T00:00:00Z'));
  });

  test('have the same amounts from stored sums', async () => {
    const amounts = (states: readonly Pick<BudgetState, 'name' | 'usedUsd' | 'passed' | 'fromMs' | 'toMs'>[]) =>
      states.map(({ name, usedUsd, passed, fromMs, toMs }) => [name, usedUsd, passed, fromMs, toMs]);
    expect(amounts(await service.spent())).toEqual(amounts(await list()));
  });

  test('follow a new price at once', async () => {
    const before = (await list())[0]?.usedUsd ?? 0;
    database.db
      .query(`UPDATE model_prices SET price = ? WHERE model = 'gpt'`)
      .run('{"prompt":2,"completion":0,"cache":0}');
    database.db.run(`INSERT INTO counters (name, value) VALUES ('price_revision', 1)
      ON CONFLICT (name) DO UPDATE SET value = value + 1`);
    expect((await list())[0]?.usedUsd).toBeCloseTo(before * 2, 9);
  });

  test('expect the same however many gaps were recorded after the day that one left incomplete', async () => {
    const forecast = async () => (await list())[0]?.forecastUsd;
    const whole = await forecast();
    const insert = database.db.query(`INSERT INTO collection_gaps (from_ms, to_ms, kind) VALUES (?, ?, 'away')`);
    const atMs = Date.parse('2026-11-04T12:00:00Z');
    insert.run(atMs, atMs + 2 * HOUR_MS);
    const without = await forecast();
    expect(without).not.toBe(whole);
    for (let second = 0; second < 250; second += 1) insert.run(NOW - second * 1_000, NOW - second * 1_000 + 100);
    expect(await forecast()).toBe(without);
  });

  test.each([
    [[{ scope: 'all', name: 'x', usd: 1, timeZone: 'UTC' }], 'budgets.0.name'],
    [[{ scope: 'client_key', name: 'sk-secret', usd: 1, timeZone: 'UTC' }], 'budgets.0.name'],
    [[{ scope: 'model', name: ' ', usd: 1, timeZone: 'UTC' }], 'budgets.0.name'],
    [[{ scope: 'all', name: '', usd: 0, timeZone: 'UTC' }], 'budgets.0.usd'],
    [[{ scope: 'all', name: '', usd: 2e9, timeZone: 'UTC' }], 'budgets.0.usd'],
    [[{ scope: 'all', name: '', usd: 1, timeZone: 'Mars/Olympus' }], 'unknown time zone'],
    [[{ scope: 'all', name: '', usd: 1, timeZone: 'x'.repeat(101) }], 'budgets.0.timeZone: at most 100'],
    [[{ scope: 'weather', name: '', usd: 1, timeZone: 'UTC' }], 'budgets.0.scope'],
    [
      [
        { scope: 'model', name: 'gpt', usd: 1, timeZone: 'UTC' },
        { scope: 'model', name: 'gpt(high)', usd: 2, timeZone: 'UTC' },
      ],
      'budgets.1.name: has two budgets',
    ],
    [Array.from({ length: 101 }, (_, at) => ({ scope: 'model', name: `m${at}`, usd: 1, timeZone: 'UTC' })), 'budgets'],
  ])('that are wrong change nothing', async (budgets, text) => {
    const before = await list();
    const { status, body } = await put(budgets);
    expect(status).toBe(400);
    expect(JSON.stringify(body)).toContain(text);
    expect(JSON.stringify(body)).not.toContain('sk-secret');
    expect(await list()).toEqual(before);
  });

  test('of a zone that the runtime has forgotten have the month of UTC', async () => {
    const budgets = [
      { scope: 'all', name: '', usd: 1, timeZone: 'Former/Zone' },
      { scope: 'model', name: 'gpt', usd: 1, timeZone: ZONE },
    ];
    const value = JSON.stringify({ budgets });
    putSettings({ db: database.db, now: () => NOW }, [{ key: 'budgets', value, updatedAtMs: NOW }]);
    expect((await list()).map(({ timeZone, fromMs }) => [timeZone, fromMs])).toEqual([
      ['Former/Zone', Date.parse('2026-11-01T00:00:00Z')],
      [ZONE, Date.parse('2026-10-31T23:00:00Z')],
    ]);
    expect((await service.spent()).map(({ fromMs }) => fromMs)).toEqual([
      Date.parse('2026-11-01T00:00:00Z'),
      Date.parse('2026-10-31T23:00:00Z'),
    ]);
  });

  test('are replaced as a whole', async () => {
    expect((await put([])).status).toBe(200);
    expect(await list()).toEqual([]);
    expect(await service.spent()).toEqual([]);
  });
});
