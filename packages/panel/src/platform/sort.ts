export type SortDirection = 'asc' | 'desc';

export interface TableSort {
  /** Id of the column. */
  readonly column: string;
  readonly direction: SortDirection;
}

/** null = unknown, which is last in both directions. */
export type SortValue = string | number | boolean | null;

/** Order in the address: `cost` ascending, `-cost` descending; anything unknown gives the default. */
export function readSort<F extends TableSort | null>(
  text: string | undefined,
  columns: readonly string[],
  fallback: F,
): TableSort | F {
  if (text === undefined || text === '') return fallback;
  const column = text.startsWith('-') ? text.slice(1) : text;
  if (!columns.includes(column)) return fallback;
  return { column, direction: text.startsWith('-') ? 'desc' : 'asc' };
}

/** undefined for the default, which is not written. */
export function writeSort(sort: TableSort | null, fallback: TableSort | null): string | undefined {
  if (sort === null) return undefined;
  if (fallback !== null && sort.column === fallback.column && sort.direction === fallback.direction) return undefined;
  return sort.direction === 'desc' ? `-${sort.column}` : sort.column;
}

/** The order after a click on a column header: its first direction, then the other one. */
export function nextSort(current: TableSort | null, column: string, first: SortDirection): TableSort {
  if (current?.column !== column) return { column, direction: first };
  return { column, direction: current.direction === 'asc' ? 'desc' : 'asc' };
}

/**
 * Texts compare without case and by the value of their numbers (`gpt-9` before `gpt-10`). Computed once per row and compared by
 * code units, because a collator needs seconds for 50,000 rows.
 */
function comparable(value: Exclude<SortValue, null>): string | number {
  if (typeof value !== 'string') return Number(value);
  return value.toLowerCase().replace(/\d+/g, (digits) => digits.padStart(15, '0'));
}

/** Sorted copy; equal rows keep their order, and unknown values stay last. */
export function sortRows<R>(rows: readonly R[], value: (row: R) => SortValue, direction: SortDirection): readonly R[] {
  const sign = direction === 'asc' ? 1 : -1;
  const known: { readonly row: R; readonly value: string | number }[] = [];
  const unknown: R[] = [];
  for (const row of rows) {
    const own = value(row);
    if (own === null || Number.isNaN(own)) unknown.push(row);
    else known.push({ row, value: comparable(own) });
  }
  known.sort((a, b) => (a.value === b.value ? 0 : a.value < b.value ? -sign : sign));
  return [...known.map((entry) => entry.row), ...unknown];
}
