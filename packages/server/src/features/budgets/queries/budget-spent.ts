import { isPassed } from '@manager/core/budgets/budget-state';
import type { Budget } from '@manager/core/contract/budgets';
import { monthAt } from '@manager/core/time/months';
import { zoneNamed } from '@manager/core/time/zone-named';
import type { AnalyticsContext } from '../../../facts/context.ts';
import { createPricer } from '../../../facts/kernels/cost.ts';
import { addTotals, costOfTotals, groupTotals, totalsSection } from '../../../facts/kernels/totals.ts';
import { createScan } from '../../../facts/scan.ts';
import type { BudgetUseQuery } from './budget-use.ts';
import { dimensionsOf, namesOfGroups } from './scopes.ts';

/** What is used of a budget in the running month of its zone, which begins and ends at these instants. */
export interface BudgetSpent extends Budget {
  readonly fromMs: number;
  readonly toMs: number;
  readonly usedUsd: number;
  readonly passed: boolean;
}

/** The same amounts as `answerBudgetUse`, without days: these come from stored sums of whole segments. */
export function answerBudgetSpent(context: AnalyticsContext, { budgets, nowMs }: BudgetUseQuery): BudgetSpent[] {
  return context.facts.read((snapshot) => {
    const { book, revision } = context.prices();
    const pricer = createPricer(book, revision, snapshot.symbols);
    const nameOf = namesOfGroups(snapshot);
    const months = new Map(
      [...Map.groupBy(budgets, ({ timeZone }) => timeZone)].map(([zone, own]) => {
        const { fromMs, toMs } = monthAt(zoneNamed(zone), nowMs);
        const range = { fromMs, toMs: nowMs, filters: null, search: { query: '', apiKeyHash: '' } };
        const scan = createScan(snapshot, range, context.checkStopped);
        const states = [...new Set(own.map(({ scope }) => scope))].map(
          (scope) => [scope, scan.add(totalsSection(dimensionsOf(scope), pricer))] as const,
        );
        scan.run();
        const groups = new Map(
          states.map(([scope, state]) => [
            scope,
            Map.groupBy(groupTotals(state()), ({ values: [symbols] }) => nameOf(scope, symbols)),
          ]),
        );
        return [zone, { fromMs, toMs, groups }];
      }),
    );
    return budgets.map((budget) => {
      const month = months.get(budget.timeZone);
      if (month === undefined) throw new Error('a budget without its month');
      const { fromMs, toMs, groups } = month;
      const own = groups.get(budget.scope)?.get(budget.name) ?? [];
      const usedUsd = costOfTotals(addTotals(own.map(({ totals }) => totals)));
      return { ...budget, fromMs, toMs, usedUsd, passed: isPassed(budget.usd, usedUsd) };
    });
  });
}
