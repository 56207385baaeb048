import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { UrlSearch } from '../../platform/browser/url-search.ts';
import { type ActionsSearch, readActionsSearch, writeActionsSearch } from './account-actions-search.ts';

export interface ActionsUrl {
  readonly search: ActionsSearch;
  /** A choice makes an entry in the history; typing and stepping through the list replace it. */
  readonly change: (next: Partial<ActionsSearch>, replace?: boolean) => void;
}

export function useActionsUrl(): ActionsUrl {
  const url: UrlSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  return {
    search: useMemo(() => readActionsSearch(url), [url]),
    change: (next, replace = false) =>
      void navigate({
        to: '.',
        search: (before: UrlSearch) => writeActionsSearch({ ...readActionsSearch(before), ...next }, before),
        replace,
      }),
  };
}
