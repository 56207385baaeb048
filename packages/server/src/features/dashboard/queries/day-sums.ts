import { DASHBOARD_POINTS } from '@manager/core/contract/dashboard';
import type { FactColumn } from '../../../facts/columns.ts';
import type { Pricer } from '../../../facts/kernels/cost.ts';
import { symbolDimension, timeDimension } from '../../../facts/kernels/dimensions.ts';
import { costOfTotals, groupTotals, type Totals, totalsSection } from '../../../facts/kernels/totals.ts';
import type { Scan } from '../../../facts/scan.ts';
import type { SymbolTable } from '../../../facts/symbols.ts';
import type { AccountSums } from '../accounts.ts';
import type { ModelSums } from '../ranking.ts';
import { allPoints, POINT_MS, type SlotSums } from '../timelines.ts';

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

/** @returns the analytics models of the day, an empty name is a separate model */
export function planModels(scan: Scan, pricer: Pricer, symbols: SymbolTable): () => ModelTotals[] {
  const state = scan.add(totalsSection([symbolDimension(['analytics_model'])], pricer));
  return () => groupTotals(state()).map(({ values, totals }) => modelTotals(symbols.text(values[0]?.[0] ?? 0), totals));
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

export function planAccounts(scan: Scan, pricer: Pricer, symbols: SymbolTable): () => AccountSums[] {
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
