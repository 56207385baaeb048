import { expect, test } from 'bun:test';
import { calculate } from './calculate.ts';

const form = { input: '10,000', cacheRead: '4000', cacheCreation: '0', cacheWrite1h: '0', output: '500', tier: '' };

test('the parts of a request add up, and a tier multiplies them', () => {
  const price = { prompt: 2, completion: 8, cache: 0, cacheRead: 0.5 };
  const { usd, parts } = calculate('acme-chat', price, form);
  expect(Number(usd)).toBeCloseTo(0.018, 12);
  expect(parts.reduce((sum, part) => sum + part.usd, 0)).toBeCloseTo(Number(usd), 12);
  expect(calculate('acme-chat', price, { ...form, tier: 'flex' }).usd).toBeCloseTo(0.009, 12);
  expect(calculate('acme-chat', null, form)).toEqual({ usd: null, parts: [] });
});

test('cache writes for one hour are a part of the cache writes', () => {
  const price = { prompt: 3, completion: 15, cache: 0, cacheCreation: 3.75, cacheWrite1h: 6 };
  const written = { ...form, cacheRead: '0', cacheCreation: '900', cacheWrite1h: '600' };
  const { parts } = calculate('acme-chat', price, written);
  expect(parts.map(({ kind, tokens, rate }) => [kind, tokens, rate])).toEqual([
    ['uncached', 9_100, 3],
    ['creation', 300, 3.75],
    ['write1h', 600, 6],
    ['output', 500, 15],
  ]);
  const tooMany = calculate('acme-chat', price, { ...written, cacheWrite1h: '1000' });
  expect(tooMany.parts.find(({ kind }) => kind === 'write1h')?.tokens).toBe(900);
});
