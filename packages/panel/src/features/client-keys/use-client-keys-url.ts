import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useMemo } from 'react';
import type { UrlSearch } from '../../platform/browser/url-search.ts';
import { type ClientKeysSearch, isExact, readClientKeysSearch, writeClientKeysSearch } from './client-keys-search.ts';

export interface ClientKeysUrl {
  readonly search: ClientKeysSearch;
  /** A choice adds a history entry; typing and stepping through rows replace it. */
  readonly change: (next: Partial<ClientKeysSearch>, replace?: boolean) => void;
}

export function useClientKeysUrl(): ClientKeysUrl {
  const url: UrlSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const exact = isExact(url);
  useEffect(() => {
    if (exact) return;
    void navigate({
      to: '.',
      search: (before: UrlSearch) => writeClientKeysSearch(readClientKeysSearch(before), before),
      replace: true,
    });
  }, [exact, navigate]);
  return {
    search: useMemo(() => readClientKeysSearch(url), [url]),
    change: (next, replace = false) =>
      void navigate({
        to: '.',
        search: (before: UrlSearch) => writeClientKeysSearch({ ...readClientKeysSearch(before), ...next }, before),
        replace,
      }),
  };
}
