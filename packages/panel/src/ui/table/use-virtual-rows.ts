import {
  defaultRangeExtractor,
  observeElementOffset,
  type Range,
  useVirtualizer,
  type VirtualItem,
  type Virtualizer,
} from '@tanstack/react-virtual';
import { type CSSProperties, type FocusEvent, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { AT_REST, fly } from './flight.ts';

/** Rows rendered above and below the view. */
const OVERSCAN = 8;
/**
 * Scroll distance in px between updates of the rendered rows: fewer frames have work, and none has much. Less than the height of
 * `OVERSCAN` rows.
 */
const STEP = 112;
/** Fewer rows than this below the view load more. */
const ROWS_AHEAD = 40;

interface VirtualRowsOptions {
  readonly count: number;
  /** The element that scrolls the rows; a function, because it may be an ancestor. */
  readonly scroller: () => HTMLElement | null;
  /** px; rows are never measured, so that scrolling far stays exact. */
  readonly rowHeight: (index: number) => number;
  readonly rowKey: (index: number) => string;
  /** Height of sticky elements over the rows, px. */
  readonly headHeight: number;
  /** Rows near the end scrolled into view. */
  readonly onEnd?: (() => void) | undefined;
  /**
   * Where `moveTo` scrolls once these rows are in the document: they are drawn for that place at once. `Infinity` = the end;
   * null = the box stays where it is.
   */
  readonly movingTo?: number | null;
}

interface VirtualRow {
  readonly index: number;
  readonly key: string;
  /** Index of the row. */
  readonly style: CSSProperties;
}

export interface VirtualRows {
  /** Of the element that holds the rows. */
  readonly holder: HolderProps;
  /** Rows in the document, from the top. */
  readonly items: readonly VirtualRow[];
  /** Scrolls to a row. It stays in the document from then on, also when it is scrolled away before it was drawn. */
  readonly reveal: (index: number) => void;
  /** Scrolls to a position, px. For layout effects. */
  readonly moveTo: (position: number) => void;
}

interface HolderProps {
  readonly ref: (element: HTMLElement | null) => void;
  readonly style: CSSProperties;
  /** Rows are not drawn now, whatever is in view. */
  readonly 'data-flying'?: true;
  readonly onFocus: (event: FocusEvent) => void;
  readonly onBlur: () => void;
}

/** Scroll position, updated in steps, and not during fast scrolling, so that nothing is drawn. */
function useFlight() {
  const [flying, setFlying] = useState(false);
  const flight = useRef(AT_REST);
  const told = useRef(0);
  const observe = useCallback(
    (virtualizer: Virtualizer<HTMLElement, Element>, tell: (offset: number, isScrolling: boolean) => void) =>
      observeElementOffset(virtualizer, (offset, isScrolling) => {
        flight.current = fly(flight.current, offset, performance.now(), isScrolling);
        setFlying(flight.current.flying);
        if (flight.current.flying) return;
        const step = Math.floor(offset / STEP);
        if (isScrolling && told.current === step) return;
        told.current = step;
        tell(offset, isScrolling);
      }),
    [],
  );
  return { flying, observe };
}

/** The row that has or will get the focus; it stays in the document at every scroll position, so that the focus stays too. */
function useFocusedRow(count: number, rowKey: (index: number) => string) {
  const [key, setKey] = useState<string | null>(null);
  const last = useRef(-1);
  let index = -1;
  if (key !== null) {
    index = last.current;
    if (index < 0 || index >= count || rowKey(index) !== key) {
      index = -1;
      for (let place = 0; place < count && index < 0; place++) if (rowKey(place) === key) index = place;
    }
    last.current = index;
  }
  const onFocus = useCallback((event: FocusEvent) => {
    const row = event.target.closest('[data-row]');
    setKey(row instanceof HTMLElement ? (row.dataset.row ?? null) : null);
  }, []);
  const onBlur = useCallback(() => setKey(null), []);
  return { index, keep: setKey, onFocus, onBlur };
}

/** Which rows are in the document, for rows that scroll with the page or in their own box. */
export function useVirtualRows(options: VirtualRowsOptions): VirtualRows {
  const { count, scroller, rowHeight, rowKey, headHeight, onEnd, movingTo = null } = options;
  const top = useRef<HTMLElement | null>(null);
  const [margin, setMargin] = useState(0);
  // Content above the rows changes (notes, chips), which moves their start.
  useLayoutEffect(() => {
    const box = scroller();
    if (top.current === null || box === null) return;
    const next = Math.round(top.current.getBoundingClientRect().top - box.getBoundingClientRect().top + box.scrollTop);
    if (next !== margin) setMargin(next);
  });
  const { flying, observe } = useFlight();
  const { index: focused, keep, onFocus, onBlur } = useFocusedRow(count, rowKey);
  const virtualizer = useVirtualizer({
    count,
    observeElementOffset: observe,
    getScrollElement: scroller,
    estimateSize: rowHeight,
    overscan: OVERSCAN,
    scrollMargin: margin,
    // A row scrolled into view must not be under the sticky header.
    scrollPaddingStart: headHeight,
    getItemKey: rowKey,
    rangeExtractor: useCallback(
      (range: Range) => {
        const indexes = defaultRangeExtractor(range);
        if (focused < 0 || indexes.includes(focused)) return indexes;
        return [...indexes, focused].toSorted((a, b) => a - b);
      },
      [focused],
    ),
  });
  const inView = virtualizer.getVirtualItems();
  const items = (movingTo === null ? inView : itemsAt(virtualizer, movingTo)).filter(
    (item) => !flying || item.index === focused,
  );
  const last = flying ? -1 : (virtualizer.range?.endIndex ?? -1) + OVERSCAN;
  useEffect(() => {
    if (last >= 0 && last >= count - ROWS_AHEAD) onEnd?.();
  }, [last, count, onEnd]);
  return {
    holder: {
      ref: useCallback((element: HTMLElement | null) => {
        top.current = element;
      }, []),
      // Without the line below the last row.
      style: {
        height: Math.max(virtualizer.getTotalSize() - 1, 0),
        backgroundSize: spacerSize(count > 0 ? rowHeight(0) : 1),
      },
      ...(flying ? { 'data-flying': true as const } : {}),
      onFocus,
      onBlur,
    },
    items: items.map(({ index, key, start, size }) => ({
      index,
      key: String(key),
      style: { top: start - margin, height: size },
    })),
    reveal: (index) => {
      keep(rowKey(index));
      const box = scroller();
      const [atTop] = virtualizer.getOffsetForIndex(index, 'start') ?? [];
      const [atBottom] = virtualizer.getOffsetForIndex(index, 'end') ?? [];
      if (box === null || atTop === undefined || atBottom === undefined) return;
      if (box.scrollTop > atTop) box.scrollTop = atTop;
      else if (box.scrollTop < atBottom) box.scrollTop = atBottom;
    },
    moveTo: (position) => {
      const box = scroller();
      if (box === null) return;
      box.scrollTop = Math.min(position, box.scrollHeight);
      // Known before the scroll event: what is drawn next stays here.
      virtualizer.scrollOffset = box.scrollTop;
    },
  };
}

/** Rows that are in view at a scroll position, with those around them. */
function itemsAt(virtualizer: Virtualizer<HTMLElement, Element>, position: number): readonly VirtualItem[] {
  const { count, overscan, scrollMargin, rangeExtractor } = virtualizer.options;
  const height = virtualizer.scrollRect?.height ?? 0;
  const start = Math.min(position, Math.max(0, scrollMargin + virtualizer.getTotalSize() - height));
  const first = virtualizer.getVirtualItemForOffset(start)?.index;
  if (first === undefined) return [];
  const rows = virtualizer.measurementsCache;
  let last = first;
  while (last < count - 1 && (rows[last]?.end ?? 0) < start + height) last++;
  const indexes = rangeExtractor({ startIndex: first, endIndex: last, overscan, count });
  return indexes.flatMap((index) => rows[index] ?? []);
}

/** Size of the pattern that `.rows` draws for rows outside the document. */
const spacerSize = (rowHeight: number) => `56px ${rowHeight}px, 100% ${rowHeight}px`;

/** The nearest scrolling ancestor, else the page. */
export function scrollingAncestor(element: HTMLElement | null): HTMLElement | null {
  for (let box = element?.parentElement ?? null; box !== null; box = box.parentElement) {
    const { overflowY } = getComputedStyle(box);
    if (overflowY === 'auto' || overflowY === 'scroll') return box;
  }
  return document.scrollingElement instanceof HTMLElement ? document.scrollingElement : null;
}
