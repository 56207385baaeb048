import { CANDIDATE_STATUSES } from '@manager/core/contract/constants';
import type { Address } from '../../platform/browser/address.ts';
import type { UrlSearch } from '../../platform/browser/url-search.ts';

/** Address parameters of the page. */
export interface AccountActionsSearch {
  /** '' = all; the default is pending. */
  readonly status: string;
  /** '' = all. */
  readonly type: string;
  readonly provider: string;
  readonly search: string;
  /** Id of the item open beside the list; '' = none. */
  readonly candidate: string;
}

const DEFAULT_STATUS = 'pending';
const ALL = 'all';
const STATUSES: readonly string[] = CANDIDATE_STATUSES;

export function readAccountActionsSearch(url: UrlSearch): AccountActionsSearch {
  const first = (name: string) => url[name]?.[0]?.trim() ?? '';
  const status = first('status');
  const candidate = first('candidate');
  return {
    status: status === ALL ? '' : STATUSES.includes(status) ? status : DEFAULT_STATUS,
    type: first('type'),
    provider: first('provider'),
    search: first('search'),
    candidate: /^[1-9][0-9]{0,14}$/.test(candidate) ? candidate : '',
  };
}

/** Other parameters are kept, defaults are not written. */
export function writeAccountActionsSearch(search: AccountActionsSearch, before: UrlSearch): UrlSearch {
  const { status: _s, type: _t, provider: _p, search: _q, candidate: _c, ...others } = before;
  const written: UrlSearch = { ...others };
  if (search.status !== DEFAULT_STATUS) written.status = [search.status === '' ? ALL : search.status];
  for (const name of ['type', 'provider', 'search', 'candidate'] as const) {
    if (search[name] !== '') written[name] = [search[name]];
  }
  return written;
}

export const ACCOUNT_ACTIONS_ADDRESS: Address<AccountActionsSearch> = {
  read: readAccountActionsSearch,
  write: writeAccountActionsSearch,
};

/** Active filters besides the status. */
export function hasFilters({ type, provider, search }: AccountActionsSearch): boolean {
  return type !== '' || provider !== '' || search !== '';
}

/** Initial filters; the open item stays. */
export const NO_FILTERS = { status: DEFAULT_STATUS, type: '', provider: '', search: '' } as const;
