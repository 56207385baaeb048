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
