import { startOfDay, startOfMonth } from '../time.ts';

/** Ranges that a page may offer; which, and under what name they stand in its address, is in its `RangeRules`. */
export type RangeName = '1h' | 'today' | 'yesterday' | '24h' | '7d' | '14d' | '30d' | 'month' | 'all' | 'custom';

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

/** What a range is compared with. */
export type CompareChoice =
  | { readonly kind: 'none' }
  | { readonly kind: 'previous' }
  | { readonly kind: 'custom'; readonly fromMs: number; readonly toMs: number };

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Clocks are only known to the second; the newest rows must not fall behind the end of the range. */
const SLACK_MS = 2_000;

export function namedRange(name: Exclude<RangeName, 'custom'>): RangeChoice {
  return { name, fromMs: null, toMs: null };
}

/**
 * Relative ranges are evaluated again at every refresh; days begin at local midnight. `rolling`: ranges of several days begin
 * as many times 24 hours ago instead.
 */
export function resolveRange(choice: RangeChoice, nowMs: number, zone: string, rolling = false): ResolvedRange {
  const end = nowMs + SLACK_MS;
  const since = (fromMs: number): ResolvedRange => ({ fromMs, toMs: end, moving: true });
  const days = (count: number) => since(rolling ? nowMs - count * DAY_MS : startOfDay(nowMs, zone, count - 1));
  switch (choice.name) {
    case '1h':
      return since(nowMs - HOUR_MS);
    case 'today':
      return since(startOfDay(nowMs, zone));
    case 'yesterday':
      return { fromMs: startOfDay(nowMs, zone, 1), toMs: startOfDay(nowMs, zone), moving: false };
    case '24h':
      return since(nowMs - DAY_MS);
    case '7d':
      return days(7);
    case '14d':
      return days(14);
    case '30d':
      return days(30);
    case 'month':
      return since(startOfMonth(nowMs, zone));
    case 'all':
      return since(1);
    case 'custom': {
      if (choice.fromMs === null || choice.toMs === null) return since(startOfDay(nowMs, zone));
      return { fromMs: choice.fromMs, toMs: Math.min(choice.toMs, end), moving: choice.toMs > nowMs };
    }
  }
}

/** Number of whole local days that a range holds, 0 when it does not begin and end at midnight. */
function wholeDays({ fromMs, toMs }: ResolvedRange, zone: string): number {
  if (startOfDay(fromMs, zone) !== fromMs || startOfDay(toMs, zone) !== toMs) return 0;
  // Days of 23 and 25 hours add up to less than half a day.
  return Math.round((toMs - fromMs) / DAY_MS);
}

/** The range of equal length right before (−1) or after (+1); days stay days when the clock is changed between them. */
function neighbour(range: ResolvedRange, direction: -1 | 1, zone: string): { fromMs: number; toMs: number } {
  const days = wholeDays(range, zone);
  if (days > 0) {
    const back = -direction * days;
    return { fromMs: startOfDay(range.fromMs, zone, back), toMs: startOfDay(range.toMs, zone, back) };
  }
  const length = direction * (range.toMs - range.fromMs);
  return { fromMs: Math.round(range.fromMs + length), toMs: Math.round(range.toMs + length) };
}

/** The neighbour as a custom range; null where there is none: before the first event, or in the future. */
export function shiftRange(range: ResolvedRange, direction: -1 | 1, nowMs: number, zone: string): RangeChoice | null {
  const { fromMs, toMs } = neighbour(range, direction, zone);
  if (fromMs <= 0 || fromMs >= nowMs) return null;
  return { name: 'custom', fromMs, toMs };
}

/** The range that another one is compared with; null = with none, or there is none before it. */
export function resolveCompare(compare: CompareChoice, range: ResolvedRange, zone: string): ResolvedRange | null {
  if (compare.kind === 'none') return null;
  if (compare.kind === 'custom') return { fromMs: compare.fromMs, toMs: compare.toMs, moving: false };
  const { fromMs, toMs } = neighbour(range, -1, zone);
  return fromMs <= 0 ? null : { fromMs, toMs, moving: range.moving };
}
