import { costColumn } from '../../platform/format/format.ts';
import type { TableColumn } from './types.ts';

interface MoneyOptions {
  /** Of the totals row. */
  readonly total?: number | null | undefined;
  /** Format of all costs of the column. Default: US dollars. */
  readonly column?: typeof costColumn;
}

/**
 * Cells of a column of costs, point below point. A cost that lacks unpriced requests has no mark here: the page says so once.
 *
 *     { id: 'cost', label: t('stat.cost'), ...moneyCells((row) => knownCost(row.cost, row.unpriced)), width: 76 }
 */
export function moneyCells<R>(
  cost: (row: R) => number | null,
  { total, column = costColumn }: MoneyOptions = {},
): Pick<TableColumn<R>, 'right' | 'cell' | 'fitted'> {
  return {
    right: true,
    cell: (row) => column([cost(row)])(cost(row)),
    fitted: (rows) => {
      const show = column([...rows.map(cost), total ?? null]);
      return { cell: (row) => show(cost(row)), ...(total === undefined ? {} : { total: show(total) }) };
    },
  };
}
