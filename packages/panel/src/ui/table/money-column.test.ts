import { expect, test } from 'bun:test';
import { fittedColumns } from './fitted-columns.ts';
import { moneyCells } from './money-column.ts';
import type { TableColumn } from './types.ts';

interface Row {
  readonly cost: number | null;
  readonly below?: readonly Row[];
}

const column: TableColumn<Row> = {
  id: 'cost',
  label: 'Cost',
  width: 76,
  ...moneyCells((row) => row.cost, { total: 0.75 }),
};
const other: TableColumn<Row> = { id: 'name', label: 'Name', width: null, cell: () => 'a', total: 'Total' };
const rows: readonly Row[] = [{ cost: 0.5, below: [{ cost: 0.125 }] }, { cost: 0.25 }, { cost: null }];

test('the costs of a column, its child rows and its total have as many decimals', () => {
  const [name, cost] = fittedColumns([other, column], rows, ({ below = [] }) => below);
  expect(name).toBe(other);
  expect(rows.map((row) => cost?.cell(row))).toEqual(['$0.500', '$0.250', '–']);
  expect(cost?.cell({ cost: 0.125 })).toBe('$0.125');
  expect(cost?.total).toBe('$0.750');
});

test('the total counts too, and a table without such columns keeps them', () => {
  const [dollars] = fittedColumns([{ ...column, ...moneyCells<Row>((row) => row.cost, { total: 1.25 }) }], rows);
  expect([...rows.map((row) => dollars?.cell(row)), dollars?.total]).toEqual(['$0.50', '$0.25', '–', '$1.25']);
  const columns = [other];
  expect(fittedColumns(columns, rows)).toBe(columns);
});
