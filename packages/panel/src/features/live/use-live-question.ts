import type { FilterOptions } from '@manager/core/contract/monitoring';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import { useServices } from '../../app/services.ts';
import { resolveRange } from '../../ui/range/range.ts';
import { sha256Hex } from '../../ui/sha256.ts';
import { accountName, isAccountToken, rememberAccounts } from './account-names.ts';
import { countFilters, type LiveSearch, toFilters } from './live-search.ts';
import type { EventsQuery } from './use-live-events.ts';

export interface LiveQuestion {
  /** Changes with everything that changes the answer but time. */
  readonly key: string;
  readonly buildQuery: () => Promise<EventsQuery>;
  /** Menus of the filters; undefined = not asked for, or this server has none. */
  readonly selectors: FilterOptions | undefined;
  /** An account of the link is not known yet; the menus will tell its name. */
  readonly waiting: boolean;
}

/** Turns what the address holds into questions to the manager. */
export function useLiveQuestion(search: LiveSearch, zone: string, menuOpen: boolean): LiveQuestion {
  const { manager, client } = useServices();
  const latest = useRef({ search, zone });
  useEffect(() => {
    latest.current = { search, zone };
  });

  const buildQuery = useCallback(async (): Promise<EventsQuery> => {
    const { search: current, zone: time_zone } = latest.current;
    const nowMs = client.now();
    const { fromMs, toMs } = resolveRange(current.range, nowMs, time_zone);
    const accounts = current.lists.account.map((token) => accountName(token) ?? token);
    return {
      from_ms: Math.floor(fromMs),
      to_ms: Math.ceil(toMs),
      now_ms: Math.floor(nowMs),
      time_zone,
      ...(current.search === ''
        ? {}
        : { search_query: current.search, search_api_key_hash: await sha256Hex(current.search) }),
      filters: toFilters(current, accounts),
    };
  }, [client]);

  const unknownAccount = search.lists.account.some(
    (token) => isAccountToken(token) && accountName(token) === undefined,
  );
  // Range and search only: a filter never takes away its alternatives.
  const selectors = useQuery({
    queryKey: ['selectors', search.range, search.search, zone],
    queryFn: async ({ signal }): Promise<FilterOptions> => {
      const query = { ...(await buildQuery()), filters: {} };
      const answer = await manager.analytics({ ...query, include: { filter_selectors: true } }, signal);
      rememberAccounts(answer.filter_options?.accounts ?? []);
      return answer.filter_options ?? {};
    },
    enabled: menuOpen || countFilters(search) > 0,
    staleTime: 60_000,
    placeholderData: keepPreviousData,
  });
  return {
    key: JSON.stringify([search, zone, unknownAccount]),
    buildQuery,
    selectors: selectors.data,
    waiting: unknownAccount && selectors.isLoading,
  };
}
