import type { UrlSearch } from '../../platform/browser/url-search.ts';
import type { RangeChoice } from '../../platform/range/range.ts';
import { accountToken } from '../../platform/requests/account-names.ts';
import { type ListFilter, setListFilter, writeRequestFilters } from '../../platform/requests/request-filters.ts';
import type { Scope } from './analytics-search.ts';

/** Ranges with the same meaning on both pages. */
const SAME: readonly string[] = ['24h', 'today', 'yesterday', 'month', 'last_month', 'last_week', 'custom'];

interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Filters of one item, such as the model of a row. */
export type Narrowing = Partial<Record<ListFilter, readonly string[]>>;

export function narrowed(scope: Scope, narrowing: Narrowing): Scope {
  let next = scope;
  for (const [name, values] of Object.entries(narrowing)) {
    next = { ...next, ...setListFilter(next, name as ListFilter, values) };
  }
  return next;
}

/** Monitoring with the range and the filters behind a number; `span` = only that part of the range. */
export function monitoringSearch(scope: Scope, answered: Span, span: Span | null = null): UrlSearch {
  const { fromMs, toMs } = span ?? answered;
  const range: RangeChoice =
    span === null && SAME.includes(scope.range.name)
      ? scope.range
      : { name: 'custom', fromMs: Math.max(fromMs, answered.fromMs), toMs: Math.min(toMs, answered.toMs) };
  return writeRequestFilters({ ...scope, range }, {});
}

interface Account {
  readonly auth_file_snapshot?: string | undefined;
  readonly auth_index?: string | undefined;
  readonly account_snapshot?: string | undefined;
  readonly source?: string | undefined;
}

/** The account on its own page, where its index is known; else that page unchanged. */
export const accountSearch = ({ auth_index }: Account): UrlSearch =>
  auth_index && auth_index !== '-' ? { account: [auth_index] } : {};

/** The requests of one account; names that are e-mail addresses never appear in the address bar. */
export function accountNarrowing(row: Account): Narrowing {
  if (row.auth_index && row.auth_index !== '-') return { auth_index: [row.auth_index] };
  const file = row.auth_file_snapshot;
  if (file && !file.includes('@')) return { auth_file: [file] };
  const name = row.account_snapshot || row.source;
  return name ? { account: [accountToken(name)] } : {};
}
