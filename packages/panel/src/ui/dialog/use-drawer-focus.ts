import { type RefObject, useEffect, useRef } from 'react';

/** A dialog keeps the keyboard, whatever happens below it. */
export const dialogHasFocus = (): boolean => document.activeElement?.closest('[role="dialog"]') != null;

/** The element of a drawer. Over the page it takes the focus; beside the page the table keeps it, so that j and k still work. */
export function useDrawerFocus(docked: boolean): RefObject<HTMLElement | null> {
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    // The window may become narrow while somebody types in the drawer, or in a dialog over it.
    if (docked || dialogHasFocus() || panel.current?.contains(document.activeElement)) return;
    panel.current?.focus({ preventScroll: true });
  }, [docked]);
  return panel;
}
