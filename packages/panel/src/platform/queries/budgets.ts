import type { Budget, BudgetState, BudgetsRequest, BudgetsResponse } from '@manager/core/contract/budgets';
import { BUDGETS_PATH } from '@manager/core/contract/constants';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useManaged, useServices } from '../api/services.ts';

const KEY = ['budgets'];
const REFRESH_MS = 10 * 60_000;
const PATH = BUDGETS_PATH.slice(1);

/** Budgets with what is used of them in the running month. */
export function useBudgets() {
  const { client } = useServices();
  const managed = useManaged();
  return useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => client.call<BudgetsResponse>(PATH, { signal }),
    enabled: managed,
    staleTime: REFRESH_MS / 2,
    refetchInterval: REFRESH_MS,
  });
}

const NONE: readonly BudgetState[] = [];

/** The budgets of which nothing is left; none where the manager has no budgets. */
export function usePassedBudgets(): readonly BudgetState[] {
  const { data } = useBudgets();
  return data?.budgets.filter(({ passed }) => passed) ?? NONE;
}

const isSameBudget = (one: Pick<Budget, 'scope' | 'name'>, other: Pick<Budget, 'scope' | 'name'>): boolean =>
  one.scope === other.scope && one.name === other.name;

/** A budget in place of another one; null = added, or removed. */
export interface BudgetChange {
  readonly before: Budget | null;
  readonly after: Budget | null;
}

/** The list after a change; a budget of the same name is replaced. */
export function changedBudgets(budgets: readonly Budget[], { before, after }: BudgetChange): readonly Budget[] {
  const isAfter = (budget: Budget) => after !== null && isSameBudget(budget, after);
  const at = budgets.findIndex((budget) => before !== null && isSameBudget(budget, before));
  if (after !== null && at >= 0) {
    return budgets.flatMap((budget, index) => (index === at ? [after] : isAfter(budget) ? [] : [budget]));
  }
  const others = budgets.filter((budget, index) => index !== at && !isAfter(budget));
  return after === null ? others : [...others, after];
}

/** Applies a change to the list as it is now: another tab may have changed it. */
export function useChangeBudget() {
  const { client } = useServices();
  const queries = useQueryClient();
  return useMutation({
    scope: { id: 'budgets' },
    mutationFn: async (change: BudgetChange) => {
      const { budgets } = await client.call<BudgetsResponse>(PATH);
      const stored = budgets.map(({ scope, name, usd, timeZone }) => ({ scope, name, usd, timeZone }));
      const body: BudgetsRequest = { budgets: [...changedBudgets(stored, change)] };
      return client.call<BudgetsResponse>(PATH, { method: 'PUT', body });
    },
    onSuccess: (answer) => queries.setQueryData(KEY, answer),
    // The answer may be lost.
    onError: () => queries.invalidateQueries({ queryKey: KEY }),
  });
}
