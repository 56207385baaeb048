import { useMemo } from 'react';
import { type AddressState, useAddress } from '../../platform/browser/address.ts';
import { isPrivateText } from '../../platform/browser/private-text.ts';
import { createStore, useStore } from '../../platform/store.ts';
import { ANALYTICS_ADDRESS, type AnalyticsSearch } from './analytics-search.ts';

/** Texts that must not get into the address live in this tab only. */
const privateTexts = createStore({ search: '', keyKeyword: '' });

export function useAnalyticsUrl(): AddressState<AnalyticsSearch> {
  const { search: read, change } = useAddress(ANALYTICS_ADDRESS);
  const hidden = useStore(privateTexts);
  const search = useMemo(() => {
    const { scope } = read;
    const whole = {
      ...scope,
      search: scope.search || hidden.search,
      keyKeyword: scope.keyKeyword || hidden.keyKeyword,
    };
    return { ...read, scope: whole };
  }, [read, hidden]);
  return {
    search,
    change: (next, replace) => {
      if (next.scope !== undefined) {
        const only = (text: string) => (isPrivateText(text) ? text : '');
        privateTexts.set({ search: only(next.scope.search), keyKeyword: only(next.scope.keyKeyword) });
      }
      change(next, replace);
    },
  };
}
