import { budgetRoutes } from '../features/budgets/routes.ts';
import { createBudgetService } from '../features/budgets/service.ts';
import type { FeatureRoutes } from '../http/environment.ts';
import type { AnalyticsClient } from '../workers/analytics-client.ts';
import type { Store } from '../workers/store.ts';

interface BudgetDeps {
  readonly store: Pick<Store, 'reader' | 'writer'>;
  readonly analytics: Pick<AnalyticsClient, 'budgetUse'>;
  readonly now: () => number;
}

export function createBudgets({ store: { reader, writer }, analytics, now }: BudgetDeps): FeatureRoutes {
  return budgetRoutes(
    createBudgetService({
      read: (keys) => reader.run('getSettings', keys),
      write: (changes) => writer.run('putSettings', changes),
      use: (query) => analytics.budgetUse(query),
      now,
    }),
  );
}
