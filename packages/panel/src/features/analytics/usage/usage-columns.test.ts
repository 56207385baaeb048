import { expect, test } from 'bun:test';
import { moneyOf } from '../money.ts';
import { testModel } from '../testing/answers.ts';
import { USAGE_SORTS, usageColumns } from './usage-columns.tsx';
import { modelRow } from './usage-rows.ts';

const columns = usageColumns({
  t: (key) => key,
  zone: 'UTC',
  locale: 'en',
  money: moneyOf({ factor: 1, label: '' }),
  by: 'cost',
  summary: undefined,
  nameLabel: 'name',
  detailLabel: 'detail',
  exportedName: (row) => row.name,
  rates: true,
  times: true,
});

test('every sort key of the address is a column, and every column can be sorted', () => {
  expect(columns.map(({ id }) => id)).toEqual(USAGE_SORTS.toSorted((a, b) => place(a) - place(b)));
  expect(columns.filter(({ sort }) => sort === undefined)).toEqual([]);
});

test('an unpriced row has no cost, and its cost per 1,000 requests is unknown as well', () => {
  const row = modelRow(testModel('a', { cost: 0, calls: 2, unpriced_calls: 2 }));
  const exported = new Map(columns.map((column) => [column.id, column.exported?.(row)]));
  expect([exported.get('cost_usd'), exported.get('cost_per_1000_usd'), exported.get('requests')]).toEqual([
    null,
    null,
    2,
  ]);
});

const place = (id: string): number => columns.findIndex((column) => column.id === id);
