import { describe, expect, test } from 'bun:test';
import { JUDGED_REQUESTS, JUDGED_SHARE, judgeChange } from './judge-change.ts';

const many = JUDGED_REQUESTS;

describe('the verdict on a change', () => {
  test.each([
    ['a higher latency', { before: 100, after: 200, good: 'down' }, 'worse', 1],
    ['a lower latency', { before: 200, after: 100, good: 'down' }, 'better', -0.5],
    ['more cache hits', { before: 0.4, after: 0.5, good: 'up' }, 'better', 0.25],
    ['exactly the smallest judged change', { before: 100, after: 105, good: 'down' }, 'worse', JUDGED_SHARE],
    ['a smaller change', { before: 100, after: 104.9, good: 'down' }, 'neutral', 0.049],
    ['no change', { before: 100, after: 100, good: 'down' }, 'neutral', 0],
    ['an amount, which is neither good nor bad', { before: 100, after: 900, good: null }, 'neutral', 8],
    ['an unknown earlier value', { before: null, after: 5, good: 'down' }, 'neutral', null],
    ['an unknown later value', { before: 5, after: null, good: 'down' }, 'neutral', null],
    ['something after nothing', { before: 0, after: 5, good: 'down' }, 'worse', null],
    ['nothing after nothing', { before: 0, after: 0, good: 'down' }, 'neutral', null],
  ] as const)('%s', (_, values, verdict, relative) => {
    const judged = judgeChange({ baseRequests: many, ...values });
    expect(judged.verdict).toBe(verdict);
    if (relative === null) expect(judged.relative).toBeNull();
    else expect(judged.relative).toBeCloseTo(relative, 9);
  });

  test('few requests are never judged, however large the change', () => {
    const huge = { before: 1, after: 550, good: 'down' } as const;
    expect(judgeChange({ baseRequests: many - 1, ...huge })).toEqual({ verdict: 'neutral', relative: 549 });
    expect(judgeChange({ baseRequests: many, ...huge }).verdict).toBe('worse');
  });

  test('a share that reads as unchanged is neutral, however large it is relative to a tiny one', () => {
    const tiny = { baseRequests: 1e6, before: 0.0001, after: 0.0004, good: 'down' } as const;
    expect(judgeChange({ ...tiny, share: true }).verdict).toBe('neutral');
    expect(judgeChange({ ...tiny, after: 0.0007, share: true }).verdict).toBe('worse');
    expect(judgeChange({ ...tiny, before: 0, after: 0.03, share: true }).verdict).toBe('worse');
  });
});
