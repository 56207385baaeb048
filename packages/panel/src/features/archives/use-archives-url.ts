import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { UrlSearch } from '../../platform/browser/url-search.ts';
import { type ArchivesSearch, isExact, readArchivesSearch, writeArchivesSearch } from './archives-search.ts';

export interface ArchivesUrl {
  readonly search: ArchivesSearch;
  /** A choice adds a history entry; stepping through the list replaces it. */
  readonly change: (next: Partial<ArchivesSearch>, replace?: boolean) => void;
}

export function useArchivesUrl(): ArchivesUrl {
  const url: UrlSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const exact = isExact(url);
  useEffect(() => {
    if (!exact)
      void navigate({
        to: '.',
        search: (before: UrlSearch) => writeArchivesSearch(readArchivesSearch(before), before),
        replace: true,
      });
  }, [exact, navigate]);
  return {
    search: readArchivesSearch(url),
    change: (next, replace = false) =>
      void navigate({
        to: '.',
        search: (before: UrlSearch) => writeArchivesSearch({ ...readArchivesSearch(before), ...next }, before),
        replace,
      }),
  };
}
