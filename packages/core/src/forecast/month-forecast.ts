import { coveredMs } from '../time/covered.ts';

/** One local day of a month, past or to come. */
export interface ForecastDay {
  readonly startMs: number;
  readonly endMs: number;
  /** 0 = Sunday. */
  readonly weekday: number;
  /** What was counted so far, 0 for days to come. */
  readonly value: number;
  /** Time of the day in which requests may be missing, ms. */
  readonly gapMs: number;
}

export interface MonthForecast {
  /** At the end of the month: what was counted and what is expected. */
  readonly total: number;
  /** Whole days that the weekday profile is made of. */
  readonly basisDays: number;
  /** First day at whose end the amount is reached; null = not in this month. */
  reaches(amount: number): number | null;
}

/** Fewer whole days tell nothing about a week. */
export const FORECAST_MIN_DAYS = 7;
/** A day with more missing time is not a typical one, ms. */
export const FORECAST_MAX_GAP_MS = 3_600_000;

/**
 * What a month comes to: each day to come counts as the mean of the whole days of its weekday so far, today at least as what it
 * already has. null with fewer than seven whole days, or where a weekday to come has not occurred yet.
 *
 * @param days every local day of the month, in order
 * @param sinceMs days that begin before were not observed from their start
 */
export function forecastMonth(days: readonly ForecastDay[], nowMs: number, sinceMs: number): MonthForecast | null {
  const whole = days.filter(
    ({ startMs, endMs, gapMs }) => startMs >= sinceMs && endMs <= nowMs && gapMs <= FORECAST_MAX_GAP_MS,
  );
  if (whole.length < FORECAST_MIN_DAYS) return null;
  const means = new Map(
    [...Map.groupBy(whole, ({ weekday }) => weekday)].map(([weekday, same]) => [
      weekday,
      same.reduce((sum, { value }) => sum + value, 0) / same.length,
    ]),
  );
  const sums: { readonly startMs: number; readonly sum: number }[] = [];
  let sum = 0;
  for (const { startMs, endMs, weekday, value } of days) {
    const expected = endMs <= nowMs ? value : means.get(weekday);
    if (expected === undefined) return null;
    sum += Math.max(value, expected);
    sums.push({ startMs, sum });
  }
  return {
    total: sum,
    basisDays: whole.length,
    reaches: (amount) => sums.find((day) => day.sum >= amount)?.startMs ?? null,
  };
}

/** A stretch of time in which requests may be missing; open ones reach to the end. */
interface Gap {
  readonly from_ms: number;
  readonly to_ms: number | null;
}

/** How much of a time is within gaps, ms. */
export function gapMsIn(gaps: readonly Gap[], fromMs: number, toMs: number): number {
  const spans = gaps.map((gap) => ({ fromMs: gap.from_ms, toMs: gap.to_ms ?? toMs }));
  return coveredMs(spans, fromMs, toMs);
}
