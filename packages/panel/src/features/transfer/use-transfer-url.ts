import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { UrlSearch } from '../../platform/browser/url-search.ts';
import { isExact, readTransferSearch, type TransferSearch, writeTransferSearch } from './transfer-search.ts';

export interface TransferUrl {
  readonly search: TransferSearch;
  /** A choice adds a history entry; stepping through the list replaces it. */
  readonly change: (next: Partial<TransferSearch>, replace?: boolean) => void;
}

export function useTransferUrl(): TransferUrl {
  const url: UrlSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const exact = isExact(url);
  const go = (next: Partial<TransferSearch>, replace: boolean) =>
    void navigate({
      to: '.',
      search: (before: UrlSearch) => writeTransferSearch({ ...readTransferSearch(before), ...next }, before),
      replace,
    });
  useEffect(() => {
    if (!exact)
      void navigate({
        to: '.',
        search: (before: UrlSearch) => writeTransferSearch(readTransferSearch(before), before),
        replace: true,
      });
  }, [exact, navigate]);
  return { search: readTransferSearch(url), change: (next, replace = false) => go(next, replace) };
}
