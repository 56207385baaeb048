import { DASHBOARD_POINTS } from '@manager/core/contract/dashboard';
import type { PriceBook } from '@manager/core/pricing/price-book';
import { readRollupSums } from '../../../events/rollup-sums.ts';
import type { FactColumn } from '../../../facts/columns.ts';
import type { AnalyticsContext } from '../../../facts/context.ts';
import type { Pricer } from '../../../facts/kernels/cost.ts';
import { symbolDimension, timeDimension } from '../../../facts/kernels/dimensions.ts';
import { addTotals, costOfTotals, groupTotals, type Totals, totalsSection } from '../../../facts/kernels/totals.ts';
import type { FactSnapshot } from '../../../facts/reader.ts';
import { createScan, type Scan } from '../../../facts/sections.ts';
import type { SymbolTable } from '../../../facts/symbols.ts';
import type { CredentialSums } from '../credentials.ts';
import type { ModelSums } from '../ranking.ts';
import { allPoints, type HourlySums, POINT_MS, type SlotSums } from '../timelines.ts';

export interface ModelTotals extends ModelSums {
  readonly totals: Totals;
}

const CREDENTIAL_COLUMNS = [
  'auth_index',
  'source',
  'source_hash',
  'account_snapshot',
  'auth_label_snapshot',
  'auth_provider_snapshot',
  'provider',
] as const satisfies readonly FactColumn[];

/** Sources of the parts of one answer. */
export interface DaySources {
  readonly snapshot: FactSnapshot;
  readonly context: AnalyticsContext;
  readonly book: PriceBook;
  readonly pricer: Pricer;
}

/**
 * Models and hours from the hourly rollup if that is less to read, else by a scan; both give the same.
 *
 * @returns the analytics models of the day, an empty name is a separate model; the sums of its hours if the rollup has them,
 * else null: the points have them too
 */
export function planModels(
  { snapshot, context, book, pricer }: DaySources,
  scan: Scan,
): { readonly models: () => ModelTotals[]; readonly core: HourlySums | null } {
  const section = totalsSection([symbolDimension(['analytics_model'])], pricer);
  const least = context.hourlyRollupFromEvents ?? Number.POSITIVE_INFINITY;
  const core = scan.unread(section) < least ? null : readRollupSums(snapshot, scan.query, book, context.checkStopped);
  const edges = core?.edges.map((edge) => createScan(snapshot, { ...scan.query, ...edge }, context.checkStopped));
  const states = (edges ?? [scan]).map((scanned) => scanned.add(section));
  return {
    core,
    models() {
      for (const edge of edges ?? []) edge.run();
      const scanned = states.flatMap((state) =>
        groupTotals(state()).map(({ values, totals }) => [values[0]?.[0] ?? 0, totals] as const),
      );
      const byModel = Map.groupBy([...(core?.models ?? []), ...scanned], ([model]) => model);
      return [...byModel].map(([model, parts]) =>
        modelTotals(snapshot.symbols.text(model), addTotals(parts.map(([, totals]) => totals))),
      );
    },
  };
}

function modelTotals(model: string, totals: Totals): ModelTotals {
  const { calls, failures, totalTokens, unpricedCalls } = totals;
  return { model, calls, failures, tokens: totalTokens, cost: costOfTotals(totals), unpricedCalls, totals };
}

/** @returns sums of the points of the day, 10 minutes each from its start */
export function planPoints(scan: Scan, pricer: Pricer, startMs: number): () => SlotSums[] {
  const points = timeDimension(`point from ${startMs}`, (ms) => {
    const value = Math.floor((ms - startMs) / POINT_MS);
    const fromMs = startMs + value * POINT_MS;
    return value < DASHBOARD_POINTS
      ? { fromMs, toMs: fromMs + POINT_MS, value }
      : // A day can be longer than its points (a 25th hour).
        { fromMs: startMs + DASHBOARD_POINTS * POINT_MS, toMs: Number.POSITIVE_INFINITY, value: DASHBOARD_POINTS };
  });
  const state = scan.add(totalsSection([points], pricer));
  return () => {
    const groups = groupTotals(state());
    const byPoint = new Map(groups.map(({ values, totals }) => [values[0]?.[0] ?? 0, totals]));
    return allPoints((index) => {
      const totals = byPoint.get(index);
      return totals && { calls: totals.calls, failures: totals.failures, tokens: totals.totalTokens };
    });
  };
}

export function planCredentials(scan: Scan, pricer: Pricer, symbols: SymbolTable): () => CredentialSums[] {
  const state = scan.add(totalsSection([symbolDimension(CREDENTIAL_COLUMNS)], pricer));
  return () =>
    groupTotals(state()).map(({ values, totals }) => {
      const text = (index: number) => symbols.text(values[0]?.[index] ?? 0);
      return {
        authIndex: text(0),
        source: text(1),
        sourceHash: text(2),
        account: text(3),
        label: text(4),
        provider: text(5) || text(6),
        totals,
      };
    });
}
