import { expect, test } from 'bun:test';
import type { AnalyticsResponse } from '@manager/core/contract/monitoring/analytics';
import type { Summary } from '@manager/core/contract/monitoring/sections';
import { PLAIN } from '../../../platform/format/mask.ts';
import { orderRows } from '../../../ui/table/rows.ts';
import { accountLines, statModelLines } from './line.ts';
import { LINE_SORTS, type LineContext, lineColumns } from './line-columns.tsx';

const NO_SUMS = { total_calls: 3, failure_calls: 1, total_cost: 0, unpriced_calls: 2, input_tokens: 0 } as Summary;
const context: LineContext = {
  t: (key) => key,
  zone: 'UTC',
  locale: 'en',
  masker: PLAIN,
  aliases: new Map(),
  keys: new Map(),
  summary: NO_SUMS,
  rates: true,
  before: new Map(),
  isPriced: () => null,
  onShow: () => {},
};

const model = {
  model: 'alpha-1',
  calls: 3,
  success_calls: 2,
  failure_calls: 1,
  success_rate: 2 / 3,
  input_tokens: 10,
  output_tokens: 5,
  cached_tokens: 1,
  cache_read_tokens: 2,
  cache_creation_tokens: 0,
  total_tokens: 15,
  cost: 0,
  unpriced_calls: 2,
  cache_hit_tokens: 2,
  cache_hit_input_tokens: 8,
  cache_hit_rate: 0.25,
};

test('every sort key of the address is a column of some tab', () => {
  const sortable = (['accounts', 'keys', 'models'] as const).flatMap((tab) =>
    lineColumns(tab, context).flatMap(({ id, sort }) => (sort === undefined ? [] : [id])),
  );
  expect([...new Set(sortable)].sort()).toEqual([...LINE_SORTS].sort());
});

test('what is not listed comes after what is, whatever sorts them', () => {
  const account = { ...model, id: 'a', calls: 9, models: [model], models_total: 4 };
  const below = accountLines({ account_stats: [account] } as unknown as AnalyticsResponse)[0]?.below ?? [];
  for (const column of lineColumns('accounts', context).map(({ id }) => id))
    for (const direction of ['asc', 'desc'] as const) {
      const ordered = orderRows(lineColumns('accounts', context), below, { column, direction });
      expect(ordered.map(({ source }) => source.kind)).toEqual(['model', 'rest']);
    }
});

test('columns have the numbers of the manager; unpriced is unknown, not 0', () => {
  const [line] = statModelLines({ model_stats: [model] } as unknown as AnalyticsResponse);
  if (line === undefined) throw new Error('no row');
  const values = lineColumns('models', context).map(({ id, exported }) => [id, exported?.(line)]);
  expect(Object.fromEntries(values)).toEqual({
    name: 'alpha-1',
    requests: 3,
    requestsChange: null,
    success: 2 / 3,
    failed: 1,
    input: 10,
    output: 5,
    cached: 3,
    hits: 0.25,
    tokens: 15,
    cost: null,
    costChange: null,
    price: null,
  });
});
