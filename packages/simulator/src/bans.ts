import type { Clock } from './clock.ts';
import type { BanInfo } from './types.ts';

const FAILURES_TO_BAN = 5;
const BAN_MS = 30 * 60_000;
const IDLE_MS = 2 * 3_600_000;
const PURGE_EVERY_MS = 3_600_000;

/** Failure counter per client address, shared by HTTP and RESP. */
export interface Bans {
  /** Remaining ban in ms; 0 without a ban. */
  remainingMs(address: string): number;
  countFailure(address: string): void;
  clear(address: string): void;
  list(): BanInfo[];
  reset(): void;
}

interface Counter {
  failures: number;
  lastMs: number;
  bannedUntilMs: number | null;
}

export function createBans(clock: Clock): Bans {
  const counters = new Map<string, Counter>();
  const startedMs = clock.now();

  /** The counter after the hourly purge and the end of a ban. */
  function current(address: string): Counter | null {
    const counter = counters.get(address);
    if (counter === undefined) return null;
    const now = clock.now();
    const lastPurgeMs = startedMs + Math.floor((now - startedMs) / PURGE_EVERY_MS) * PURGE_EVERY_MS;
    const banIsOver = counter.bannedUntilMs !== null && counter.bannedUntilMs <= now;
    const isIdle = counter.bannedUntilMs === null && lastPurgeMs - counter.lastMs > IDLE_MS;
    if (!banIsOver && !isIdle) return counter;
    counters.delete(address);
    return null;
  }

  return {
    remainingMs(address) {
      const until = current(address)?.bannedUntilMs ?? null;
      return until === null ? 0 : until - clock.now();
    },
    countFailure(address) {
      const now = clock.now();
      const counter = current(address) ?? { failures: 0, lastMs: now, bannedUntilMs: null };
      if (counter.bannedUntilMs !== null) return;
      counter.failures += 1;
      counter.lastMs = now;
      if (counter.failures >= FAILURES_TO_BAN) counter.bannedUntilMs = now + BAN_MS;
      counters.set(address, counter);
    },
    clear: (address) => void counters.delete(address),
    list() {
      const list: BanInfo[] = [];
      for (const address of [...counters.keys()]) {
        const counter = current(address);
        if (counter !== null) list.push({ address, failures: counter.failures, bannedUntilMs: counter.bannedUntilMs });
      }
      return list;
    },
    reset: () => counters.clear(),
  };
}

/** A duration as the gateway formats it, in whole seconds: `29m58s`, `1h0m0s`, `42s`. */
export function durationText(ms: number): string {
  const total = Math.round(ms / 1000);
  const hours = Math.floor(total / 3600);
  const minutes = Math.floor((total % 3600) / 60);
  const seconds = total % 60;
  if (hours > 0) return `${hours}h${minutes}m${seconds}s`;
  return minutes > 0 ? `${minutes}m${seconds}s` : `${seconds}s`;
}
