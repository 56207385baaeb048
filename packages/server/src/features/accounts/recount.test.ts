import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { costOfEvent } from '@manager/core/pricing/cost';
import { createPriceBook } from '@manager/core/pricing/price-book';
import { accountKey } from '@manager/core/usage/account-key';
import { analyticsModel, billingModel, effectiveRequestedModel } from '@manager/core/usage/models';
import { sealTail } from '../../facts/seal.ts';
import { type StoredEvent, testEvent } from '../../facts/testing/test-database.ts';
import type { Site } from '../monitoring/testing/site.ts';
import { historyOf, openAccounts, usageOf } from './testing.ts';

describe('against a recount of random events', () => {
  const START_MS = 1_773_100_800_000;
  const SPAN_MS = 5_000;
  const events = randomEvents(20_000, 7);
  const byKey = Map.groupBy(events, accountKey);
  const book = createPriceBook({ 'model-1': { prompt: 2, completion: 8, cache: 0.5 } });
  let site: Site;
  beforeAll(() => {
    site = openAccounts((database) => {
      database.db
        .query(`INSERT INTO model_prices (model, source, price, updated_at_ms) VALUES ('model-1', 'manual', ?, 0)`)
        .run(JSON.stringify({ prompt: 2, completion: 8, cache: 0.5 }));
      database.insert(events);
      for (const rows of [6_000, 7_000]) sealTail({ db: database.db, now: Date.now }, rows);
    });
  });
  afterAll(() => site.dispose());

  function recount(key: string, fromMs: number, toMs: number) {
    const all = byKey.get(key) ?? [];
    const mine = all.filter((event) => event.timestamp_ms >= fromMs && event.timestamp_ms < toMs);
    const times = mine.map(({ timestamp_ms }) => timestamp_ms);
    const cost = mine.reduce((sum, event) => sum + costOf(event), 0);
    const unpriced = mine.filter((event) => event.total_tokens > 0 && event.model !== 'model-1').length;
    return {
      total_requests: mine.length,
      failure_calls: mine.filter(({ failed }) => failed).length,
      total_tokens: mine.reduce((sum, event) => sum + event.total_tokens, 0),
      total_cost: expect.closeTo(cost, 9),
      ...(unpriced === 0 ? {} : { unpriced_calls: unpriced }),
      last_seen_ms: times.length === 0 ? null : Math.max(...times),
    };
  }

  function costOf(event: StoredEvent): number {
    const identity = {
      analyticsModel: analyticsModel(event),
      billingModel: billingModel(event),
      requestedModel: effectiveRequestedModel(event),
      serviceTier: '',
    };
    return costOfEvent(book, identity, {
      totalInput: event.input_tokens,
      uncachedInput: event.input_tokens,
      cached: 0,
      cacheRead: 0,
      cacheCreation: 0,
      cacheWrite1h: 0,
      billableOutput: event.output_tokens,
    });
  }

  test('200 accounts have the totals of their events', async () => {
    const accounts = Array.from({ length: 200 }, (_, index) => ({ row_key: `${index}`, ...identityOf(index) }));
    const { items } = await historyOf(site, { accounts });
    expect(items.map(({ row_key }) => row_key)).toEqual(accounts.map(({ row_key }) => row_key));
    for (const item of items) {
      expect(item).toMatchObject(recount(item.account_key, 0, 8e15));
      const times = (byKey.get(item.account_key) ?? []).map((event) => event.timestamp_ms);
      expect(item.first_seen_ms).toBe(times.length === 0 ? null : Math.min(...times));
    }
    expect(items.filter(({ matched }) => matched).length).toBeGreaterThan(100);
  });

  test('400 overlapping windows are each complete', async () => {
    const windows = Array.from({ length: 400 }, (_, index) => {
      const from_ms = START_MS + ((index * 37) % SPAN_MS);
      return {
        row_key: `${index}`,
        provider_window_id: 'w',
        from_ms,
        to_ms: from_ms + 1 + ((index * 911) % SPAN_MS),
        ...identityOf(index % 5),
      };
    });
    const { items } = await usageOf(site, { windows });
    for (const [index, item] of items.entries()) {
      const { from_ms, to_ms, ...identity } = windows[index] ?? { from_ms: 0, to_ms: 0 };
      const key = accountKey(testEvent(1, identity));
      expect(item).toMatchObject(recount(key, from_ms, to_ms));
    }
  });

  function identityOf(index: number) {
    return index % 3 === 0
      ? {
          auth_file_snapshot: `file-${index}.json`,
          auth_provider_snapshot: 'codex',
          account_snapshot: 'one@example.test',
        }
      : { auth_index: `index-${index}`, auth_provider_snapshot: index % 2 === 0 ? 'x_ai' : 'Grok' };
  }

  function randomEvents(count: number, seed: number): StoredEvent[] {
    let state = seed;
    const below = (limit: number) => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
      return (state >> 8) % limit;
    };
    return Array.from({ length: count }, (_, index) => {
      // Half of the events belong to the first five accounts.
      const identity = identityOf(below(2) === 0 ? below(5) : below(150));
      return testEvent(index + 1, {
        ...identity,
        timestamp_ms: START_MS + below(SPAN_MS * 2),
        model: `model-${below(3)}`,
        input_tokens: below(5_000),
        output_tokens: below(500),
        total_tokens: below(5_500),
        failed: below(10) === 0,
      });
    });
  }
});
