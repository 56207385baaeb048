/** One page of a list; a page beyond the end is the last one. */
export interface ListPage<R> {
  readonly rows: readonly R[];
  readonly page: number;
  readonly pages: number;
  /** Position of the first row, from 1. */
  readonly first: number;
}

/** @param size rows per page; 0 = all */
export function pageOf<R>(rows: readonly R[], page: number, size: number): ListPage<R> {
  if (size === 0) return { rows, page: 1, pages: 1, first: 1 };
  const pages = Math.max(1, Math.ceil(rows.length / size));
  const shown = Math.min(page, pages);
  return { rows: rows.slice((shown - 1) * size, shown * size), page: shown, pages, first: (shown - 1) * size + 1 };
}
