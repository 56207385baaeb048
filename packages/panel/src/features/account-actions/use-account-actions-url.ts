import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { UrlSearch } from '../../platform/browser/url-search.ts';
import {
  type AccountActionsSearch,
  readAccountActionsSearch,
  writeAccountActionsSearch,
} from './account-actions-search.ts';

export interface AccountActionsUrl {
  readonly search: AccountActionsSearch;
  /** A choice adds a history entry; typing and stepping through the list replace it. */
  readonly change: (next: Partial<AccountActionsSearch>, replace?: boolean) => void;
}

export function useAccountActionsUrl(): AccountActionsUrl {
  const url: UrlSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  return {
    search: useMemo(() => readAccountActionsSearch(url), [url]),
    change: (next, replace = false) =>
      void navigate({
        to: '.',
        search: (before: UrlSearch) =>
          writeAccountActionsSearch({ ...readAccountActionsSearch(before), ...next }, before),
        replace,
      }),
  };
}
