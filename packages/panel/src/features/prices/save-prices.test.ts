import { describe, expect, test } from 'bun:test';
import type { ModelPriceSyncResponse } from '@manager/core/contract/prices';
import type { ModelPrice, PriceMap } from '@manager/core/pricing/price';
import { savePrices, syncPrices } from './save-prices.ts';

const price = (prompt: number, source: string): ModelPrice => ({ prompt, completion: 0, cache: 0, source });

/** A price table whose sync overwrites `known` unless set manually. */
function table(start: PriceMap, known: PriceMap | Error) {
  let prices = start;
  return {
    prices: async () => ({ prices: { ...prices } }),
    savePrices: async (next: PriceMap) => {
      prices = next;
      return { prices: { ...prices } };
    },
    syncPrices: async (): Promise<ModelPriceSyncResponse> => {
      if (known instanceof Error) throw known;
      const open = Object.entries(known).filter(([model]) => prices[model]?.source !== 'manual');
      prices = { ...prices, ...Object.fromEntries(open) };
      return {
        source: 'models.dev',
        sources: [],
        imported: open.length,
        skipped: 0,
        proxyUsed: false,
        sourceResults: [],
        prices: {},
      };
    },
    get stored() {
      return prices;
    },
  };
}

const a = price(1, 'manual');
const b = price(2, 'manual');

describe('saving', () => {
  test('keeps what others stored, and stops where they changed the same model', async () => {
    const manager = table({ a, c: price(3, 'manual') }, {});
    expect((await savePrices(manager, { a }, new Map([['a', b]]))).kind).toBe('saved');
    expect(manager.stored).toEqual({ a: b, c: price(3, 'manual') });
    expect(await savePrices(manager, { a }, new Map([['a', a]]))).toMatchObject({ kind: 'conflict', models: ['a'] });
    expect(manager.stored.a).toEqual(b);
  });
});

describe('a sync', () => {
  test('overwrites selected models that a catalog knows, and restores the marks of the others', async () => {
    const manager = table({ a, b }, { a: price(9, 'models.dev') });
    await syncPrices(manager, ['a', 'b'], new Set(['a', 'b']));
    expect(manager.stored).toEqual({ a: price(9, 'models.dev'), b });
  });

  test('that fails changes nothing', async () => {
    const manager = table({ a }, new Error('no source answered'));
    await expect(syncPrices(manager, ['a'], new Set(['a']))).rejects.toThrow('no source answered');
    expect(manager.stored).toEqual({ a });
  });
});
