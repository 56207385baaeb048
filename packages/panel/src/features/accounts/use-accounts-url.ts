import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { isPrivateText } from '../../platform/browser/private-text.ts';
import type { UrlSearch } from '../../platform/browser/url-search.ts';
import { useHref } from '../../platform/browser/use-href.ts';
import { createStore, useStore } from '../../platform/store.ts';
import { type AccountsSearch, readAccountsSearch, writeAccountsSearch } from './accounts-search.ts';

export interface AccountsUrl {
  readonly search: AccountsSearch;
  /** A choice adds a history entry; typing and stepping through the list replace it. */
  readonly change: (next: Partial<AccountsSearch>, replace?: boolean) => void;
}

/** A search for an e-mail address: it stays in this tab and out of the address. */
const privateSearch = createStore('');

export function useAccountsUrl(): AccountsUrl {
  const url: UrlSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const kept = useStore(privateSearch);
  const withKept = (read: AccountsSearch): AccountsSearch => (read.search === '' ? { ...read, search: kept } : read);
  return {
    // biome-ignore lint/correctness/useExhaustiveDependencies: `withKept` is made of `kept`.
    search: useMemo(() => withKept(readAccountsSearch(url)), [url, kept]),
    change: useCallback(
      (next, replace = false) => {
        if (next.search !== undefined) privateSearch.set(isPrivateText(next.search) ? next.search : '');
        void navigate({
          to: '.',
          search: (before: UrlSearch) => {
            const read = readAccountsSearch(before);
            const search = read.search === '' ? kept : read.search;
            return writeAccountsSearch({ ...read, search, ...next }, before);
          },
          replace,
        });
      },
      [navigate, kept],
    ),
  };
}

/** Address of an account in the list; a search for an e-mail address stays out of it. */
export function useAccountHref(): (key: string) => string {
  const href = useHref();
  return useCallback(
    (account) =>
      href({
        to: '.',
        search: (before: UrlSearch) => writeAccountsSearch({ ...readAccountsSearch(before), account }, before),
      }),
    [href],
  );
}
