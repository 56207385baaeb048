import { type KeyboardEvent, type MouseEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { useShortcuts } from '../shortcuts.ts';
import { rowClicks } from './row-link.tsx';
import { type ShownRow, type TableBodyProps, toggled } from './rows.ts';
import type { DataTableProps } from './types.ts';
import type { VirtualRows } from './use-virtual-rows.ts';

interface RowProps {
  readonly 'data-row': string;
  readonly tabIndex?: number;
  readonly 'aria-current'?: boolean;
  readonly className?: string | undefined;
  readonly onClick?: (event: MouseEvent<HTMLElement>) => void;
  readonly onAuxClick?: (event: MouseEvent<HTMLElement>) => void;
  readonly onFocus?: () => void;
  readonly onKeyDown?: (event: KeyboardEvent<HTMLElement>) => void;
}

export interface RowFocus<R> {
  readonly rowProps: (shown: ShownRow<R>) => RowProps;
  /** Address of a row that is a link; null = it is none. */
  readonly hrefOf: (shown: ShownRow<R>) => string | null;
}

/** Nothing has the focus, because the focused element was removed. */
const isLost = (): boolean => document.activeElement === document.body || document.activeElement === null;

type RowFocusProps<R> = Pick<
  DataTableProps<R>,
  'keys' | 'onOpen' | 'canOpen' | 'href' | 'openKey' | 'selection' | 'fresh' | 'below'
> &
  Pick<TableBodyProps<R>, 'kept'>;

/** One row is in the tab order; arrows, Home and End move it, as do j and k when the table has the page's shortcuts. */
export function useRowFocus<R>(
  { keys = false, onOpen, canOpen, href, openKey = null, selection, fresh, below, kept }: RowFocusProps<R>,
  rows: readonly ShownRow<R>[],
  virtual: VirtualRows,
  table: RefObject<HTMLElement | null>,
): RowFocus<R> {
  const [activeKey, setActiveKey] = useState<string | null>(null);
  const wanted = useRef<string | null>(null);
  const active = onOpen !== undefined || selection !== undefined || below !== undefined;
  const current = openKey ?? activeKey;
  /** A child row does not expand: it opens only where it has something to open. */
  const opens = ({ row, depth }: ShownRow<R>) => onOpen !== undefined && (depth === 0 || canOpen?.(row) === true);

  const focus = (index: number) => {
    const shown = rows[index];
    if (shown === undefined) return;
    setActiveKey(shown.key);
    virtual.reveal(index);
    wanted.current = shown.key;
  };
  const focusKey = (key: string) => {
    const index = rows.findIndex((shown) => shown.key === key);
    if (index >= 0) focus(index);
  };
  const opened = useRef(openKey);
  useLayoutEffect(() => {
    const closed = opened.current;
    opened.current = openKey;
    // The closed element had the focus.
    if (closed !== null && openKey === null && isLost()) focusKey(closed);
  });
  // Columns become cards when the table gets narrow, as beside a drawer, and back: the row is a new element.
  useLayoutEffect(() => {
    if (kept.current !== null && isLost()) focusKey(kept.current);
    kept.current = null;
  });
  useLayoutEffect(() => {
    const element = table.current;
    return () => {
      const row = element?.contains(document.activeElement) ? document.activeElement?.closest('[data-row]') : null;
      kept.current = row?.getAttribute('data-row') ?? null;
    };
  }, [kept, table]);
  // The row may have to be rendered first.
  useLayoutEffect(() => {
    if (wanted.current === null) return;
    const row = table.current?.querySelector(`[data-row="${CSS.escape(wanted.current)}"]`);
    if (!(row instanceof HTMLElement)) return;
    wanted.current = null;
    row.focus({ preventScroll: true });
  });
  const step = (direction: 1 | -1) => {
    const index = rows.findIndex((shown) => shown.key === current);
    const next = index < 0 ? 0 : index + direction;
    const shown = rows[next];
    if (shown === undefined) return;
    if (openKey !== null && shown.depth === 0) {
      setActiveKey(shown.key);
      virtual.reveal(next);
      onOpen?.(shown.row);
    } else focus(next);
  };
  useShortcuts(
    {
      j: () => step(1),
      k: () => step(-1),
      ...(selection === undefined
        ? {}
        : {
            x: () => {
              if (current !== null) selection.onChange(toggled(selection.keys, current));
            },
          }),
    },
    keys && active,
  );

  const inView = virtual.items.flatMap((item) => rows[item.index]?.key ?? []);
  const tabKey = inView.find((key) => key === current) ?? inView[0];

  const onKeyDown = (shown: ShownRow<R>, event: KeyboardEvent<HTMLElement>) => {
    if (event.target !== event.currentTarget) return;
    const index = rows.findIndex((other) => other.key === shown.key);
    const moves: Record<string, number> = {
      ArrowDown: index + 1,
      ArrowUp: index - 1,
      Home: 0,
      End: rows.length - 1,
    };
    const next = moves[event.key];
    if (next !== undefined) focus(Math.max(0, Math.min(next, rows.length - 1)));
    else if ((event.key === 'Enter' || event.key === ' ') && opens(shown)) {
      onOpen?.(shown.row);
    } else return;
    event.preventDefault();
  };
  const hrefOf = (shown: ShownRow<R>) => (opens(shown) ? (href?.(shown.row) ?? null) : null);
  return {
    hrefOf,
    rowProps: (shown) => {
      const className = fresh?.has(shown.key) === true ? 'new-row' : undefined;
      if (!active) return { 'data-row': shown.key, className };
      return {
        'data-row': shown.key,
        className,
        tabIndex: shown.key === tabKey ? 0 : -1,
        'aria-current': shown.key === openKey,
        onFocus: () => {
          wanted.current = null;
          setActiveKey(shown.key);
        },
        onKeyDown: (event) => onKeyDown(shown, event),
        ...rowClicks(() => hrefOf(shown), opens(shown) ? () => onOpen?.(shown.row) : null),
      };
    },
  };
}
