import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useMemo } from 'react';
import type { UrlSearch } from '../../platform/browser/url-search.ts';
import { isExact, type KeysSearch, readKeysSearch, writeKeysSearch } from './client-keys-search.ts';

export interface KeysUrl {
  readonly search: KeysSearch;
  /** A choice makes an entry in the history; typing and stepping through rows replace it. */
  readonly change: (next: Partial<KeysSearch>, replace?: boolean) => void;
}

export function useKeysUrl(): KeysUrl {
  const url: UrlSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const exact = isExact(url);
  useEffect(() => {
    if (exact) return;
    void navigate({
      to: '.',
      search: (before: UrlSearch) => writeKeysSearch(readKeysSearch(before), before),
      replace: true,
    });
  }, [exact, navigate]);
  return {
    search: useMemo(() => readKeysSearch(url), [url]),
    change: (next, replace = false) =>
      void navigate({
        to: '.',
        search: (before: UrlSearch) => writeKeysSearch({ ...readKeysSearch(before), ...next }, before),
        replace,
      }),
  };
}
