import { isPrivateText } from '../../platform/browser/private-text.ts';
import type { UrlSearch } from '../../platform/browser/url-search.ts';
import type { SortDirection } from '../../platform/sort.ts';

export const STATUS_FILTERS = ['available', 'attention', 'risk', 'disabled', 'unconfirmed'] as const;
export type StatusFilter = (typeof STATUS_FILTERS)[number];
export const QUOTA_FILTERS = ['ge50', 'between20and50', 'lt20', 'spent'] as const;
export type QuotaFilter = (typeof QUOTA_FILTERS)[number];
export const OPERATION_FILTERS = ['reauth', 'cooldown', 'automation', 'recovered'] as const;
export type OperationFilter = (typeof OPERATION_FILTERS)[number];
export const SORTS = [
  'default',
  'name',
  'plan',
  'note',
  'reset',
  'priority',
  'recent',
  'quota',
  'created',
  'requests',
  'cost',
] as const;
export type AccountSort = (typeof SORTS)[number];
export const DRAWER_TABS = ['overview', 'quota', 'config', 'models', 'diagnostics'] as const;
export type DrawerTab = (typeof DRAWER_TABS)[number];
/** Rows per page; 0 = all, in one virtual list. */
export const PAGE_SIZES = [10, 20, 50, 0] as const;
const DEFAULT_PAGE_SIZE = 20;

/** Address parameters of the page. '' = all. */
export interface AccountsSearch {
  readonly search: string;
  readonly provider: string;
  readonly plan: string;
  readonly status: StatusFilter | '';
  readonly quota: QuotaFilter | '';
  readonly operation: OperationFilter | '';
  readonly tag: string;
  /** Group accounts by tag. */
  readonly group: 'tag' | '';
  readonly sort: AccountSort;
  readonly direction: SortDirection;
  readonly pageSize: number;
  /** From 1. */
  readonly page: number;
  /** Key of the account open beside the list; '' = none. */
  readonly account: string;
  readonly tab: DrawerTab;
}

/** Initial direction of a sort order. */
export function firstDirection(sort: AccountSort): SortDirection {
  return ['recent', 'priority', 'created', 'requests', 'cost'].includes(sort) ? 'desc' : 'asc';
}

function one<V extends string>(text: string, known: readonly V[]): V | '' {
  return known.find((value) => value === text) ?? '';
}

export function readAccountsSearch(url: UrlSearch): AccountsSearch {
  const first = (name: string) => url[name]?.[0]?.trim() ?? '';
  const sort = one(first('sort'), SORTS) || 'default';
  const direction = first('direction');
  const size = first('pageSize') === 'all' ? 0 : Number(first('pageSize'));
  const page = Number(first('page'));
  const tab = first('tab') === 'credential' ? 'config' : first('tab');
  return {
    search: first('search'),
    provider: first('provider'),
    plan: first('plan'),
    status: one(first('status'), STATUS_FILTERS),
    quota: one(first('quota'), QUOTA_FILTERS),
    operation: one(first('operation'), OPERATION_FILTERS),
    tag: first('tag'),
    group: one(first('group'), ['tag']),
    sort,
    direction: direction === 'asc' || direction === 'desc' ? direction : firstDirection(sort),
    pageSize: first('pageSize') !== '' && PAGE_SIZES.some((known) => known === size) ? size : DEFAULT_PAGE_SIZE,
    page: Number.isInteger(page) && page > 1 ? page : 1,
    account: first('account'),
    tab: one(tab, DRAWER_TABS) || 'overview',
  };
}

const NAMES = [
  'search',
  'provider',
  'plan',
  'status',
  'quota',
  'operation',
  'tag',
  'group',
  'sort',
  'direction',
  'pageSize',
  'page',
  'account',
  'tab',
];

/** Other parameters are kept, defaults are not written, and names of people never are. */
export function writeAccountsSearch(search: AccountsSearch, before: UrlSearch): UrlSearch {
  const written: UrlSearch = Object.fromEntries(Object.entries(before).filter(([name]) => !NAMES.includes(name)));
  for (const name of ['provider', 'plan', 'status', 'quota', 'operation', 'tag', 'group', 'account'] as const) {
    if (search[name] !== '') written[name] = [search[name]];
  }
  if (search.search !== '' && !isPrivateText(search.search)) written.search = [search.search];
  if (search.sort !== 'default') written.sort = [search.sort];
  if (search.direction !== firstDirection(search.sort)) written.direction = [search.direction];
  if (search.pageSize !== DEFAULT_PAGE_SIZE)
    written.pageSize = [search.pageSize === 0 ? 'all' : String(search.pageSize)];
  if (search.page > 1) written.page = [String(search.page)];
  if (search.account !== '' && search.tab !== 'overview') written.tab = [search.tab];
  return written;
}

export const NO_FILTERS = {
  search: '',
  provider: '',
  plan: '',
  status: '',
  quota: '',
  operation: '',
  tag: '',
  page: 1,
} as const satisfies Partial<AccountsSearch>;

export function hasFilters(search: AccountsSearch): boolean {
  return (['search', 'provider', 'plan', 'status', 'quota', 'operation', 'tag'] as const).some(
    (name) => search[name] !== '',
  );
}

/** The same for the same filters, order and page, whichever account is open beside them. */
export function listQuestion(search: AccountsSearch): string {
  return JSON.stringify({ ...search, account: '', tab: '' });
}
