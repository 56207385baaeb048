import { describe, expect, test } from 'bun:test';
import { visibleColumns } from './columns.ts';

const ids = (width: number, dated = false): string[] => visibleColumns(width, dated).map((column) => column.id);

describe('columns of the table', () => {
  test('all of them on a wide page', () => {
    expect(ids(1178)).toEqual([
      'time',
      'status',
      'source',
      'model',
      'effort',
      'input',
      'output',
      'cached',
      'cost',
      'ttft',
      'elapsed',
      'rate',
    ]);
  });

  test('time, status, account, model, cost and elapsed beside the drawer', () => {
    expect(ids(618)).toEqual(['time', 'status', 'model', 'account', 'cost', 'elapsed']);
  });

  test('chosen ones are there in the order of the table; what says nothing without is always there', () => {
    const chosen = visibleColumns(1178, false, ['trace', 'cost', 'pattern']).map((column) => column.id);
    expect(chosen).toEqual(['time', 'status', 'model', 'cost', 'pattern', 'trace']);
    expect(visibleColumns(480, false, ['trace', 'cost', 'endpoint']).map((column) => column.id)).toEqual([
      'time',
      'status',
      'model',
    ]);
  });

  test('never more than fit, never fewer on a wider page', () => {
    let before = 0;
    for (let width = 480; width <= 1600; width += 10) {
      const columns = visibleColumns(width, true);
      const fixed = columns.reduce((sum, column) => sum + (column.width ?? 0), 0);
      expect(fixed).toBeLessThan(width);
      expect(columns.length).toBeGreaterThanOrEqual(before);
      before = columns.length;
    }
  });
});
