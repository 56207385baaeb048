import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { UrlSearch } from '../../platform/browser/url-search.ts';
import { type InspectionSearch, readInspectionSearch, writeInspectionSearch } from './inspection-search.ts';

export type ChangeInspectionSearch = (next: Partial<InspectionSearch>, replace?: boolean) => void;

export interface InspectionUrl {
  readonly search: InspectionSearch;
  /** A choice adds a history entry; typing and stepping through the list replace it. */
  readonly change: ChangeInspectionSearch;
}

export function useInspectionUrl(): InspectionUrl {
  const url: UrlSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  return {
    search: useMemo(() => readInspectionSearch(url), [url]),
    change: (next, replace = false) =>
      void navigate({
        to: '.',
        search: (before: UrlSearch) => writeInspectionSearch({ ...readInspectionSearch(before), ...next }, before),
        replace,
      }),
  };
}
