import { describe, expect, test } from 'bun:test';
import { nextSort, readSort, sortRows, writeSort } from '../../platform/sort.ts';
import { fittingColumns } from './columns.ts';
import { exportColumns, orderRows, toggled, toggledRange, unfold } from './rows.ts';
import type { TableColumn } from './types.ts';

describe('columns that fit', () => {
  const columns = [
    { id: 'name', width: null, minWidth: 150 },
    { id: 'a', width: 100, priority: 2 },
    { id: 'b', width: 100, priority: 1 },
    { id: 'c', width: 100, priority: 2 },
    { id: 'value', width: 80 },
  ];
  test.each([
    [800, 0, ['name', 'a', 'b', 'c', 'value']],
    [500, 0, ['name', 'a', 'b', 'value']],
    [400, 0, ['name', 'b', 'value']],
    [400, 100, ['name', 'value']],
    [100, 0, ['name', 'value']],
  ])('at %i px with %i px taken', (width, taken, ids) => {
    expect(fittingColumns(columns, width, taken).map((column) => column.id)).toEqual(ids);
  });
});

describe('order', () => {
  const fallback = { column: 'cost', direction: 'desc' } as const;

  test.each([
    [undefined, fallback],
    ['model', { column: 'model', direction: 'asc' }],
    ['-model', { column: 'model', direction: 'desc' }],
    ['-nothing', fallback],
  ] as const)('%p in the address', (text, sort) => {
    expect(readSort(text, ['model', 'cost'], fallback)).toEqual(sort);
  });

  test('only what differs from the default is written, and reads back as it was', () => {
    expect(writeSort(fallback, fallback)).toBeUndefined();
    expect(writeSort({ column: 'cost', direction: 'asc' }, fallback)).toBe('cost');
    const other = { column: 'model', direction: 'desc' } as const;
    expect(readSort(writeSort(other, fallback), ['model', 'cost'], fallback)).toEqual(other);
  });

  test('a press takes the first direction of the column, the next one turns it', () => {
    const first = nextSort(null, 'cost', 'desc');
    expect(first).toEqual({ column: 'cost', direction: 'desc' });
    expect(nextSort(first, 'cost', 'desc').direction).toBe('asc');
    expect(nextSort(first, 'model', 'asc')).toEqual({ column: 'model', direction: 'asc' });
  });

  test('unknown values are last in both directions, equal ones keep their order', () => {
    const rows = [
      { id: 1, value: null },
      { id: 2, value: 5 },
      { id: 3, value: 5 },
      { id: 4, value: 9 },
    ];
    const ids = (direction: 'asc' | 'desc') => sortRows(rows, (row) => row.value, direction).map((row) => row.id);
    expect(ids('asc')).toEqual([2, 3, 4, 1]);
    expect(ids('desc')).toEqual([4, 2, 3, 1]);
  });

  test('texts are compared with their numbers and without case', () => {
    const rows = ['gpt-10', 'Gpt-9', 'claude'];
    expect(sortRows(rows, (row) => row, 'asc')).toEqual(['claude', 'Gpt-9', 'gpt-10']);
  });
});

interface Row {
  readonly name: string;
  readonly cost: number;
  readonly parts?: readonly Row[];
}
const columns: readonly TableColumn<Row>[] = [
  { id: 'name', label: 'Name', width: null, cell: (row) => row.name, sort: (row) => row.name },
  {
    id: 'cost',
    label: 'Cost',
    width: 80,
    cell: (row) => row.cost,
    sort: (row) => row.cost,
    exported: (row) => row.cost,
  },
  { id: 'server', label: 'Server', width: 80, cell: () => null, sort: true },
];
const rows: readonly Row[] = [
  { name: 'b', cost: 1 },
  {
    name: 'a',
    cost: 2,
    parts: [
      { name: 'm1', cost: 1 },
      { name: 'm2', cost: 3 },
    ],
  },
];

describe('rows of a table', () => {
  test('are ordered here or by the server', () => {
    const names = (column: string) => orderRows(columns, rows, { column, direction: 'desc' }).map((row) => row.name);
    expect(names('cost')).toEqual(['a', 'b']);
    expect(names('server')).toEqual(['b', 'a']);
    expect(orderRows(columns, rows, null)).toBe(rows);
  });

  test('unfolded ones are followed by their parts in the same order', () => {
    const order = (some: readonly Row[]) => orderRows(columns, some, { column: 'cost', direction: 'desc' });
    const shown = unfold(
      rows,
      (row) => row.name,
      (row) => row.parts ?? [],
      new Set(['a', 'b']),
      order,
    );
    expect(shown.map(({ key, depth, foldable }) => [key, depth, foldable])).toEqual([
      ['a', 0, true],
      ['a/m2', 1, false],
      ['a/m1', 1, false],
      ['b', 0, false],
    ]);
  });

  test('only columns with a value for files are exported, by id', () => {
    expect(exportColumns(columns).map((column) => column.name)).toEqual(['cost']);
  });

  test('a key is added and removed', () => {
    expect([...toggled(new Set(['a']), 'b')]).toEqual(['a', 'b']);
    expect([...toggled(new Set(['a', 'b']), 'a')]).toEqual(['b']);
  });

  test('a range is selected or deselected like the row that ends it', () => {
    const shown = ['a', 'b', 'c', 'd'].map((key) => ({ row: key, key, depth: 0 as const, foldable: false }));
    const range = (keys: readonly string[], from: string | null, key: string) =>
      [...toggledRange(new Set(keys), shown, from, key)].sort().join('');
    expect(range(['a'], 'a', 'c')).toBe('abc');
    expect(range(['a', 'b', 'c', 'd'], 'd', 'b')).toBe('a');
    expect(range(['a'], null, 'c')).toBe('ac');
    expect(range(['a'], 'gone', 'c')).toBe('ac');
  });
});
