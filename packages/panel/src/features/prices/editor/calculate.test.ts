import { expect, test } from 'bun:test';
import { calculate } from './calculate.ts';

const form = { input: '10,000', cacheRead: '4000', cacheCreation: '0', output: '500', tier: '' };

test('the parts of a request add up, and a tier multiplies them', () => {
  const price = { prompt: 2, completion: 8, cache: 0, cacheRead: 0.5 };
  const { usd, parts } = calculate('acme-chat', price, form);
  expect(Number(usd)).toBeCloseTo(0.018, 12);
  expect(parts.reduce((sum, part) => sum + part.usd, 0)).toBeCloseTo(Number(usd), 12);
  expect(calculate('acme-chat', price, { ...form, tier: 'flex' }).usd).toBeCloseTo(0.009, 12);
  expect(calculate('acme-chat', null, form)).toEqual({ usd: null, parts: [] });
});
