import { type Figure, type FigureTable, maximum, median, quantile } from '../lib/figures.ts';
import type { Asked } from './call.ts';

/** How long a view with a filter took. */
export interface Sample extends Asked {
  readonly view: string;
  readonly filter: string;
}

export interface Spread {
  readonly name: string;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
  /** What the longest was. */
  readonly slowest: Sample | null;
}

function spreadOf(name: string, samples: readonly Sample[]): Spread {
  const times = samples.map(({ ms }) => ms);
  const max = maximum(times);
  return {
    name,
    p50: median(times),
    p99: quantile(times, 0.99),
    max,
    slowest: samples.find(({ ms }) => ms === max) ?? null,
  };
}

export function spreads(samples: readonly Sample[], by: 'view' | 'filter'): readonly Spread[] {
  return [...Map.groupBy(samples, (sample) => sample[by])].map(([name, some]) => spreadOf(name, some));
}

/** The bar holds for every view, so the slowest one stands for all. */
export function viewFigures(name: string, samples: readonly Sample[], barMs: number | null): Figure[] {
  const views = spreads(samples, 'view');
  const worst = views.toSorted((a, b) => b.p99 - a.p99)[0];
  if (worst === undefined) return [];
  const late = barMs === null ? [] : views.filter(({ p99 }) => p99 > barMs);
  const others = late.length > 1 ? `, and ${late.length - 1} other views` : '';
  return [
    { name: `${name}, all views, p50`, value: median(samples.map(({ ms }) => ms)), unit: 'ms' },
    {
      name: `${name}, slowest view, p99`,
      value: worst.p99,
      unit: 'ms',
      ...(barMs === null ? {} : { bar: { atMost: barMs } }),
      note: `${worst.name}${others}`,
    },
    {
      name: `${name}, longest`,
      value: worst.max,
      unit: 'ms',
      note: `${worst.slowest?.view}; filter: ${worst.slowest?.filter}`,
    },
  ];
}

/** One line a view or filter: first question and refreshes. */
export function samplesTable(
  title: string,
  by: 'view' | 'filter',
  fresh: readonly Sample[],
  again: readonly Sample[],
): FigureTable {
  const refreshed = new Map(spreads(again, by).map((spread) => [spread.name, spread]));
  const other = by === 'view' ? 'filter' : 'view';
  return {
    title,
    header: [
      by,
      'new p50, ms',
      'p99',
      'longest',
      `its ${other}`,
      'again p50, ms',
      'p99',
      'longest',
      'largest answers, KiB',
    ],
    rows: spreads(fresh, by).map((spread) => {
      const second = refreshed.get(spread.name);
      const bytes = maximum(fresh.filter((sample) => sample[by] === spread.name).map((sample) => sample.bytes));
      return [
        spread.name,
        ...[spread.p50, spread.p99, spread.max].map(milliseconds),
        spread.slowest?.[other] ?? '',
        ...(second === undefined ? ['', '', ''] : [second.p50, second.p99, second.max].map(milliseconds)),
        Math.ceil(bytes / 1024).toLocaleString('en'),
      ];
    }),
  };
}

export function milliseconds(value: number): string {
  return value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 1 : 0 });
}

/** Nothing when every call was answered. */
export function missingFigures(samples: readonly Sample[]): Figure[] {
  const paths = [...new Set(samples.flatMap(({ missing }) => missing.map((path) => path.split('?')[0] ?? '')))];
  if (paths.length === 0) return [];
  return [
    {
      name: 'calls that this build does not answer',
      value: paths.length,
      unit: '',
      bar: { atMost: 0 },
      note: paths.join(', '),
    },
  ];
}
