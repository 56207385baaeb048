import type { AnalyticsInclude, AnalyticsResponse, FilterOptions } from '@manager/core/contract/monitoring/analytics';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { isUnsupported } from '../../platform/api/data-source.ts';
import { useServices } from '../../platform/api/services.ts';
import { useAliases } from '../../platform/queries/queries.ts';
import { type ResolvedRange, resolveCompare } from '../../platform/range/range.ts';
import { accountName, isAccountToken, rememberAccounts } from '../../platform/requests/account-names.ts';
import { sha256Hex } from '../../platform/sha256.ts';
import { countScopeFilters, type GranularityChoice, type Scope } from './analytics-search.ts';
import { baseRequest, granularityFor, NO_OPTIONS, plainScope, resolveScope } from './question.ts';

const REFRESH_MS = 60_000;

/** An answer with its request: numbers on screen belong to these instants, not to now. */
export interface Answered {
  readonly answer: AnalyticsResponse;
  readonly fromMs: number;
  readonly toMs: number;
  readonly nowMs: number;
  readonly zone: string;
  readonly granularity: 'hour' | 'day';
  /** The scope, keywords replaced by keys. */
  readonly scope: Scope;
}

/** Filter menus of a range, and whether the filters can be resolved yet. */
export interface ScopeOptions {
  readonly selectors: FilterOptions | undefined;
  readonly waiting: boolean;
}

/** @param marks whether chips mark values missing in the range; else menus are loaded only when needed */
export function useScopeOptions(scope: Scope, zone: string, menuOpen: boolean, marks = true): ScopeOptions {
  const { manager, client } = useServices();
  const unknown = scope.lists.account.some((token) => isAccountToken(token) && accountName(token) === undefined);
  const needed = unknown || scope.keyKeyword !== '';
  const query = useQuery({
    queryKey: ['analytics', 'selectors', scope.range, scope.search, zone],
    queryFn: async ({ signal }): Promise<FilterOptions> => {
      const nowMs = client.now();
      const hash = scope.search === '' ? '' : await sha256Hex(scope.search);
      const request = baseRequest(scope, resolveScope(scope, nowMs, zone), nowMs, zone, hash);
      const asked = { ...request, filters: {}, include: { filter_selectors: true } };
      const { filter_options = NO_OPTIONS } = await manager.analytics(asked, signal);
      rememberAccounts(filter_options.accounts ?? []);
      return filter_options;
    },
    enabled: menuOpen || needed || (marks && countScopeFilters(scope) > 0),
    staleTime: 60_000,
    placeholderData: keepPreviousData,
  });
  return { selectors: query.data, waiting: needed && query.isLoading };
}

interface AnalyticsQuestion {
  /** Distinguishes requests with different sections. */
  readonly part: string;
  readonly scope: Scope;
  /** B of a comparison: the time right before the scope's range. */
  readonly before?: boolean;
  /** A range other than the scope's. */
  readonly range?: Pick<ResolvedRange, 'fromMs' | 'toMs'> | undefined;
  readonly zone: string;
  readonly granularity: GranularityChoice;
  readonly include: (granularity: 'hour' | 'day') => AnalyticsInclude;
  readonly known?: readonly string[] | undefined;
  /** Accounts by the ids of their rows; their names may be e-mail addresses, so the address bar has no filter for them. */
  readonly credentials?: readonly string[];
  readonly enabled?: boolean;
}

/** One request to the manager, repeated every minute while its range moves and the page is visible. */
export function useAnalytics(question: AnalyticsQuestion) {
  const { manager, client } = useServices();
  const aliases = useAliases();
  const {
    part,
    scope,
    before = false,
    range,
    zone,
    granularity,
    known,
    credentials: accounts,
    enabled = true,
  } = question;
  const plain = useMemo(() => plainScope(scope, aliases, known ?? []), [scope, aliases, known]);
  const moving = range === undefined && resolveScope(plain, client.now(), zone).moving;
  return useQuery({
    queryKey: ['analytics', part, plain, before, range ?? null, zone, granularity, accounts ?? null],
    queryFn: async ({ signal }): Promise<Answered> => {
      const nowMs = client.now();
      const own = resolveScope(plain, nowMs, zone);
      const asked = range ?? (before ? (resolveCompare({ kind: 'previous' }, own, zone) ?? own) : own);
      const cut = granularityFor(granularity, asked);
      const hash = plain.search === '' ? '' : await sha256Hex(plain.search);
      const base = baseRequest(plain, asked, nowMs, zone, hash);
      const filters = { ...base.filters, ...(accounts === undefined ? {} : { credential_ids: [...accounts] }) };
      const request = { ...base, filters, include: question.include(cut) };
      const answer = await manager.analytics(request, signal);
      const { from_ms, to_ms } = request;
      return {
        answer,
        fromMs: from_ms ?? asked.fromMs,
        toMs: to_ms ?? asked.toMs,
        nowMs,
        zone,
        granularity: cut,
        scope: plain,
      };
    },
    enabled,
    staleTime: 10_000,
    // A retry does not help when the server does not know the request.
    refetchInterval: ({ state }) => (moving && !isUnsupported(state.error) ? REFRESH_MS : false),
  });
}
