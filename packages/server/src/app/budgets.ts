import { budgetRoutes } from '../features/budgets/routes.ts';
import { type BudgetService, createBudgetService } from '../features/budgets/service.ts';
import type { FeatureRoutes } from '../http/environment.ts';
import type { AnalyticsClient } from '../workers/analytics-client.ts';
import type { Store } from '../workers/store.ts';

interface BudgetDeps {
  readonly store: Pick<Store, 'reader' | 'writer'>;
  readonly analytics: Pick<AnalyticsClient, 'budgetUse' | 'budgetSpent'>;
  readonly now: () => number;
}

export interface Budgets extends Pick<BudgetService, 'spent'> {
  readonly routes: FeatureRoutes;
}

export function createBudgets({ store: { reader, writer }, analytics, now }: BudgetDeps): Budgets {
  const service = createBudgetService({
    read: (keys) => reader.run('getSettings', keys),
    write: (changes) => writer.run('putSettings', changes),
    use: (query) => analytics.budgetUse(query),
    spent: (query) => analytics.budgetSpent(query),
    now,
  });
  return { routes: budgetRoutes(service), spent: service.spent };
}
