import type { WindowSpec, WindowView } from './account-types.ts';

export const FIVE_HOURS = 18_000;
export const WEEK = 604_800;
/** 30 days: plan `team` has this instead of the week. */
export const MONTH = 2_592_000;

/** A quota window that fills with time and then resets. */
export interface QuotaWindow {
  view(nowMs: number): WindowView;
}

export function createWindow(spec: WindowSpec, setAtMs: number, defaultSeconds: number): QuotaWindow {
  const seconds = spec.seconds === undefined ? defaultSeconds : spec.seconds;
  // A window of unknown length resets too.
  const lengthMs = (seconds ?? defaultSeconds) * 1000;
  const firstResetMs = setAtMs + Math.round((spec.resetsInSeconds ?? lengthMs / 2000) * 1000);
  const perHour = spec.percentPerHour ?? 0;
  const startPercent = spec.usedPercent;
  return {
    view(nowMs) {
      const periods = nowMs < firstResetMs ? 0 : Math.floor((nowMs - firstResetMs) / lengthMs) + 1;
      const resetAtMs = firstResetMs + periods * lengthMs;
      const sinceMs = periods === 0 ? nowMs - setAtMs : nowMs - (resetAtMs - lengthMs);
      const usedPercent =
        startPercent === null
          ? null
          : capped((periods === 0 ? (startPercent ?? 0) : 0) + perHour * (sinceMs / 3_600_000));
      return { seconds, usedPercent, resetAtMs };
    },
  };
}

/** One decimal, at most 100. */
function capped(percent: number): number {
  return Math.min(100, Math.round(percent * 10) / 10);
}

export function isFull(window: WindowView | null): boolean {
  return window?.usedPercent !== null && window !== null && window.usedPercent >= 100;
}
