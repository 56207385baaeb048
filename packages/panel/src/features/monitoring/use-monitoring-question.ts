import type { AnalyticsInclude, FilterOptions } from '@manager/core/contract/monitoring/analytics';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import { useServices } from '../../platform/api/services.ts';
import { type ResolvedRange, resolveCompare, resolveRange } from '../../platform/range/range.ts';
import { accountName, isAccountToken, rememberAccounts } from '../../platform/requests/account-names.ts';
import { questionKey, searchQuery, toFilters } from '../../platform/requests/request-filters.ts';
import { sha256Hex } from '../../platform/sha256.ts';
import type { EventsQuery } from './list/use-events.ts';
import type { MonitoringSearch } from './monitoring-search.ts';

export interface MonitoringQuestion {
  /** Changes with everything that changes the answer but time. */
  readonly key: string;
  readonly buildQuery: () => Promise<EventsQuery>;
  /** The same for the comparison range; null = there is none before the first event. */
  readonly buildCompared: () => Promise<EventsQuery | null>;
  /** Menus of the filters; undefined = not loaded, or missing at this server. */
  readonly selectors: FilterOptions | undefined;
  /** Menus of the rarer filters, which cost the server more. */
  readonly rare: FilterOptions | undefined;
  /** An account of the link is unknown until the menus are loaded. */
  readonly waiting: boolean;
}

/** Converts address parameters to requests to the manager. */
export function useMonitoringQuestion(
  search: MonitoringSearch,
  zone: string,
  options: {
    /** Menus, or values from them, are on screen. */
    readonly wanted: boolean;
    readonly rareWanted: boolean;
  },
): MonitoringQuestion {
  const { manager, client } = useServices();
  const latest = useRef({ search, zone });
  useEffect(() => {
    latest.current = { search, zone };
  });

  const ask = useCallback(
    async (range: ResolvedRange): Promise<EventsQuery> => {
      const { search: current, zone: time_zone } = latest.current;
      const accounts = current.lists.account.map((token) => accountName(token) ?? token);
      return {
        from_ms: Math.floor(range.fromMs),
        to_ms: Math.ceil(range.toMs),
        now_ms: Math.floor(client.now()),
        time_zone,
        ...(current.search === ''
          ? {}
          : { search_query: searchQuery(current.search), search_api_key_hash: await sha256Hex(current.search) }),
        filters: toFilters(current, accounts),
      };
    },
    [client],
  );
  const rangeNow = useCallback(
    () => resolveRange(latest.current.search.range, client.now(), latest.current.zone),
    [client],
  );
  const buildQuery = useCallback(() => ask(rangeNow()), [ask, rangeNow]);
  const buildCompared = useCallback(async () => {
    const { search: current, zone: ownZone } = latest.current;
    const compared = resolveCompare(current.compare, rangeNow(), ownZone);
    return compared === null ? null : ask(compared);
  }, [ask, rangeNow]);

  const unknownAccount = search.lists.account.some(
    (token) => isAccountToken(token) && accountName(token) === undefined,
  );
  // Range and search only: a filter never removes its alternatives.
  const menus = async (include: AnalyticsInclude, signal: AbortSignal): Promise<FilterOptions> => {
    const query = { ...(await buildQuery()), filters: {} };
    const answer = await manager.analytics({ ...query, include }, signal);
    rememberAccounts(answer.filter_options?.accounts ?? []);
    return answer.filter_options ?? {};
  };
  const about = [search.range, search.search, zone];
  const selectors = useQuery({
    queryKey: ['selectors', ...about],
    queryFn: ({ signal }) => menus({ filter_selectors: true }, signal),
    enabled: options.wanted || unknownAccount,
    staleTime: 60_000,
    placeholderData: keepPreviousData,
  });
  const rare = useQuery({
    queryKey: ['rare-selectors', ...about],
    queryFn: ({ signal }) => menus({ filter_values: true }, signal),
    enabled: options.rareWanted,
    staleTime: 60_000,
    placeholderData: keepPreviousData,
  });
  return {
    key: JSON.stringify([questionKey(search), zone, unknownAccount]),
    buildQuery,
    buildCompared,
    selectors: selectors.data,
    rare: rare.data,
    waiting: unknownAccount && selectors.isLoading,
  };
}
