/** Numbers as the panel shows them. Unknown is an en dash, never 0. */
export const NONE = '–';

const counts = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const compact = new Intl.NumberFormat('en', {
  notation: 'compact',
  minimumSignificantDigits: 3,
  maximumSignificantDigits: 3,
});

/** Group and decimal separators. */
const MARKS = { comma: [',', '.'], point: ['.', ','], space: ['\u202f', ','] } as const;
export type NumberStyle = keyof typeof MARKS;
export const NUMBER_STYLES = Object.keys(MARKS) as readonly NumberStyle[];
let style: NumberStyle = 'comma';

/** Sets the separators of all numbers formatted from now on. */
export function setNumberStyle(next: NumberStyle): void {
  style = next;
}

/** A number in English notation, `1,234.5`, with the separators of a style, else of the chosen one. */
export function styled(number: string, as = style): string {
  return as === 'comma' ? number : number.replace(/[,.]/g, (mark) => MARKS[as][mark === ',' ? 0 : 1]);
}

/** With one decimal: `8.3`. */
export const formatTenths = (value: number): string => styled(value.toFixed(1));

/** Whole number with grouping: `15,829`. Both languages group by three. */
export function formatCount(value: number | null | undefined): string {
  return value === null || value === undefined || !Number.isFinite(value) ? NONE : styled(counts.format(value));
}

/** Three significant digits from 1,000 on: `473`, `6.26K`, `531M`. */
export function formatCompact(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return NONE;
  return styled((Math.abs(value) < 1000 ? counts : compact).format(value));
}

const thousandths = new Intl.NumberFormat('en', { minimumFractionDigits: 3, maximumFractionDigits: 3 });
const cents = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const exact = new Intl.NumberFormat('en', { maximumFractionDigits: 9 });
/** Up to here a cost shows a third decimal, US dollars. */
const THIRD_DECIMAL_BELOW = 99.9995;

/** US dollars, three decimals below 100: `$0.046`, `$195.81`, `$1,204.50`; a smaller cost is not shown as 0. */
export function formatCost(usd: number | null | undefined): string {
  if (usd === null || usd === undefined || !Number.isFinite(usd) || usd < 0) return NONE;
  if (usd === 0) return '$0';
  if (usd < 0.001) return styled('<$0.001');
  return `$${styled((usd < THIRD_DECIMAL_BELOW ? thousandths : cents).format(usd))}`;
}

/** A sum of costs; null where every request is unpriced, which is unknown and not free. */
export function knownCost(usd: number, unpricedCalls: number | undefined): number | null {
  return usd === 0 && unpricedCalls !== undefined && unpricedCalls > 0 ? null : usd;
}

/** A sum of costs: `≥$0.046` where some requests are unpriced, a dash where all are. */
export function formatCostSum(
  usd: number,
  unpricedCalls: number | undefined,
  format: (usd: number | null) => string = formatCost,
): string {
  const known = knownCost(usd, unpricedCalls);
  const text = format(known);
  if (known === null || !unpricedCalls) return text;
  // Below the smallest amount shown, the lower bound is 0.
  return `≥${text.startsWith('<') ? format(0) : text}`;
}

const LEAST_DECIMALS = 2;
const MOST_DECIMALS = 9;
/** Of the largest cost of a column below one dollar. */
const SIGNIFICANT_DIGITS = 4;

/**
 * Format of the costs of one column, US dollars: all with as many decimals, so that they stand point below point. Two from one
 * dollar on; below, as many as the costs have, up to four significant digits of the largest. A smaller cost is not shown as 0.
 */
export function costColumn(costs: Iterable<number | null>): (usd: number | null) => string {
  const known = [...costs].filter((usd) => usd !== null);
  const decimals = decimalsOf(known);
  const format = new Intl.NumberFormat('en', { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
  const least = 10 ** -decimals;
  return (usd) => {
    if (usd === null || !Number.isFinite(usd) || usd < 0) return NONE;
    return usd > 0 && usd < least ? styled(`<$${format.format(least)}`) : `$${styled(format.format(usd))}`;
  };
}

function decimalsOf(costs: readonly number[]): number {
  const largest = costs.reduce((most, usd) => Math.max(most, usd), 0);
  if (largest === 0 || largest >= 1) return LEAST_DECIMALS;
  const most = Math.min(MOST_DECIMALS, SIGNIFICANT_DIGITS - 1 - Math.floor(Math.log10(largest)));
  for (let decimals = LEAST_DECIMALS; decimals < most; decimals++) {
    if (costs.every((usd) => Number(usd.toFixed(most)) === Number(usd.toFixed(decimals)))) return decimals;
  }
  return most;
}

/** US dollars without trailing zeros, to a thousandth of a millionth: `$0.0000125`. */
export function formatExactCost(usd: number | null): string {
  return usd === null ? NONE : `$${styled(exact.format(usd))}`;
}

/** Share between 0 and 1 as `97.9%`; 0% and 100% only when exact. */
export function formatShare(share: number | null | undefined): string {
  if (share === null || share === undefined || !Number.isFinite(share)) return NONE;
  if (share <= 0) return '0%';
  if (share >= 1) return '100%';
  const tenths = Math.round(share * 1000);
  return tenths === 0 ? styled('<0.1%') : `${formatTenths(Math.min(tenths, 999) / 10)}%`;
}

/** Milliseconds as `912 ms`, `6.4 s` or `2 min 5 s`. */
export function formatDuration(ms: number | null | undefined): string {
  if (ms === null || ms === undefined || !Number.isFinite(ms) || ms < 0) return NONE;
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const tenths = Math.round(ms / 100);
  if (tenths < 600) return `${formatTenths(tenths / 10)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

const BYTE_UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

/** IEC units, one decimal: `3.2 MiB`. */
export function formatBytes(bytes: number | null | undefined): string {
  if (bytes === null || bytes === undefined || !Number.isFinite(bytes)) return NONE;
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < BYTE_UNITS.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return unit === 0 ? `${value} B` : `${formatTenths(value)} ${BYTE_UNITS[unit]}`;
}

/** In a shorter time nothing was generated: the answer was cached, or arrived as a whole. */
const SHORTEST_GENERATION_MS = 100;

/** Output tokens per second of a time in which they were generated; null when unknown. */
export function tokensPerSecond(outputTokens: number, ms: number | null): number | null {
  return ms === null || ms < SHORTEST_GENERATION_MS || outputTokens <= 0 ? null : (outputTokens * 1000) / ms;
}

/** Rate with its significant digits: `44`, `8.3`. */
export function formatRate(value: number | null): string {
  if (value === null || !Number.isFinite(value)) return NONE;
  return value < 10 ? formatTenths(value) : formatCount(value);
}

export type Tone = 'warn' | 'bad' | null;

/** From 15 s a latency is a warning, from 30 s it is bad. */
export function durationTone(ms: number | null | undefined): Tone {
  if (ms === null || ms === undefined) return null;
  if (ms >= 30_000) return 'bad';
  return ms >= 15_000 ? 'warn' : null;
}

/** Success rates below these are bad or a warning: the limits of the manager's account health. */
const BAD_SUCCESS_BELOW = 0.85;
const WARN_SUCCESS_BELOW = 0.95;

/** A success rate between 0 and 1; null = no requests. */
export function successTone(rate: number | null | undefined): Tone {
  if (rate === null || rate === undefined || rate >= WARN_SUCCESS_BELOW) return null;
  return rate < BAD_SUCCESS_BELOW ? 'bad' : 'warn';
}

interface Counts {
  readonly calls: number;
  readonly failed: number;
}

/** Worse than a warning. */
export const failsOften = ({ calls, failed }: Counts): boolean =>
  calls > 0 && successTone(1 - failed / calls) === 'bad';

/**
 * Orders rows by failures, frequent failures first: a busy account always has more failures than a small one that always fails.
 */
export function failingFirst<Row>(rows: readonly Row[], counts: (row: Row) => Counts): readonly Row[] {
  const often = (row: Row) => failsOften(counts(row));
  return [...rows.filter(often), ...rows.filter((row) => !often(row))];
}

export type AgeUnit = 'seconds' | 'minutes' | 'hours' | 'days';

/** A span in its largest whole unit; negative spans (a clock that is ahead) count as 0. */
export function splitAge(ms: number): { readonly unit: AgeUnit; readonly value: number } {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return { unit: 'seconds', value: seconds };
  if (seconds < 3600) return { unit: 'minutes', value: Math.floor(seconds / 60) };
  if (seconds < 86_400) return { unit: 'hours', value: Math.floor(seconds / 3600) };
  return { unit: 'days', value: Math.floor(seconds / 86_400) };
}
