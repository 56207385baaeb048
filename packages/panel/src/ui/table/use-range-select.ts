import { useRef } from 'react';
import { type ShownRow, toggledRange } from './rows.ts';
import type { TableSelection } from './types.ts';

/** A click on a row's checkbox; with shift, all rows since the last click change too. */
export function useRangeSelect<R>(
  selection: TableSelection | undefined,
  rows: readonly ShownRow<R>[],
): (key: string, range: boolean) => void {
  const last = useRef<string | null>(null);
  return (key, range) => {
    selection?.onChange(toggledRange(selection.keys, rows, range ? last.current : null, key));
    last.current = key;
  };
}
