import type { AnalyticsResponse, FilterOptions } from '@manager/core/contract/monitoring/analytics';
import type { PriceBook } from '@manager/core/pricing/price-book';
import type { AnalyticsContext } from '../../../facts/context.ts';
import { createPricer, type Pricer } from '../../../facts/kernels/cost.ts';
import { type FactQuery, NO_FILTERS } from '../../../facts/query.ts';
import type { FactSnapshot } from '../../../facts/reader.ts';
import { createScan, type Scan } from '../../../facts/scan.ts';
import type { AnalyticsQuery } from '../request.ts';
import type { Writable } from './json/written-list.ts';

/**
 * What the sections of one answer share. A section first adds what it needs to the scans, and reads it after all passes have
 * run: sections over the same rows share one scan, and equal needs are computed once.
 */
export interface AnalyticsPlan {
  readonly query: AnalyticsQuery;
  readonly snapshot: FactSnapshot;
  readonly context: AnalyticsContext;
  /** One price book for the whole answer, also when prices change meanwhile. */
  readonly prices: PriceBook;
  readonly pricer: Pricer;
  /** Range, search and filters of the request. */
  readonly range: Scan;
  /** Range and search without filters, for the filter menus. The same pass when there are no filters. */
  readonly base: Scan;
  /** Search and filters of the request over another range. */
  over(fromMs: number, toMs: number): Scan;
  /** The same, without events of implausible time: they only appear to be current. */
  recent(fromMs: number, toMs: number): Scan;
  /** Failed events of the request, ignoring its own failure filters. */
  failures(): Scan;
  /** A value that several parts of the answer read of one scan, computed once. */
  once<Value>(scan: Scan, name: string, make: () => Value): Value;
}

/** The answer before serialization. */
export type AnalyticsAnswer = Writable<Omit<AnalyticsResponse, 'filter_options'>> & {
  readonly filter_options?: Writable<FilterOptions> | undefined;
};

/** Reads a planned part of the answer. */
export type Planned = () => Partial<AnalyticsAnswer>;

export interface RunnablePlan extends AnalyticsPlan {
  run(): void;
}

export function createPlan(snapshot: FactSnapshot, query: AnalyticsQuery, context: AnalyticsContext): RunnablePlan {
  const scans = new Map<string, Scan>();
  const shared = new Map<Scan, Map<string, unknown>>();
  const prices = context.prices();

  function scan(asked: FactQuery): Scan {
    const key = JSON.stringify([asked.fromMs, asked.toMs, asked.filters]);
    const known = scans.get(key);
    if (known !== undefined) return known;
    const made = createScan(snapshot, asked, context.checkStopped);
    scans.set(key, made);
    return made;
  }

  function once<Value>(of: Scan, name: string, make: () => Value): Value {
    const known = shared.get(of) ?? new Map<string, unknown>();
    shared.set(of, known);
    if (!known.has(name)) known.set(name, make());
    // Each name belongs to one maker.
    return known.get(name) as Value;
  }

  const { fromMs, toMs, search } = query;
  // Filters that pass everything become null, so that both forms share cached results.
  const filters = isFiltering(query.filters) ? query.filters : null;
  const range = scan({ fromMs, toMs, filters, search });
  return {
    query,
    snapshot,
    context,
    prices: prices.book,
    pricer: createPricer(prices.book, prices.revision, snapshot.symbols),
    range,
    base: scan({ fromMs, toMs, filters: null, search }),
    over: (from, to) => scan({ fromMs: from, toMs: to, filters, search }),
    recent: (from, to) => scan({ fromMs: from, toMs: to, filters: { ...query.filters, plausible_only: true }, search }),
    failures: () =>
      scan({ fromMs, toMs, filters: { ...query.filters, include_failed: true, failed_only: true }, search }),
    once,
    run: () => {
      for (const planned of scans.values()) planned.run();
    },
  };
}

function isFiltering(filters: AnalyticsQuery['filters']): boolean {
  return Object.entries(NO_FILTERS).some(([name, none]) => {
    const value = filters[name as keyof typeof NO_FILTERS];
    return Array.isArray(value) ? value.length > 0 : value !== none;
  });
}
