import { useEffect, useRef } from 'react';
import { usePreferences } from '../platform/preferences/preferences.ts';

/** `false` = not handled, others may handle it. */
export type ShortcutMap = Readonly<Record<string, (event: KeyboardEvent) => unknown>>;

/** Typing must never trigger anything. */
function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  // Radio buttons and switches take no text.
  if (target instanceof HTMLInputElement) return !['radio', 'checkbox', 'button'].includes(target.type);
  return target.isContentEditable || ['TEXTAREA', 'SELECT'].includes(target.tagName);
}

/** Space presses the focused element. */
function isPressed(key: string, target: EventTarget | null): boolean {
  return (
    key === ' ' && target instanceof Element && target.closest('a, button, input, label, summary, [role]') !== null
  );
}

/** A dialog or menu has the keyboard while it is open. */
function layerOpen(): boolean {
  return (
    document.querySelector('[role="dialog"][aria-modal="true"], [role="menu"], .mantine-Popover-dropdown') !== null
  );
}

/**
 * Single-key shortcuts of a page. Off inside inputs, under dialogs, and when switched off in the settings. `first` = before all
 * others, in whatever order they were registered.
 */
export function useShortcuts(map: ShortcutMap, enabled = true, first = false): void {
  const { shortcuts } = usePreferences();
  const current = useRef(map);
  useEffect(() => {
    current.current = map;
  });
  const active = enabled && shortcuts;
  useEffect(() => {
    if (!active) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (isTyping(event.target) || isPressed(event.key, event.target) || layerOpen()) return;
      const action = current.current[event.key];
      if (action === undefined) return;
      if (action(event) !== false) event.preventDefault();
    };
    document.addEventListener('keydown', onKey, first);
    return () => document.removeEventListener('keydown', onKey, first);
  }, [active, first]);
}
