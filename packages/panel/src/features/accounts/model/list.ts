import { AVAILABILITY_STATES, type AvailabilityState } from '../../../platform/accounts/availability.ts';
import { GOOD_QUOTA, LOW_QUOTA } from '../../../platform/accounts/quota.ts';
import type { RecentUse } from '../../../platform/accounts/recent-buckets.ts';
import type { AccountRow } from '../../../platform/accounts/rows.ts';
import { type SortValue, sortRows } from '../../../platform/sort.ts';
import type { AccountSort, AccountsSearch, OperationFilter, QuotaFilter, StatusFilter } from '../accounts-search.ts';

const STATUS_OF: Readonly<Record<AvailabilityState, StatusFilter>> = {
  signIn: 'attention',
  deactivated: 'attention',
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

/** Whether a row matches every filter but provider and status, which have their own counts. */
function passesOthers(row: AccountRow, search: AccountsSearch, words: readonly string[]): boolean {
  if (search.plan !== '' && row.plan !== search.plan) return false;
  if (search.quota !== '' && !hasQuota(row, search.quota)) return false;
  if (search.operation !== '' && !needsOperation(row, search.operation)) return false;
  if (search.tag !== '' && !row.tags.includes(search.tag)) return false;
  return words.every(
    (word) => row.account.haystack.includes(word) || row.tags.some((tag) => tag.toLowerCase().includes(word)),
  );
}

/** Matching rows, in order; and the counts beside the filters, each ignoring its own filter. */
export interface AccountListView {
  readonly rows: readonly AccountRow[];
  readonly providers: ReadonlyMap<string, number>;
  readonly statuses: ReadonlyMap<StatusFilter, number>;
  /** Rows that match all filters but the provider, and all but the status. */
  readonly ofAllProviders: number;
  readonly ofAllStatuses: number;
  /** Of the latter, those that need a sign-in. */
  readonly needSignIn: number;
}

/** @param all by name */
export function accountList(all: readonly AccountRow[], search: AccountsSearch): AccountListView {
  const words = search.search.toLowerCase().split(/\s+/).filter(Boolean);
  const rows: AccountRow[] = [];
  const providers = new Map<string, number>();
  const statuses = new Map<StatusFilter, number>();
  let ofAllProviders = 0;
  let ofAllStatuses = 0;
  let needSignIn = 0;
  for (const row of all) {
    if (!passesOthers(row, search, words)) continue;
    const { provider } = row.account.listed;
    const status = statusOf(row);
    const isProvider = search.provider === '' || provider === search.provider;
    const isStatus = search.status === '' || status === search.status;
    if (isStatus) {
      ofAllProviders += 1;
      count(providers, provider);
    }
    if (isProvider) {
      ofAllStatuses += 1;
      if (row.availability.state === 'signIn') needSignIn += 1;
      count(statuses, status);
    }
    if (isProvider && isStatus) rows.push(row);
  }
  return {
    rows: sortAccounts(rows, search),
    providers: new Map([...providers].sort(([left], [right]) => (left < right ? -1 : 1))),
    statuses,
    ofAllProviders,
    ofAllStatuses,
    needSignIn,
  };
}

function count<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

const VALUES: Readonly<Record<AccountSort, (row: AccountRow) => SortValue>> = {
  // Accounts that need action come first.
  default: ({ availability }) => AVAILABILITY_STATES.indexOf(availability.state),
  name: ({ account }) => account.name,
  plan: ({ plan }) => plan || null,
  note: ({ account }) => account.note || null,
  reset: ({ quota }) => quota.orderedBy.resetAtMs,
  priority: ({ account }) => account.priority ?? 0,
  recent: ({ history, recent }) => (recent === null ? history?.last_seen_ms : lastUsed(recent)) ?? null,
  quota: ({ quota }) => quota.orderedBy.left,
  created: ({ account }) => account.createdAtMs,
  requests: ({ history, recent }) =>
    (recent === null ? history?.total_requests : recent.success + recent.failed) ?? null,
  cost: ({ history }) => history?.total_cost ?? null,
};

/** Index of the last bucket with requests; null = none. */
function lastUsed({ buckets }: RecentUse): number | null {
  const place = buckets.findLastIndex(({ success, failed }) => success + failed > 0);
  return place < 0 ? null : place;
}

/** Equal rows stay sorted by name, as in the input. */
function sortAccounts(rows: readonly AccountRow[], { sort, direction }: AccountsSearch): readonly AccountRow[] {
  return sort === 'name' && direction === 'asc' ? rows : sortRows(rows, VALUES[sort], direction);
}

/** Rows of one tag; '' = those without any. */
export interface TagGroup {
  readonly tag: string;
  readonly rows: readonly AccountRow[];
}

/** Rows by tag, in their order; one with several tags is in each of its groups, those without one come last. */
export function groupsByTag(rows: readonly AccountRow[]): readonly TagGroup[] {
  const tags = choicesOf(
    rows.flatMap((row) => row.tags),
    '',
  );
  const groups = tags.map((tag) => ({ tag, rows: rows.filter((row) => row.tags.includes(tag)) }));
  const rest = rows.filter((row) => row.tags.length === 0);
  return rest.length === 0 ? groups : [...groups, { tag: '', rows: rest }];
}

/** Options of a filter: those of the rows, and the chosen one even if no row has it. */
export function choicesOf(values: Iterable<string>, chosen: string): readonly string[] {
  const all = new Set([...values, chosen]);
  all.delete('');
  return [...all].sort((left, right) => left.localeCompare(right));
}
