import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo } from 'react';
import { isPrivateText } from '../../platform/browser/private-text.ts';
import type { UrlSearch } from '../../platform/browser/url-search.ts';
import { createStore, useStore } from '../../platform/store.ts';
import { changedUrl, correctedUrl, type MonitoringSearch, readMonitoringSearch } from './monitoring-search.ts';

/** Search texts that must not get into the address live in this tab only. */
const privateSearch = createStore('');

export interface MonitoringUrl {
  readonly search: MonitoringSearch;
  /**
   * Changes the given parts: others may have changed since the page was drawn. `replace` for typing, a new history entry for a
   * choice.
   */
  readonly change: (next: Partial<MonitoringSearch>, replace?: boolean) => void;
  readonly openEvent: (hash: string, atMs: number, replace?: boolean) => void;
  readonly closeEvent: () => void;
}

export function useMonitoringUrl(): MonitoringUrl {
  const url: UrlSearch = useSearch({ strict: false });
  const hidden = useStore(privateSearch);
  const navigate = useNavigate();
  const search = useMemo(() => withHidden(url, hidden), [url, hidden]);
  // Corrects an address with an invalid part, without a new history entry.
  useEffect(() => {
    const right = correctedUrl(url);
    if (right !== null) void navigate({ to: '.', search: () => right, replace: true });
  }, [url, navigate]);
  const change = useCallback(
    (next: Partial<MonitoringSearch>, replace = false) => {
      if (next.search !== undefined) privateSearch.set(isPrivateText(next.search) ? next.search : '');
      void navigate({
        to: '.',
        search: (before: UrlSearch) => changedUrl({ ...withHidden(before, privateSearch.get()), ...next }, before),
        replace,
      });
    },
    [navigate],
  );
  return {
    search,
    change,
    openEvent: (hash, atMs, replace = false) => {
      void navigate({
        to: '/monitoring/event/$eventHash',
        params: { eventHash: hash },
        search: (before: UrlSearch) => ({ ...before, at: [String(atMs)] }),
        replace,
      });
    },
    closeEvent: () => {
      void navigate({
        to: '/monitoring',
        search: (before: UrlSearch) => Object.fromEntries(Object.entries(before).filter(([name]) => name !== 'at')),
      });
    },
  };
}

/** The address with the text that is not in it. */
function withHidden(url: UrlSearch, hidden: string): MonitoringSearch {
  const read = readMonitoringSearch(url);
  return read.search === '' && hidden !== '' ? { ...read, search: hidden } : read;
}
