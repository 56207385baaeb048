import type { AnalyticsSearch } from './analytics-search.ts';
import type { Money } from './money.ts';
import type { ScopeOptions } from './use-scope.ts';

/** Props of every tab. */
export interface TabProps {
  readonly search: AnalyticsSearch;
  readonly change: (next: Partial<AnalyticsSearch>, replace?: boolean) => void;
  readonly zone: string;
  readonly options: ScopeOptions;
  readonly money: Money;
  /** Container of the page's drawer; null until it is mounted. */
  readonly slot: HTMLElement | null;
}

/**
 * A range that was dragged in a chart becomes that of the page; Back returns to the one before.
 * @param closes the drawer, which shows a bucket of the range
 */
export const moveRange =
  ({ search, change }: Pick<TabProps, 'search' | 'change'>, closes = false) =>
  (fromMs: number, toMs: number): void =>
    change({
      scope: { ...search.scope, range: { name: 'custom', fromMs, toMs } },
      ...(closes ? { open: '' } : {}),
    });
