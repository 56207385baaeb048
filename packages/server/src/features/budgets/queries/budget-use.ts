import { type BudgetUse, budgetState } from '@manager/core/budgets/budget-state';
import type { Budget, BudgetState } from '@manager/core/contract/budgets';
import { gapMsIn } from '@manager/core/forecast/month-forecast';
import { type LocalMonth, monthAt } from '@manager/core/time/months';
import { zoneNamed } from '@manager/core/time/zone-named';
import type { Zone } from '@manager/core/time/zones';
import { collectionGapsIn, type GapRow } from '../../../events/collection-gaps.ts';
import { dateDimension } from '../../../facts/answers/local-time.ts';
import type { AnalyticsContext } from '../../../facts/context.ts';
import { createPricer, type Pricer } from '../../../facts/kernels/cost.ts';
import {
  addTotals,
  costOfTotals,
  type GroupTotals,
  groupTotals,
  type Totals,
  totalsSection,
} from '../../../facts/kernels/totals.ts';
import type { FactSnapshot } from '../../../facts/reader.ts';
import { createScan } from '../../../facts/scan.ts';
import { dimensionsOf, namesOfGroups, type Scope } from './scopes.ts';

export interface BudgetUseQuery {
  readonly budgets: readonly Budget[];
  readonly nowMs: number;
}

/** The state of each budget in the running month of its zone, all from one state of the database. */
export function answerBudgetUse(context: AnalyticsContext, { budgets, nowMs }: BudgetUseQuery): BudgetState[] {
  return context.facts.read((snapshot) => {
    const { book, revision } = context.prices();
    const pricer = createPricer(book, revision, snapshot.symbols);
    const months = new Map(
      [...Map.groupBy(budgets, ({ timeZone }) => timeZone)].map(([name, own]) => {
        const scopes = new Set(own.map(({ scope }) => scope));
        return [name, readMonth({ snapshot, pricer, context, zone: zoneNamed(name), scopes, nowMs })];
      }),
    );
    return budgets.map((budget) => {
      const month = months.get(budget.timeZone);
      if (month === undefined) throw new Error('a budget without its month');
      return budgetState(budget, month(budget), nowMs);
    });
  });
}

interface MonthQuestion {
  readonly snapshot: FactSnapshot;
  readonly pricer: Pricer;
  readonly context: AnalyticsContext;
  readonly zone: Zone;
  readonly scopes: ReadonlySet<Scope>;
  readonly nowMs: number;
}

/** Costs by day and, where budgets ask for them, by client key or model: one scan for all budgets of a zone. */
function readMonth({ snapshot, pricer, context, zone, scopes, nowMs }: MonthQuestion): (budget: Budget) => BudgetUse {
  const month = monthAt(zone, nowMs);
  const range = { fromMs: month.fromMs, toMs: nowMs, filters: null, search: { query: '', apiKeyHash: '' } };
  const scan = createScan(snapshot, range, context.checkStopped);
  const dates = dateDimension(zone);
  // A history that begins within the month has no requests of its first days.
  const every = scan.add(totalsSection([dates], pricer));
  const states = [...scopes].map((scope) => {
    return [scope, scan.add(totalsSection([dates, ...dimensionsOf(scope)], pricer))] as const;
  });
  scan.run();
  const nameOf = namesOfGroups(snapshot);
  const groups = new Map(
    states.map(([scope, state]) => [
      scope,
      Map.groupBy(groupTotals(state()), ({ values: [, symbols] }) => nameOf(scope, symbols)),
    ]),
  );
  const gaps = collectionGapsIn(snapshot.db, month.fromMs, nowMs, null);
  const sinceMs = observedSince(snapshot, month, groupTotals(every()));
  return ({ scope, name }) => ({ ...useOf(month, groups.get(scope)?.get(name) ?? [], gaps, nowMs), sinceMs });
}

function useOf(
  { dates }: LocalMonth,
  groups: readonly GroupTotals[],
  gaps: readonly GapRow[],
  nowMs: number,
): Omit<BudgetUse, 'sinceMs'> {
  const byDay = Map.groupBy(groups, ({ values }) => values[0]?.[0] ?? 0);
  const whole: Totals = addTotals(groups.map(({ totals }) => totals));
  return {
    usedUsd: costOfTotals(whole),
    unpricedCalls: whole.unpricedCalls,
    days: dates.map(({ day, startMs, endMs, weekday }) => ({
      startMs,
      endMs,
      weekday,
      value: costOfTotals(addTotals((byDay.get(day) ?? []).map(({ totals }) => totals))),
      gapMs: gapMsIn(gaps, startMs, Math.min(endMs, nowMs)),
    })),
  };
}

/** Whole days count from the month's start, or from the end of the first day with requests where there were none before. */
function observedSince(snapshot: FactSnapshot, month: LocalMonth, days: readonly GroupTotals[]): number {
  if (snapshot.chunks.some(({ minTimestampMs }) => minTimestampMs < month.fromMs)) return month.fromMs;
  const first = days.reduce((least, { values }) => Math.min(least, values[0]?.[0] ?? least), Number.POSITIVE_INFINITY);
  return month.dates.find(({ day }) => day === first)?.endMs ?? month.toMs;
}
