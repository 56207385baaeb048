import type { ChannelHealth } from '@manager/core/contract/dashboard';
import type { UrlSearch } from '../../platform/browser/url-search.ts';
import { NONE } from '../../platform/format/format.ts';
import type { Masker } from '../../platform/format/mask.ts';
import { accountToken, rememberAccounts } from '../../platform/requests/account-names.ts';

export type NamedAccount = Pick<ChannelHealth, 'account_snapshot' | 'auth_label_snapshot' | 'source' | 'auth_index'>;

/** An account by the best name it has. */
export function accountName(row: NamedAccount, masker: Masker): string {
  const name = row.account_snapshot || row.auth_label_snapshot;
  if (name) return masker.account(name);
  return row.source ? masker.source(row.source) : row.auth_index === '-' ? NONE : row.auth_index;
}

/** Address of an account's requests in monitoring; null = events do not name it. */
export function accountSearch(row: NamedAccount, others: UrlSearch = {}): UrlSearch | null {
  const { account_snapshot: account, auth_index: index } = row;
  if (account) {
    // The address has a token of the name; the target page must know it.
    rememberAccounts([account], true);
    return { ...others, account: [accountToken(account)] };
  }
  return index === '-' || index === '' ? null : { ...others, auth_index: [index] };
}
