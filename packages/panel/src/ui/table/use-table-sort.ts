import { useNavigate, useSearch } from '@tanstack/react-router';
import type { UrlSearch } from '../../platform/browser/url-search.ts';
import { readSort, type TableSort, writeSort } from '../../platform/sort.ts';

/**
 * Sort order of a table, kept in the address. `columns` are the sortable ids; a second table of a page needs its own parameter.
 */
export function useTableSort(
  columns: readonly string[],
  fallback: TableSort,
  parameter = 'sort',
): readonly [TableSort, (sort: TableSort) => void] {
  const url: UrlSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const set = (sort: TableSort) => {
    void navigate({
      to: '.',
      search: (before: UrlSearch) => {
        const { [parameter]: _, ...others } = before;
        const text = writeSort(sort, fallback);
        return text === undefined ? others : { ...others, [parameter]: [text] };
      },
    });
  };
  return [readSort(url[parameter]?.[0], columns, fallback), set];
}
