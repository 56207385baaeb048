import type { BreakdownRow } from '@manager/core/contract/monitoring/breakdown';
import { type ForecastDay, forecastMonth, gapMsIn } from '@manager/core/forecast/month-forecast';
import { weekdayOf } from '../../platform/format/time.ts';
import { timeBuckets } from '../../ui/chart/time-buckets.ts';
import { dayOf } from './period.ts';
import type { Reported } from './use-report.ts';

export interface ReportForecast {
  readonly requests: number;
  readonly tokens: number;
  readonly cost: number;
  /** Whole days that it is made from. */
  readonly basisDays: number;
}

/** What was counted in one day. */
type Counted = Pick<ReportForecast, 'requests' | 'tokens' | 'cost'>;

interface MonthForecasts {
  /** null = too little data. */
  readonly total: ReportForecast | null;
  /** The same rule with the days of a row alone; null also where its days are unknown. */
  readonly of: (row: BreakdownRow) => ReportForecast | null;
}

/** What the running month comes to, as a whole and by row; undefined = the period is no running month. */
export function reportForecasts(reported: Reported): MonthForecasts | undefined {
  const { answer, range, nowMs, search } = reported;
  const { timeline = [], gaps = [], breakdown } = answer;
  if (!range.moving || range.month !== true || breakdown === undefined) return undefined;
  const days = timeBuckets({ fromMs: range.fromMs, toMs: range.endMs }, 'day', search.zone).map((bucket) => ({
    ...bucket,
    date: dayOf(bucket.startMs, search.zone),
    weekday: weekdayOf(bucket.startMs, search.zone),
    gapMs: gapMsIn(gaps, bucket.startMs, Math.min(bucket.endMs, nowMs)),
  }));

  function forecast(counted: ReadonlyMap<string, Counted>, sinceMs: number): ReportForecast | null {
    const month = (measure: keyof Counted) =>
      forecastMonth(
        days.map(({ date, ...day }): ForecastDay => ({ ...day, value: counted.get(date)?.[measure] ?? 0 })),
        nowMs,
        sinceMs,
      );
    const [requests, tokens, cost] = [month('requests'), month('tokens'), month('cost')];
    if (requests === null || tokens === null || cost === null) return null;
    return { requests: requests.total, tokens: tokens.total, cost: cost.total, basisDays: requests.basisDays };
  }

  /** Without earlier requests, they may have begun within the first day that has some. */
  const since = (hasBefore: boolean, first: string | undefined) =>
    hasBefore ? range.fromMs : (days.find(({ date }) => date === first)?.endMs ?? nowMs);
  const whole = new Map(
    timeline.map(({ bucket_ms, calls, tokens, cost }) => [
      dayOf(bucket_ms, search.zone),
      { requests: calls, tokens, cost },
    ]),
  );
  const sinceMs = since(breakdown.total.before !== undefined, whole.keys().next().value);
  return {
    total: forecast(whole, sinceMs),
    of(row) {
      if (row.days === undefined) return null;
      const own = new Map(
        row.days.map(({ date, calls, total_tokens: tokens, cost }) => [date, { requests: calls, tokens, cost }]),
      );
      return forecast(own, Math.max(sinceMs, since(row.before !== undefined, row.days[0]?.date)));
    },
  };
}
