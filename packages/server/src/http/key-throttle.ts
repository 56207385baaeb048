import { addressGroup } from './address.ts';
import type { Caller } from './caller.ts';

const WINDOW_MS = 60_000;
const WRONG_KEYS_PER_WINDOW = 100;
/** Bounds memory against a flood of addresses; the oldest window is dropped first. */
const MAX_ADDRESSES = 10_000;
/** Bounds the log against the same flood. */
const LOGGED_PER_WINDOW = 30;

interface Window {
  readonly startedAtMs: number;
  wrongKeys: number;
}

export interface WrongKeyVerdict {
  /** True for the first wrong key of an address in a minute, and for a limited number of addresses. */
  readonly log: boolean;
  /** Addresses that were not logged since the last one that was. */
  readonly unlogged: number;
  /** Seconds until the next try is answered normally, 0 = not throttled. */
  readonly retryAfterSeconds: number;
}

/**
 * Counts wrong admin keys by the caller's address (IPv6: its /64) and minute. It is used only after a wrong key, so that it can never lock out the
 * operator, whoever shares the address.
 */
export function createKeyThrottle(now: () => number): { wrongKey(caller: Caller): WrongKeyVerdict } {
  // In order of start, because a window is always added at the end.
  const windows = new Map<string, Window>();
  let logged = { sinceMs: Number.NEGATIVE_INFINITY, count: 0 };
  let unlogged = 0;

  function mayLog(nowMs: number): boolean {
    if (Math.abs(nowMs - logged.sinceMs) >= WINDOW_MS) logged = { sinceMs: nowMs, count: 0 };
    logged.count += 1;
    return logged.count <= LOGGED_PER_WINDOW;
  }

  return {
    wrongKey({ address: callerAddress, isLocal }) {
      const address = addressGroup(callerAddress);
      const nowMs = now();
      let window = windows.get(address);
      const expired = window !== undefined && Math.abs(nowMs - window.startedAtMs) >= WINDOW_MS;
      const first = window === undefined || expired;
      if (window === undefined || expired) {
        windows.delete(address);
        window = { startedAtMs: nowMs, wrongKeys: 0 };
        windows.set(address, window);
        if (windows.size > MAX_ADDRESSES) dropOldest(windows);
      }
      window.wrongKeys += 1;
      const throttled = window.wrongKeys > WRONG_KEYS_PER_WINDOW && !isLocal;
      const restMs = window.startedAtMs + WINDOW_MS - nowMs;
      const verdict = {
        retryAfterSeconds: throttled ? Math.max(1, Math.ceil(restMs / 1000)) : 0,
        log: false,
        unlogged: 0,
      };
      if (!first) return verdict;
      if (!mayLog(nowMs)) {
        unlogged += 1;
        return verdict;
      }
      const others = unlogged;
      unlogged = 0;
      return { ...verdict, log: true, unlogged: others };
    },
  };
}

function dropOldest(windows: Map<string, Window>): void {
  const oldest = windows.keys().next();
  if (!oldest.done) windows.delete(oldest.value);
}
