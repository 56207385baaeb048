import { describe, expect, test } from 'bun:test';
import { JUDGED_REQUESTS, judgeChange } from './judge-change.ts';

const many = JUDGED_REQUESTS;

describe('the verdict on a change', () => {
  test.each([
    ['a higher latency', { before: 100, after: 200, good: 'down' }, 'worse'],
    ['a lower latency', { before: 200, after: 100, good: 'down' }, 'better'],
    ['more cache hits', { before: 0.4, after: 0.5, good: 'up' }, 'better'],
    ['exactly the smallest judged change', { before: 100, after: 105, good: 'down' }, 'worse'],
    ['a smaller change', { before: 100, after: 104.9, good: 'down' }, 'neutral'],
    ['no change', { before: 100, after: 100, good: 'down' }, 'neutral'],
    ['an amount, which is neither good nor bad', { before: 100, after: 900, good: null }, 'neutral'],
    ['an unknown earlier value', { before: null, after: 5, good: 'down' }, 'neutral'],
    ['an unknown later value', { before: 5, after: null, good: 'down' }, 'neutral'],
    ['something after nothing', { before: 0, after: 5, good: 'down' }, 'worse'],
    ['nothing after nothing', { before: 0, after: 0, good: 'down' }, 'neutral'],
  ] as const)('%s', (_, values, verdict) => {
    expect(judgeChange({ baseRequests: many, ...values })).toBe(verdict);
  });

  test('few requests are never judged, however large the change', () => {
    const huge = { before: 1, after: 550, good: 'down' } as const;
    expect(judgeChange({ baseRequests: many - 1, ...huge })).toBe('neutral');
    expect(judgeChange({ baseRequests: many, ...huge })).toBe('worse');
  });

  test('a share that reads as unchanged is neutral, however large it is relative to a tiny one', () => {
    const tiny = { baseRequests: 1e6, before: 0.0001, after: 0.0004, good: 'down' } as const;
    expect(judgeChange({ ...tiny, share: true })).toBe('neutral');
    expect(judgeChange({ ...tiny, after: 0.0007, share: true })).toBe('worse');
    expect(judgeChange({ ...tiny, before: 0, after: 0.03, share: true })).toBe('worse');
  });
});
