import { observeElementOffset, useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { AT_REST, fly } from './flight.ts';

/** Rows kept ready above and below the view. */
const OVERSCAN = 6;
/** Fewer rows than this below the view ask for more. */
const ROWS_AHEAD = 40;

interface VirtualRowsOptions {
  readonly count: number;
  /** The element that scrolls the rows; asked when needed, because it may be an ancestor. */
  readonly scroller: () => HTMLElement | null;
  /** px; rows are never measured, so that scrolling far stays exact. */
  readonly rowHeight: (index: number) => number;
  readonly rowKey: (index: number) => string;
  /** Height of what sticks to the top over the rows, px. */
  readonly headHeight: number;
  /** Rows near the end came into view. */
  readonly onEnd?: (() => void) | undefined;
}

export interface VirtualRows {
  /** Goes to the element that holds the rows. */
  readonly top: RefObject<HTMLElement | null>;
  readonly items: readonly { readonly index: number; readonly key: string }[];
  /** Heights of what stands in for the rows that are not in the document, px. */
  readonly before: number;
  readonly after: number;
  readonly reveal: (index: number) => void;
}

/** Where the rows are scrolled to; nothing is told while they fly past, so that nothing is drawn. */
function useFlight() {
  const [flying, setFlying] = useState(false);
  const flight = useRef(AT_REST);
  const observe = useCallback(
    (virtualizer: Virtualizer<HTMLElement, Element>, tell: (offset: number, isScrolling: boolean) => void) =>
      observeElementOffset(virtualizer, (offset, isScrolling) => {
        flight.current = fly(flight.current, offset, performance.now(), isScrolling);
        setFlying(flight.current.flying);
        if (!flight.current.flying) tell(offset, isScrolling);
      }),
    [],
  );
  return { flying, observe };
}

/** Which rows are in the document, for rows that scroll with the page or with a box of their own. */
export function useVirtualRows(options: VirtualRowsOptions): VirtualRows {
  const { count, scroller, rowHeight, rowKey, headHeight, onEnd } = options;
  const top = useRef<HTMLElement | null>(null);
  const [margin, setMargin] = useState(0);
  // What stands above the rows changes (notes, chips), and with it where they begin.
  useLayoutEffect(() => {
    const box = scroller();
    if (top.current === null || box === null) return;
    const next = Math.round(top.current.getBoundingClientRect().top - box.getBoundingClientRect().top + box.scrollTop);
    if (next !== margin) setMargin(next);
  });
  const { flying, observe } = useFlight();
  const virtualizer = useVirtualizer({
    count,
    observeElementOffset: observe,
    getScrollElement: scroller,
    estimateSize: rowHeight,
    overscan: OVERSCAN,
    scrollMargin: margin,
    // A row brought into view must not end under the head that sticks to the top.
    scrollPaddingStart: headHeight,
    getItemKey: rowKey,
  });
  const items = flying ? [] : virtualizer.getVirtualItems();
  const last = items.at(-1)?.index ?? -1;
  useEffect(() => {
    if (last >= 0 && last >= count - ROWS_AHEAD) onEnd?.();
  }, [last, count, onEnd]);
  return {
    top,
    items: items.map((item) => ({ index: item.index, key: String(item.key) })),
    before: (items[0]?.start ?? margin) - margin,
    after: virtualizer.getTotalSize() - ((items.at(-1)?.end ?? margin) - margin),
    reveal: (index) => virtualizer.scrollToIndex(index, { align: 'auto' }),
  };
}

/** The nearest ancestor that scrolls, else the page. */
export function scrollingAncestor(element: HTMLElement | null): HTMLElement | null {
  for (let box = element?.parentElement ?? null; box !== null; box = box.parentElement) {
    const { overflowY } = getComputedStyle(box);
    if (overflowY === 'auto' || overflowY === 'scroll') return box;
  }
  return document.scrollingElement instanceof HTMLElement ? document.scrollingElement : null;
}
