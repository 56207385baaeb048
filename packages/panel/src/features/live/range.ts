import { startOfDay } from '../../ui/time.ts';

export const RANGE_NAMES = ['1h', 'today', 'yesterday', '24h', '7d', '14d', '30d', 'all', 'custom'] as const;
export type RangeName = (typeof RANGE_NAMES)[number];

export interface RangeChoice {
  readonly name: RangeName;
  /** Only with `custom`, ms, half open. */
  readonly fromMs: number | null;
  readonly toMs: number | null;
}

/** `[fromMs, toMs)`; `moving` = its end follows the clock. */
export interface ResolvedRange {
  readonly fromMs: number;
  readonly toMs: number;
  readonly moving: boolean;
}

const HOUR_MS = 3_600_000;
/** Clocks are only known to the second; the newest rows must not fall behind the end of the range. */
const SLACK_MS = 2_000;

/** Relative ranges are evaluated again at every refresh; days begin at local midnight. */
export function resolveRange(choice: RangeChoice, nowMs: number, zone: string): ResolvedRange {
  const end = nowMs + SLACK_MS;
  const since = (fromMs: number): ResolvedRange => ({ fromMs, toMs: end, moving: true });
  switch (choice.name) {
    case '1h':
      return since(nowMs - HOUR_MS);
    case 'today':
      return since(startOfDay(nowMs, zone));
    case 'yesterday':
      return { fromMs: startOfDay(nowMs, zone, 1), toMs: startOfDay(nowMs, zone), moving: false };
    case '24h':
      return since(nowMs - 24 * HOUR_MS);
    case '7d':
      return since(startOfDay(nowMs, zone, 6));
    case '14d':
      return since(startOfDay(nowMs, zone, 13));
    case '30d':
      return since(startOfDay(nowMs, zone, 29));
    case 'all':
      return since(1);
    case 'custom': {
      if (choice.fromMs === null || choice.toMs === null) return since(startOfDay(nowMs, zone));
      return { fromMs: choice.fromMs, toMs: Math.min(choice.toMs, end), moving: choice.toMs > nowMs };
    }
  }
}

/** The range of equal length before (−1) or after (+1), as a custom one; null where there is none. */
export function shiftRange(range: ResolvedRange, direction: -1 | 1, nowMs: number): RangeChoice | null {
  const length = range.toMs - range.fromMs;
  const fromMs = range.fromMs + direction * length;
  if (fromMs <= 0 || fromMs >= nowMs) return null;
  return { name: 'custom', fromMs: Math.round(fromMs), toMs: Math.round(fromMs + length) };
}
