import { type SortValue, sortRows } from '../../../ui/table/sort.ts';
import type { AccountSort, AccountsSearch, OperationFilter, QuotaFilter, StatusFilter } from '../accounts-search.ts';
import { AVAILABILITY_STATES, type AvailabilityState } from './availability.ts';
import { GOOD_QUOTA, LOW_QUOTA } from './quota.ts';
import type { AccountRow } from './rows.ts';

const STATUS_OF: Readonly<Record<AvailabilityState, StatusFilter>> = {
  signIn: 'attention',
  failing: 'attention',
  cooldown: 'risk',
  spent: 'risk',
  low: 'risk',
  available: 'available',
  unconfirmed: 'unconfirmed',
  disabled: 'disabled',
};

function statusOf(row: AccountRow): StatusFilter {
  return STATUS_OF[row.availability.state];
}

function hasQuota({ quota: { left } }: AccountRow, filter: QuotaFilter): boolean {
  if (left === null) return false;
  if (filter === 'spent') return left <= 0;
  if (filter === 'lt20') return left > 0 && left < LOW_QUOTA;
  return filter === 'ge50' ? left >= GOOD_QUOTA : left >= LOW_QUOTA && left < GOOD_QUOTA;
}

function needsOperation({ availability, candidates, cooldown }: AccountRow, filter: OperationFilter): boolean {
  switch (filter) {
    case 'reauth':
      return availability.state === 'signIn' || candidates.some(({ actionType }) => actionType === 'reauth');
    case 'cooldown':
      return cooldown !== null || availability.state === 'cooldown';
    case 'automation':
      return availability.state === 'disabled' && (availability.by === 'manager' || availability.by === 'inspection');
    case 'recovered':
      return availability.recovered;
  }
}

type FilterName = 'search' | 'provider' | 'plan' | 'status' | 'quota' | 'operation' | 'tag';

/** Whether a row passes every filter but those left out. */
function passes(
  row: AccountRow,
  search: AccountsSearch,
  words: readonly string[],
  without: FilterName | null,
): boolean {
  const { account } = row;
  const wants = (name: FilterName) => name !== without && search[name] !== '';
  if (wants('provider') && account.credential.provider !== search.provider) return false;
  if (wants('plan') && row.plan !== search.plan) return false;
  if (wants('status') && statusOf(row) !== search.status) return false;
  if (search.quota !== '' && without !== 'quota' && !hasQuota(row, search.quota)) return false;
  if (search.operation !== '' && without !== 'operation' && !needsOperation(row, search.operation)) return false;
  if (wants('tag') && !row.tags.includes(search.tag)) return false;
  return words.every(
    (word) => account.haystack.includes(word) || row.tags.some((tag) => tag.toLowerCase().includes(word)),
  );
}

/** Rows that pass, in order; and the counts that stand beside the filters, each without its own one. */
export interface AccountListView {
  readonly rows: readonly AccountRow[];
  readonly providers: ReadonlyMap<string, number>;
  readonly statuses: ReadonlyMap<StatusFilter, number>;
  /** Rows that pass all filters but the provider, and all but the status. */
  readonly ofAllProviders: number;
  readonly ofAllStatuses: number;
}

export function accountList(all: readonly AccountRow[], search: AccountsSearch): AccountListView {
  const words = search.search.toLowerCase().split(/\s+/).filter(Boolean);
  const rows: AccountRow[] = [];
  const providers = new Map<string, number>();
  const statuses = new Map<StatusFilter, number>();
  let ofAllProviders = 0;
  let ofAllStatuses = 0;
  for (const row of all) {
    if (passes(row, search, words, 'provider')) {
      ofAllProviders += 1;
      count(providers, row.account.credential.provider);
    }
    if (passes(row, search, words, 'status')) {
      ofAllStatuses += 1;
      count(statuses, statusOf(row));
    }
    if (passes(row, search, words, null)) rows.push(row);
  }
  return {
    rows: sortAccounts(rows, search),
    providers: new Map([...providers].sort(([left], [right]) => (left < right ? -1 : 1))),
    statuses,
    ofAllProviders,
    ofAllStatuses,
  };
}

function count<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

const VALUES: Readonly<Record<AccountSort, (row: AccountRow) => SortValue>> = {
  // What needs somebody first.
  default: ({ availability }) => AVAILABILITY_STATES.indexOf(availability.state),
  name: ({ account }) => account.name,
  plan: ({ plan }) => plan || null,
  note: ({ account }) => account.note || null,
  reset: ({ quota }) => quota.resetAtMs,
  priority: ({ account }) => account.priority ?? 0,
  recent: ({ history }) => history?.last_seen_ms ?? null,
  quota: ({ quota }) => quota.left,
  created: ({ account }) => account.createdAtMs,
  requests: ({ history }) => history?.total_requests ?? null,
  cost: ({ history }) => history?.total_cost ?? null,
};

function sortAccounts(rows: readonly AccountRow[], { sort, direction }: AccountsSearch): readonly AccountRow[] {
  // Equal ones stand by name.
  const named = sortRows(rows, VALUES.name, 'asc');
  return sort === 'name' && direction === 'asc' ? named : sortRows(named, VALUES[sort], direction);
}

/** The part of a list that one page shows; a page beyond the end is the last one. */
export interface ListPage<R> {
  readonly rows: readonly R[];
  readonly page: number;
  readonly pages: number;
  /** Position of the first row, from 1. */
  readonly first: number;
}

export function pageOf<R>(rows: readonly R[], page: number, size: number): ListPage<R> {
  if (size === 0) return { rows, page: 1, pages: 1, first: 1 };
  const pages = Math.max(1, Math.ceil(rows.length / size));
  const shown = Math.min(page, pages);
  return { rows: rows.slice((shown - 1) * size, shown * size), page: shown, pages, first: (shown - 1) * size + 1 };
}

/** Values that a filter offers: those of the rows, and the chosen one although no row has it. */
export function choicesOf(values: Iterable<string>, chosen: string): readonly string[] {
  const all = new Set([...values, chosen]);
  all.delete('');
  return [...all].sort((left, right) => left.localeCompare(right));
}
