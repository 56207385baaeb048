import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { UrlSearch } from '../../platform/browser/url-search.ts';
import { isExact, type PricesSearch, readPricesSearch, writePricesSearch } from './prices-search.ts';

interface PricesUrl {
  readonly search: PricesSearch;
  /** A choice adds a history entry; typing and stepping through rows replace it. */
  readonly change: (next: Partial<PricesSearch>, replace?: boolean) => void;
}

export function usePricesUrl(): PricesUrl {
  const url: UrlSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const exact = isExact(url);
  useEffect(() => {
    if (exact) return;
    void navigate({
      to: '.',
      search: (before: UrlSearch) => writePricesSearch(readPricesSearch(before), before),
      replace: true,
    });
  }, [exact, navigate]);
  const change = (next: Partial<PricesSearch>, replace = false) =>
    void navigate({
      to: '.',
      search: (before: UrlSearch) => writePricesSearch({ ...readPricesSearch(before), ...next }, before),
      replace,
    });
  return { search: readPricesSearch(url), change };
}
