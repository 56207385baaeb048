import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { UrlSearch } from '../../platform/browser/url-search.ts';
import { type ImportsSearch, isExact, readImportsSearch, writeImportsSearch } from './transfer-search.ts';

export interface ImportsUrl {
  readonly search: ImportsSearch;
  /** A choice makes an entry in the history; stepping through the list replaces it. */
  readonly change: (next: Partial<ImportsSearch>, replace?: boolean) => void;
}

export function useImportsUrl(): ImportsUrl {
  const url: UrlSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const exact = isExact(url);
  const go = (next: Partial<ImportsSearch>, replace: boolean) =>
    void navigate({
      to: '.',
      search: (before: UrlSearch) => writeImportsSearch({ ...readImportsSearch(before), ...next }, before),
      replace,
    });
  useEffect(() => {
    if (!exact)
      void navigate({
        to: '.',
        search: (before: UrlSearch) => writeImportsSearch(readImportsSearch(before), before),
        replace: true,
      });
  }, [exact, navigate]);
  return { search: readImportsSearch(url), change: (next, replace = false) => go(next, replace) };
}
