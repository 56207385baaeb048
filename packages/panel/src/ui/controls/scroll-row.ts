import { type RefObject, useEffect, useRef } from 'react';

/** Distance of the chosen item from the ends of its row, so that its neighbor shows, px. */
const EDGE = 36;
const CHOSEN = '[aria-selected="true"], [aria-current="page"], [aria-pressed="true"], :has(> input:checked)';

/** An end that hides more items fades. */
function mark(row: HTMLElement): void {
  row.toggleAttribute('data-more-before', row.scrollLeft > 1);
  row.toggleAttribute('data-more-after', row.scrollLeft + row.clientWidth < row.scrollWidth - 1);
}

function reveal(row: HTMLElement): void {
  const box = row.getBoundingClientRect();
  const choice = row.querySelector(CHOSEN)?.getBoundingClientRect();
  if (choice === undefined) return;
  row.scrollLeft += Math.max(0, choice.right + EDGE - box.right) - Math.max(0, box.left + EDGE - choice.left);
}

/**
 * A row of choices that may be too long: the chosen one scrolls into view when it is chosen, and whenever the row or it changes
 * its width.
 */
export function useScrollRow<E extends HTMLElement>(chosen: string | null): RefObject<E | null> {
  const ref = useRef<E>(null);
  const watch = useRef<ResizeObserver>(null);
  useEffect(() => {
    const row = ref.current;
    if (row === null) return;
    const sizes = new ResizeObserver((changes) => {
      if (changes.some(({ target }) => target === row || target.matches(CHOSEN))) reveal(row);
      mark(row);
    });
    const onScroll = () => mark(row);
    watch.current = sizes;
    sizes.observe(row);
    row.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      sizes.disconnect();
      row.removeEventListener('scroll', onScroll);
    };
  }, []);
  // Choices are added and removed.
  useEffect(() => {
    for (const choice of ref.current?.children ?? []) watch.current?.observe(choice);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another choice is what moves it.
  useEffect(() => {
    if (ref.current !== null) reveal(ref.current);
  }, [chosen]);
  return ref;
}
