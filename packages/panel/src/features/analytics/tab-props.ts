import type { AnalyticsSearch } from './analytics-search.ts';
import type { Money } from './money.ts';
import type { ScopeOptions } from './use-scope.ts';

/** What every tab gets from the page. */
export interface TabProps {
  readonly search: AnalyticsSearch;
  readonly change: (next: Partial<AnalyticsSearch>, replace?: boolean) => void;
  readonly zone: string;
  readonly options: ScopeOptions;
  readonly money: Money;
  /** Where the drawer of the page stands; null until it is there. */
  readonly slot: HTMLElement | null;
}
