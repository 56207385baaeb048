import { daysEarlier, monthsEarlier, startOfDay, startOfMonth, startOfWeek } from '../format/time.ts';

/** Ranges that a page may offer; its `RangeRules` choose some and their names in the address. */
export type RangeName =
  | '1h'
  | 'today'
  | 'yesterday'
  | '24h'
  | '7d'
  | '14d'
  | '30d'
  | 'last_week'
  | 'month'
  | 'last_month'
  | 'all'
  | 'custom';

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
  /** Starts at the first of a month, even if the month is not over. */
  readonly month?: true;
}

/** The comparison range. */
export type CompareChoice =
  | { readonly kind: 'none' }
  | { readonly kind: 'previous' }
  | { readonly kind: 'custom'; readonly fromMs: number; readonly toMs: number };

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Clocks are only known to the second; the newest rows must not fall behind the end of the range, ms. */
export const SLACK_MS = 2_000;

export function namedRange(name: Exclude<RangeName, 'custom'>): RangeChoice {
  return { name, fromMs: null, toMs: null };
}

/**
 * Relative ranges are evaluated again at every refresh; days begin at local midnight. `rolling`: ranges of several days begin as
 * many times 24 hours ago instead.
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
    case 'last_week':
      return { fromMs: startOfWeek(nowMs, zone, 1), toMs: startOfWeek(nowMs, zone), moving: false };
    case 'last_month':
      return { fromMs: startOfMonth(nowMs, zone, 1), toMs: startOfMonth(nowMs, zone), moving: false };
    case 'month':
      return { ...since(startOfMonth(nowMs, zone)), month: true };
    case 'all':
      return since(1);
    case 'custom': {
      if (choice.fromMs === null || choice.toMs === null) return since(startOfDay(nowMs, zone));
      return { fromMs: choice.fromMs, toMs: Math.min(choice.toMs, end), moving: choice.toMs > nowMs };
    }
  }
}

/** Number of local months in a range; 0 when it does not begin with a month, or ends within a past one. */
function monthsIn({ fromMs, toMs, month }: ResolvedRange, zone: string): number {
  if (startOfMonth(fromMs, zone) !== fromMs) return 0;
  if (month) return 1;
  if (startOfMonth(toMs, zone) !== toMs) return 0;
  let months = 1;
  while (startOfMonth(toMs, zone, months) > fromMs) months += 1;
  return months;
}

/** Number of local days a range touches, 0 when it does not begin at midnight. */
function daysIn({ fromMs, toMs, moving }: ResolvedRange, zone: string): number {
  if (startOfDay(fromMs, zone) !== fromMs) return 0;
  const last = startOfDay(Math.max(fromMs, toMs - (moving ? SLACK_MS : 0) - 1), zone);
  // Days of 23 and 25 hours add up to less than half a day.
  return Math.round((last - fromMs) / DAY_MS) + 1;
}

/**
 * The range right before (−1) or after (+1), by the calendar: months stay months, a range that starts at midnight moves by whole
 * days and ends at the same time of day. All others move by their length.
 */
function neighbour(range: ResolvedRange, direction: -1 | 1, zone: string): { fromMs: number; toMs: number } {
  const months = -direction * monthsIn(range, zone);
  const days = -direction * daysIn(range, zone);
  const length = direction * (range.toMs - range.fromMs);
  const moved = (ms: number): number => {
    if (months === 0 && days === 0) return Math.round(ms + length);
    // A first instant of a month or day stays one: where midnight is skipped, it is 01:00.
    if (months !== 0 && startOfMonth(ms, zone) === ms) return startOfMonth(ms, zone, months);
    if (months !== 0) return monthsEarlier(ms, zone, months);
    return startOfDay(ms, zone) === ms ? startOfDay(ms, zone, days) : daysEarlier(ms, zone, days);
  };
  const toMs = moved(range.toMs);
  return { fromMs: moved(range.fromMs), toMs: direction < 0 ? Math.min(toMs, range.fromMs) : toMs };
}

/**
 * The neighbor as a custom range; null where there is none: before the first event, or in the future. Before days or a month
 * that are not over lie whole ones.
 */
export function shiftRange(range: ResolvedRange, direction: -1 | 1, nowMs: number, zone: string): RangeChoice | null {
  const { fromMs, toMs: sameTimeMs } = neighbour(range, direction, zone);
  const isWhole = direction < 0 && range.moving && monthsIn(range, zone) + daysIn(range, zone) > 0;
  const toMs = isWhole ? range.fromMs : sameTimeMs;
  if (fromMs <= 0 || fromMs >= nowMs) return null;
  return { name: 'custom', fromMs, toMs };
}

/** The comparison range; null = none, or nothing before it. */
export function resolveCompare(compare: CompareChoice, range: ResolvedRange, zone: string): ResolvedRange | null {
  if (compare.kind === 'none') return null;
  if (compare.kind === 'custom') return { fromMs: compare.fromMs, toMs: compare.toMs, moving: false };
  const { fromMs, toMs } = neighbour(range, -1, zone);
  return fromMs <= 0 ? null : { fromMs, toMs, moving: range.moving };
}

const SAME_WITHIN_MS = 1_000;

/** Whether the previous range is as long and ends where this one begins: the calendar may require another. */
export function comparesEqual(range: ResolvedRange, zone: string): boolean {
  const compared = resolveCompare({ kind: 'previous' }, range, zone);
  if (compared === null) return true;
  const fromMs = range.fromMs - (range.toMs - range.fromMs);
  return Math.abs(compared.fromMs - fromMs) + Math.abs(compared.toMs - range.fromMs) < SAME_WITHIN_MS;
}
