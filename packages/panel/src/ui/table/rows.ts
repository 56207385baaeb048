import type { RefObject } from 'react';
import { sortRows, type TableSort } from '../../platform/sort.ts';
import type { ExportColumn } from './export.ts';
import type { DataTableProps, TableColumn } from './types.ts';

/** Rows in the order of the sorted column; unchanged where the server sorts them. */
export function orderRows<R>(
  columns: readonly TableColumn<R>[],
  rows: readonly R[],
  sort: TableSort | null,
): readonly R[] {
  const value = columns.find((column) => column.id === sort?.column)?.sort;
  if (sort === null || value === undefined || value === true) return rows;
  return sortRows(rows, value, sort.direction);
}

export interface ShownRow<R> {
  readonly row: R;
  readonly key: string;
  /** 1 = child of another row. */
  readonly depth: 0 | 1;
  /** Has child rows. */
  readonly foldable: boolean;
}

/** Rows in screen order: each followed by its children when expanded. */
export function unfold<R>(
  rows: readonly R[],
  rowKey: (row: R) => string,
  below: ((row: R) => readonly R[]) | undefined,
  open: ReadonlySet<string>,
  order: (rows: readonly R[]) => readonly R[],
): readonly ShownRow<R>[] {
  const result: ShownRow<R>[] = [];
  for (const row of order(rows)) {
    const key = rowKey(row);
    const children = below?.(row) ?? [];
    result.push({ row, key, depth: 0, foldable: children.length > 0 });
    if (!open.has(key)) continue;
    // The same model may be below several accounts.
    for (const child of order(children)) {
      result.push({ row: child, key: `${key}/${rowKey(child)}`, depth: 1, foldable: false });
    }
  }
  return result;
}

/** The set with `key` added or removed. */
export function toggled(keys: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const next = new Set(keys);
  if (!next.delete(key)) next.add(key);
  return next;
}

/**
 * The set after a click on `key`: that row alone, or all rows between it and `from`, which then get the state of `key`. `from` =
 * the row clicked before; null = none.
 */
export function toggledRange<R>(
  keys: ReadonlySet<string>,
  rows: readonly ShownRow<R>[],
  from: string | null,
  key: string,
): ReadonlySet<string> {
  const selectable = rows.filter(({ depth }) => depth === 0);
  const start = selectable.findIndex((row) => row.key === from);
  const end = selectable.findIndex((row) => row.key === key);
  if (start < 0 || end < 0) return toggled(keys, key);
  const next = new Set(keys);
  const add = !keys.has(key);
  for (const row of selectable.slice(Math.min(start, end), Math.max(start, end) + 1)) {
    if (add) next.add(row.key);
    else next.delete(row.key);
  }
  return next;
}

export function exportColumns<R>(columns: readonly TableColumn<R>[]): readonly ExportColumn<R>[] {
  return columns.flatMap(({ id, exported }) => (exported === undefined ? [] : [{ name: id, value: exported }]));
}

/** Input of columns and cards. */
export interface TableBodyProps<R> extends DataTableProps<R> {
  readonly shownRows: readonly ShownRow<R>[];
  readonly width: number;
  readonly openRows: ReadonlySet<string>;
  readonly onFold: (key: string) => void;
  /** The row that was focused before the table switched its layout: it is focused again. */
  readonly kept: RefObject<string | null>;
}
