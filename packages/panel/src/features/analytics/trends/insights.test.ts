import { describe, expect, test } from 'bun:test';
import { testModel, testSummary } from '../testing/answers.ts';
import { modelRow } from '../usage/usage-rows.ts';
import { insightsOf } from './insights.ts';

describe('notable facts', () => {
  const none = { keys: [], accounts: [], providers: [] };

  test('are shown with their numbers, at most four, in a fixed order', () => {
    const answer = {
      generated_at_ms: 0,
      granularity: 'hour' as const,
      summary: testSummary({ total_calls: 10, total_cost: 10, input_tokens: 100, cache_hit_rate: 0.01 }),
      model_stats: [testModel('big', { cost: 8 }), ...['a', 'b', 'c'].map((name) => testModel(name, { cost: 0.7 }))],
    };
    const account = { ...modelRow(testModel('acc', { calls: 10, failure_calls: 2, cost: 1 })) };
    const key = { ...modelRow(testModel('key', { cost: 3 })) };
    const found = insightsOf(answer, { ...none, accounts: [account], keys: [key] }, 'cost', true);
    expect(found.map(({ id }) => id)).toEqual(['model', 'key', 'account', 'small']);
    expect(found[0]?.values).toEqual({ name: 'big', share: '80.0%' });
  });

  test('the account that fails most is one that fails often, and none where only failures are counted', () => {
    const account = (name: string, calls: number, failure_calls: number) =>
      modelRow(testModel(name, { calls, failure_calls, cost: 0 }));
    const accounts = [account('busy', 10_000, 90), account('down', 20, 20), account('shaky', 40, 10)];
    const answer = { generated_at_ms: 0, granularity: 'hour' as const, summary: testSummary({ total_calls: 9 }) };
    const [found] = insightsOf(answer, { ...none, accounts }, 'cost', true);
    expect(found).toMatchObject({ id: 'account', values: { name: 'down', failed: '20', share: '100%' } });
    expect(insightsOf(answer, { ...none, accounts }, 'cost', false)).toEqual([]);
  });

  test('is nothing without requests', () => {
    expect(insightsOf({ generated_at_ms: 0, granularity: 'hour', summary: testSummary() }, none, 'cost', true)).toEqual(
      [],
    );
  });
});
