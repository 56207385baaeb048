import { expect, test } from 'bun:test';
import { costRank, type ModelSums, topModels } from './ranking.ts';

function model(name: string, calls: number, cost: number, failures = 0, unpricedCalls = 0): ModelSums {
  return { model: name, calls, failures, tokens: calls * 10, cost, unpricedCalls };
}

const MODELS = [model('b', 2, 1), model('a', 2, 1), model('', 2, 1), model('z', 9, 0, 3), model('é', 3, 1)];

test('models by calls, then by the bytes of their names', () => {
  expect(topModels(MODELS, 9).map((row) => row.model)).toEqual(['z', 'é', '', 'a', 'b']);
  expect(topModels(MODELS, 1)).toEqual([{ model: 'z', calls: 9, tokens: 90, cost: 0, success_rate: 6 / 9 }]);
});

test('models by cost, then by calls, then by name', () => {
  expect(costRank(MODELS, 9).map((row) => row.model)).toEqual(['é', '', 'a', 'b', 'z']);
  expect(costRank([model('a', 1, 4), model('b', 1, 1)], 2).map((row) => row.cost_share)).toEqual([1, 0.25]);
});

test('a cost shows the number of unpriced requests', () => {
  const [row] = costRank([model('a', 3, 4, 0, 2)], 1);
  expect(row).toMatchObject({ cost: 4, unpriced_calls: 2 });
});

test('without any cost no model has a share', () => {
  expect(costRank([model('a', 1, 0)], 5).map((row) => row.cost_share)).toEqual([0]);
  expect(costRank([], 5)).toEqual([]);
});
