import { useRef } from 'react';
import { type ShownRow, toggledRange } from './rows.ts';
import type { TableSelection } from './types.ts';

/** A press on the box of a row; with the shift key held, all rows since the last press follow it. */
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
