import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useMemo } from 'react';
import { isPrivateText } from '../../platform/browser/private-text.ts';
import type { UrlSearch } from '../../platform/browser/url-search.ts';
import { createStore, useStore } from '../../platform/store.ts';
import { type AnalyticsSearch, isExact, readAnalyticsSearch, writeAnalyticsSearch } from './analytics-search.ts';

/** Texts that must not get into the address live in this tab only. */
const privateTexts = createStore({ search: '', keyKeyword: '' });

interface AnalyticsUrl {
  readonly search: AnalyticsSearch;
  /** A choice adds a history entry; typing and stepping through rows replace it. */
  readonly change: (next: Partial<AnalyticsSearch>, replace?: boolean) => void;
}

export function useAnalyticsUrl(): AnalyticsUrl {
  const url: UrlSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const hidden = useStore(privateTexts);
  const exact = useMemo(() => isExact(url), [url]);
  useEffect(() => {
    if (exact) return;
    void navigate({
      to: '.',
      search: (before: UrlSearch) => writeAnalyticsSearch(readAnalyticsSearch(before), before),
      replace: true,
    });
  }, [exact, navigate]);
  const search = useMemo(() => {
    const read = readAnalyticsSearch(url);
    const { scope } = read;
    const whole = {
      ...scope,
      search: scope.search || hidden.search,
      keyKeyword: scope.keyKeyword || hidden.keyKeyword,
    };
    return { ...read, scope: whole };
  }, [url, hidden]);
  return {
    search,
    change: (next, replace = false) => {
      if (next.scope !== undefined) {
        const only = (text: string) => (isPrivateText(text) ? text : '');
        privateTexts.set({ search: only(next.scope.search), keyKeyword: only(next.scope.keyKeyword) });
      }
      void navigate({
        to: '.',
        search: (before: UrlSearch) => writeAnalyticsSearch({ ...readAnalyticsSearch(before), ...next }, before),
        replace,
      });
    },
  };
}
