import { useEffect } from 'react';
import { maskedStore, usePreferences } from '../preferences/preferences.ts';
import type { SessionControl } from './session.ts';

const MINUTE_MS = 60_000;
const CHECK_MS = 5_000;
const INPUT = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const;

/** Locks the panel after the chosen time without input in any of its tabs; masking is on after unlocking. */
export function useIdleLock({ lock, locked }: SessionControl): void {
  const afterMs = usePreferences().idleLockMinutes * MINUTE_MS;
  useEffect(() => {
    if (afterMs === 0) return;
    let lastMs = Date.now();
    let toldMs = 0;
    const channel = new BroadcastChannel('mgrpanel:v1:input');
    const check = () => {
      // The time restarts after unlocking.
      if (locked.get()) lastMs = Date.now();
      if (Date.now() - lastMs < afterMs) return;
      maskedStore.set(true);
      lock();
    };
    const onInput = () => {
      // The first input after a sleep of the machine comes before the timer.
      check();
      if (locked.get()) return;
      lastMs = Date.now();
      if (lastMs - toldMs < CHECK_MS) return;
      toldMs = lastMs;
      channel.postMessage(null);
    };
    channel.onmessage = () => {
      lastMs = Date.now();
    };
    const timer = setInterval(check, CHECK_MS);
    for (const name of INPUT) window.addEventListener(name, onInput, { capture: true, passive: true });
    document.addEventListener('visibilitychange', check);
    return () => {
      clearInterval(timer);
      channel.close();
      for (const name of INPUT) window.removeEventListener(name, onInput, { capture: true });
      document.removeEventListener('visibilitychange', check);
    };
  }, [afterMs, lock, locked]);
}
