import type { Database } from 'bun:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { builtInPrice } from '@manager/core/pricing/model-families';
import { createPriceBook } from '@manager/core/pricing/price-book';
import { checkPrice } from '@manager/core/pricing/validate';
import { createTestIngester, records, recordText, type TestIngester } from '../../../events/testing/test-ingester.ts';
import { createTestFolder, type TestFolder } from '../../../platform/testing/test-folder.ts';
import { hasHistoricalData } from '../../setup/connection-store.ts';
import { createPriceReader } from '../price-book.ts';
import { readPrices, replaceModelPrices } from '../store.ts';
import { builtInPrices } from './built-in-prices.ts';
import snapshot from './prices.json';
import { seedBuiltInPrices } from './seed.ts';

const NOW = 1_770_000_000_000;

describe('the built-in prices', () => {
  const prices = builtInPrices();

  test('are valid, and in the stored form', () => {
    for (const [model, price] of Object.entries(prices)) {
      expect(checkPrice(model, price)).toEqual({ kind: 'valid', price });
      expect(price.source).toBe('built-in');
      expect(price.prompt + price.completion).toBeGreaterThan(0);
    }
  });

  test('are those of common models, under the ids that gateways report', () => {
    const names = Object.keys(prices);
    expect(names.length).toBeGreaterThan(100);
    expect(names.filter((name) => name.includes('/'))).toEqual([]);
    for (const family of [
      /^gpt-/,
      /^claude-/,
      /^gemini-/,
      /^grok-/,
      /^deepseek-/,
      /^qwen/,
      /^kimi-/,
      /^glm-/,
      /^MiniMax-/,
      /^mistral-/,
    ]) {
      expect(names.some((name) => family.test(name))).toBe(true);
    }
  });

  test('have their source and date', () => {
    expect(snapshot.origin.published).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect(snapshot.origin).toMatchObject({ catalogue: 'models.dev', license: 'MIT' });
  });

  test.each(['', 'default', 'flex', 'batch', 'priority', 'fast'])(
    'cost what the family costs without a row, at the tier %j',
    (serviceTier) => {
      const [rows, none] = [createPriceBook(prices), createPriceBook({})];
      const inBoth = Object.keys(prices).filter((model) => builtInPrice(model) !== null);
      expect(inBoth.length).toBeGreaterThan(2);
      for (const model of inBoth) {
        const identity = { analyticsModel: model, billingModel: model, requestedModel: model, serviceTier };
        expect(rows.plan(identity)).toEqual(none.plan(identity));
      }
    },
  );

  test('of Anthropic include cache writes for one hour, at twice the input', () => {
    const claude = Object.entries(prices).filter(([, { sourceModelId = '' }]) =>
      sourceModelId.startsWith('anthropic/'),
    );
    expect(claude.length).toBeGreaterThan(10);
    for (const [, { prompt, cacheCreation, cacheWrite1h }] of claude) {
      expect(cacheCreation).toBeCloseTo(prompt * 1.25, 9);
      expect(cacheWrite1h).toBe(prompt * 2);
    }
  });

  test('include context tiers and cache prices', () => {
    const model = { analyticsModel: 'gpt-5.5', billingModel: 'gpt-5.5', requestedModel: 'gpt-5.5' };
    expect(createPriceBook(prices).plan({ ...model, serviceTier: 'default' })).toEqual({
      priced: true,
      thresholds: [272_000],
      bands: [
        { input: 5, cacheRead: 0.5, cacheCreation: 5, cacheWrite1h: 5, output: 30 },
        { input: 10, cacheRead: 1, cacheCreation: 10, cacheWrite1h: 10, output: 45 },
      ],
      longOnly: true,
    });
  });
});

describe('a database gets them', () => {
  let folder: TestFolder;
  let ingester: TestIngester;
  let db: Database;

  beforeEach(() => {
    folder = createTestFolder();
    ingester = createTestIngester(folder.path('usage.sqlite'));
    db = ingester.db;
  });
  afterEach(() => {
    db.close();
    folder.dispose();
  });

  const seed = () => seedBuiltInPrices({ db, now: () => NOW });
  const count = () => Object.keys(readPrices(db)).length;
  const put = (prices: object) =>
    replaceModelPrices({ db, now: () => NOW }, new TextEncoder().encode(JSON.stringify({ prices })));

  test('when it is new, and they do not count as history', () => {
    seed();
    const stored = readPrices(db);
    expect(Object.keys(stored).sort()).toEqual(Object.keys(builtInPrices()).sort());
    expect(stored['gpt-5.5']).toMatchObject({ source: 'built-in', updatedAtMs: NOW });
    expect(createPriceReader(db)().revision).toBe(1);
    expect(hasHistoricalData(db)).toBe(false);
  });

  test('once: a table that was replaced or cleared stays so', () => {
    seed();
    put({ own: { prompt: 1 } });
    seed();
    expect(count()).toBe(1);
    expect(hasHistoricalData(db)).toBe(true);
    put({});
    seed();
    expect(count()).toBe(0);
  });

  test('not when it has events: an upgrade must not change their cost', () => {
    ingester.ingest({ records: records(recordText()) });
    db.run('DELETE FROM usage_events');
    seed();
    expect(count()).toBe(0);
  });
});
