import { useEffect, useSyncExternalStore } from 'react';
import { createStore } from '../store.ts';

/** Clocks of browser and server further apart than this change what "today" is, ms. */
export const SKEW_LIMIT_MS = 120_000;

/** One tick per second for all ages on screen; paused while nothing uses it. */
const nowStore = createStore(Date.now());
let users = 0;
let timer: ReturnType<typeof setInterval> | null = null;

function tick(): void {
  if (!document.hidden) nowStore.set(Date.now());
}

/** @param stepMs interval at which values on screen change */
export function useNow(stepMs = 1): number {
  useEffect(() => {
    users += 1;
    if (timer === null) {
      tick();
      timer = setInterval(tick, 1_000);
    }
    return () => {
      users -= 1;
      if (users > 0 || timer === null) return;
      clearInterval(timer);
      timer = null;
    };
  }, []);
  return useSyncExternalStore(nowStore.subscribe, () => Math.floor(nowStore.get() / stepMs) * stepMs);
}
