import type { Budget, BudgetState } from '../contract/budgets.ts';
import { type ForecastDay, forecastMonth } from '../forecast/month-forecast.ts';

/** What was used of a budget in the running month. */
export interface BudgetUse {
  /** Every date of the month, with its cost in US dollars. */
  readonly days: readonly ForecastDay[];
  /** Exact sum of the days. */
  readonly usedUsd: number;
  readonly unpricedCalls: number;
  /** Days that begin before were not observed from their start. */
  readonly sinceMs: number;
}

/** Whether an amount is used up. */
export const isPassed = (usd: number, usedUsd: number): boolean => usedUsd >= usd;

/** How far a budget is used, what the month comes to, and on which day the amount is reached. */
export function budgetState(budget: Budget, use: BudgetUse, nowMs: number): BudgetState {
  const { days, usedUsd, unpricedCalls, sinceMs } = use;
  const forecast = forecastMonth(days, nowMs, sinceMs);
  const passed = isPassed(budget.usd, usedUsd);
  return {
    ...budget,
    fromMs: days[0]?.startMs ?? nowMs,
    toMs: days.at(-1)?.endMs ?? nowMs,
    usedUsd,
    unpricedCalls,
    forecastUsd: forecast?.total ?? null,
    reachedMs: passed ? reachedOn(days, budget.usd) : (forecast?.reaches(budget.usd) ?? null),
    passed,
  };
}

function reachedOn(days: readonly ForecastDay[], usd: number): number | null {
  let sum = 0;
  for (const { startMs, value } of days) {
    sum += value;
    if (isPassed(usd, sum)) return startMs;
  }
  // The last step of a sum of rounded costs.
  return days.findLast(({ value }) => value > 0)?.startMs ?? null;
}
