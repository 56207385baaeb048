import type { HeatmapCell } from '@manager/core/contract/monitoring/sections';
import { knownCost } from '../../../platform/format/format.ts';
import { nextDay, startOfDay } from '../../../platform/format/time.ts';
import type { HeatMeasure, HeatScale } from '../analytics-search.ts';

const HOUR_MS = 3_600_000;
/** Minimum number of requests for a meaningful rate. */
export const MIN_REQUESTS = 5;
export const HOURS = 24;

export interface HeatCell {
  /** 0 = Sunday. */
  readonly weekday: number;
  readonly hour: number;
  /** null = unknown: too few requests for a rate, or unpriced. */
  readonly value: number | null;
  /** Relative to the largest one of its scale. */
  readonly intensity: number;
  readonly sums: HeatmapCell | undefined;
}

/** Days of the week from the chosen first one, else from that of the language. */
export function weekdayOrder(locale: string, chosen: number | null): readonly number[] {
  const first = chosen ?? firstWeekday(locale);
  return Array.from({ length: 7 }, (_, index) => (first + index) % 7);
}

function firstWeekday(locale: string): number {
  const language: object = new Intl.Locale(locale);
  // Newer than some supported browsers; Monday where it is missing.
  const read: unknown = Reflect.get(language, 'getWeekInfo');
  const info: unknown =
    typeof read === 'function' ? Reflect.apply(read, language, []) : Reflect.get(language, 'weekInfo');
  const day = typeof info === 'object' && info !== null ? Number(Reflect.get(info, 'firstDay')) : 1;
  return Number.isInteger(day) ? day % 7 : 1;
}

export function heatValue(cell: HeatmapCell | undefined, measure: HeatMeasure): number | null {
  if (measure === 'failureRate') {
    return cell === undefined || cell.calls < MIN_REQUESTS ? null : cell.failure_rate;
  }
  if (cell === undefined) return 0;
  if (measure === 'cost') return knownCost(cell.cost, cell.unpriced_calls);
  return measure === 'requests' ? cell.calls : cell.tokens;
}

/** Seven rows of 24 hours; the maximum depends on the scale. */
export function heatRows(
  cells: readonly HeatmapCell[],
  measure: HeatMeasure,
  scale: HeatScale,
  order: readonly number[],
): readonly (readonly HeatCell[])[] {
  const found = new Map(cells.map((cell) => [cell.weekday * HOURS + cell.hour, cell]));
  const rows = order.map((weekday) =>
    Array.from({ length: HOURS }, (_, hour) => {
      const sums = found.get(weekday * HOURS + hour);
      return { weekday, hour, sums, value: heatValue(sums, measure), intensity: 0 };
    }),
  );
  const largest = (some: readonly HeatCell[]) => some.reduce((max, { value }) => Math.max(max, value ?? 0), 0);
  const overall = largest(rows.flat());
  const byHour = Array.from({ length: HOURS }, (_, hour) => largest(rows.flatMap((row) => row[hour] ?? [])));
  return rows.map((row) => {
    const own = largest(row);
    return row.map((cell) => {
      const top = scale === 'byWeekday' ? own : scale === 'byHour' ? (byHour[cell.hour] ?? 0) : overall;
      return { ...cell, intensity: top > 0 ? (cell.value ?? 0) / top : 0 };
    });
  });
}

/** Local days of a range, as their first instants, newest first. */
export function daysOf(range: { readonly fromMs: number; readonly toMs: number }, zone: string): readonly number[] {
  const days: number[] = [];
  for (let start = startOfDay(range.toMs - 1, zone); start + 36 * HOUR_MS > range.fromMs && days.length < 400; ) {
    if (nextDay(start, zone) > range.fromMs) days.push(start);
    start = startOfDay(start, zone, 1);
  }
  return days;
}

/** The bounds of an hour of a local day; null where the clock skips it. A repeated hour lasts two. */
export function hourOfDay(dayMs: number, hour: number, zone: string): { fromMs: number; toMs: number } | null {
  const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', hourCycle: 'h23', timeZone: zone });
  const step = HOUR_MS / 4;
  const quarters: number[] = [];
  for (let ms = dayMs; ms < nextDay(dayMs, zone); ms += step) {
    if (Number(clock.format(ms)) === hour) quarters.push(ms);
  }
  const [first, last] = [quarters[0], quarters.at(-1)];
  return first === undefined || last === undefined ? null : { fromMs: first, toMs: last + step };
}
