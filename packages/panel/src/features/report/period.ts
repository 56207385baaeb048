import { fromInputValue, startOfMonth, toInputValue } from '../../platform/format/time.ts';
import { type ResolvedRange, SLACK_MS } from '../../platform/range/range.ts';

/** What a report is about: a month, or days from the first to the last. */
export type Period =
  | { readonly kind: 'month' /** `2026-11` */; readonly month: string }
  | { readonly kind: 'days' /** `2026-11-03` */; readonly from: string; readonly to: string };

const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const DAY_MS = 86_400_000;

export const isMonth = (text: string): boolean => MONTH.test(text) && text >= '2000';

/** Whether the calendar has the day. */
export const isDay = (text: string): boolean =>
  DAY.test(text) && text >= '2000' && new Date(Date.parse(text) || 0).toISOString().startsWith(text);

export const monthOf = (ms: number, zone: string): string => toInputValue(ms, zone).slice(0, 7);
export const dayOf = (ms: number, zone: string): string => toInputValue(ms, zone).slice(0, 10);

const addMonths = (month: string, months: number): string => {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + months)).toISOString().slice(0, 7);
};
const addDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);

const startOf = (day: string, zone: string): number => fromInputValue(`${day}T00:00`, zone) ?? 0;

export interface ResolvedPeriod extends ResolvedRange {
  /** End of the whole period, also while it is running. */
  readonly endMs: number;
}

/** The period in a zone; a running one ends now. */
export function resolvePeriod(period: Period, nowMs: number, zone: string): ResolvedPeriod {
  const [first, after] =
    period.kind === 'month'
      ? [`${period.month}-01`, `${addMonths(period.month, 1)}-01`]
      : [period.from, addDays(period.to, 1)];
  const fromMs = startOf(first, zone);
  const endMs = startOf(after, zone);
  const moving = fromMs < nowMs && nowMs < endMs;
  return {
    fromMs,
    toMs: moving ? Math.min(nowMs + SLACK_MS, endMs) : endMs,
    endMs,
    moving,
    ...(period.kind === 'month' ? { month: true } : {}),
  };
}

/** The period of the same length before (−1) or after (+1); null where it would begin in the future. */
export function shiftPeriod(period: Period, direction: -1 | 1, nowMs: number, zone: string): Period | null {
  const shifted = moved(period, direction);
  return resolvePeriod(shifted, nowMs, zone).fromMs >= nowMs ? null : shifted;
}

function moved(period: Period, direction: -1 | 1): Period {
  if (period.kind === 'month') return { kind: 'month', month: addMonths(period.month, direction) };
  const days = direction * (Math.round((Date.parse(period.to) - Date.parse(period.from)) / DAY_MS) + 1);
  return { kind: 'days', from: addDays(period.from, days), to: addDays(period.to, days) };
}

/** The newest months, the running one first. */
export function recentMonths(nowMs: number, zone: string, count: number): readonly string[] {
  const newest = monthOf(startOfMonth(nowMs, zone), zone);
  return Array.from({ length: count }, (_, index) => addMonths(newest, -index));
}

/** `November 2026` */
export const monthName = (month: string, locale: string): string =>
  new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    Date.parse(`${month}-01`),
  );

/** For names of files: `2026-11`, `2026-11-03-2026-11-09`. */
export const periodName = (period: Period): string =>
  period.kind === 'month' ? period.month : `${period.from}-${period.to}`;
