import { describe, expect, test } from 'bun:test';
import { checkPrice } from '@manager/core/pricing/validate';
import { formOf, NO_RATE_TEXTS, type PriceForm, priceFrom, problemsOf, sameForm } from './price-form.ts';

const withRates = (rates: Partial<PriceForm['rates']>): PriceForm => ({
  rates: { ...NO_RATE_TEXTS, ...rates },
  contextTiers: [],
  serviceTiers: [],
});

describe('the form of a price', () => {
  test('0 is a price and an empty field is not', () => {
    const price = priceFrom(withRates({ prompt: '0', completion: '8' }));
    expect(price).toMatchObject({ prompt: 0, promptConfigured: true, completion: 8, cacheReadConfigured: false });
    expect(formOf(price).rates).toEqual({ ...NO_RATE_TEXTS, prompt: '0', completion: '8' });
  });

  test.each([
    ['-1', 'prices.badNegative'],
    ['abc', 'prices.badNumber'],
    ['1,5', 'prices.badNumber'],
    ['1e999', 'prices.badNumber'],
    ['2000000000', 'prices.badLarge'],
  ] as const)('%p is refused', (text, problem) => {
    expect(problemsOf(withRates({ completion: text }))).toEqual({ completion: problem });
  });

  test('a form without any rate is refused', () => {
    expect(problemsOf(withRates({}))).toEqual({ prompt: 'prices.badEmpty' });
  });

  test('tiers have limits and words of their own', () => {
    const rates = { ...NO_RATE_TEXTS, prompt: '1' };
    const form: PriceForm = {
      rates,
      contextTiers: [
        { id: 'a', threshold: '200000', rates },
        { id: 'b', threshold: '200000', rates: NO_RATE_TEXTS },
      ],
      serviceTiers: [
        { id: 'a', tier: ' Priority ', mode: 'fast', rates },
        { id: 'b', tier: 'fast', mode: '', rates },
      ],
    };
    expect(problemsOf(form)).toEqual({
      'context.1.threshold': 'prices.badTwice',
      'context.1.prompt': 'prices.badEmpty',
      'service.1.tier': 'prices.badTwice',
    });
  });

  test('what the form makes can be stored and comes back the same', () => {
    const rates = { ...NO_RATE_TEXTS, prompt: '2.50', cacheRead: '0' };
    const form: PriceForm = {
      rates,
      contextTiers: [{ id: 'a', threshold: '200000', rates }],
      serviceTiers: [{ id: 'a', tier: 'priority', mode: 'fast', rates }],
    };
    const checked = checkPrice('acme-chat', priceFrom(form));
    if (checked.kind === 'invalid') throw new Error(checked.problem);
    expect(sameForm(formOf(checked.price), form)).toBe(true);
  });
});
