import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { UrlSearch } from '../../platform/browser/url-search.ts';
import { type HealthSearch, readHealthSearch, writeHealthSearch } from './inspection-search.ts';

export type ChangeHealth = (next: Partial<HealthSearch>, replace?: boolean) => void;

export interface HealthUrl {
  readonly search: HealthSearch;
  /** A choice makes an entry in the history; typing and stepping through the list replace it. */
  readonly change: ChangeHealth;
}

export function useHealthUrl(): HealthUrl {
  const url: UrlSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  return {
    search: useMemo(() => readHealthSearch(url), [url]),
    change: (next, replace = false) =>
      void navigate({
        to: '.',
        search: (before: UrlSearch) => writeHealthSearch({ ...readHealthSearch(before), ...next }, before),
        replace,
      }),
  };
}
