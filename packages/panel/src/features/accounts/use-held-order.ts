import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { AccountRow } from '../../platform/accounts/rows.ts';
import { inHeldOrder } from './model/held-order.ts';

/** After the last pointer movement or key in the list, rows keep their positions for this long, ms. */
const HOLD_MS = 15_000;
const ACTS = ['pointerdown', 'pointermove', 'keydown', 'wheel'] as const;

interface Held {
  /** What the rows answered. */
  readonly question: string;
  readonly keys: readonly string[];
}

/**
 * Keeps rows at their positions while a person works on them, so that a second click hits the same row although the first one
 * changed its order. `list` is the element with the rows; `question` = filters, order and page: a change applies the new order;
 * `settled` false = the order is still loading, so only clicks hold it, not pointer movements.
 */
export function useHeldOrder(
  list: RefObject<HTMLElement | null>,
  rows: readonly AccountRow[],
  all: readonly AccountRow[],
  question: string,
  settled: boolean,
) {
  const [held, setHeld] = useState<Held | null>(null);
  const keys = held?.question === question ? held.keys : null;
  const drawn = useMemo(() => (keys === null ? rows : inHeldOrder(keys, rows, all)), [keys, rows, all]);
  const latest = useRef({ drawn, question, settled, holds: keys !== null });
  latest.current = { drawn, question, settled, holds: keys !== null };
  useEffect(() => {
    const element = list.current;
    if (element === null) return;
    let lastMs = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const check = () => {
      const restMs = lastMs + HOLD_MS - performance.now();
      timer = restMs > 0 ? setTimeout(check, restMs) : undefined;
      if (restMs <= 0) setHeld(null);
    };
    const act = ({ type }: Event) => {
      const { drawn: now, question: asked, settled: known, holds } = latest.current;
      if (!holds) {
        if (!known && (type === 'pointermove' || type === 'wheel')) return;
        setHeld({ question: asked, keys: now.map(({ account }) => account.key) });
      }
      lastMs = performance.now();
      timer ??= setTimeout(check, HOLD_MS);
    };
    const options = { capture: true, passive: true };
    for (const type of ACTS) element.addEventListener(type, act, options);
    return () => {
      clearTimeout(timer);
      for (const type of ACTS) element.removeEventListener(type, act, options);
    };
  }, [list]);
  return { rows: drawn, release: useCallback(() => setHeld(null), []) };
}
