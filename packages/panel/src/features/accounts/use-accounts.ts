import { quotaProvider } from '@manager/core/accounts/provider';
import type { AccountHistory } from '@manager/core/contract/account-history';
import type { QuotaWindowView } from '@manager/core/contract/quota-snapshots';
import { type Query, skipToken, useQueries, useQuery } from '@tanstack/react-query';
import { useCallback, useDeferredValue, useMemo, useState } from 'react';
import { useCandidates } from '../../api/account-actions.ts';
import type { Client } from '../../api/client.ts';
import { pollPause } from '../../api/poll.ts';
import { useNow } from '../../app/clock.ts';
import { useManaged, useServices } from '../../app/services.ts';
import { type DataSource, isUnsupported } from '../../ui/data-source.ts';
import { sha256HexSync } from '../../ui/sha256.ts';
import {
  ACCOUNTS_KEY,
  BATCH_SIZE,
  lastInspection,
  listCooldowns,
  listFiles,
  listHeaders,
  listHistory,
  listWindows,
} from './account-calls.ts';
import { type Account, readAccounts } from './model/account.ts';
import { byName } from './model/list.ts';
import { type AccountRow, createAccountRows } from './model/rows.ts';
import { oneAfterAnother } from './one-after-another.ts';
import { OBSERVED_KEY, type ObservedWindows } from './refresh/keep-windows.ts';
import { tagsByAccount, useTags } from './tags.ts';
import { useThrottled } from './use-throttled.ts';

const MINUTE_MS = 60_000;
/** Calls of one kind that run at once. */
const BATCHES_AT_ONCE = 2;
/** Answers to parts of a large list are drawn together, ms. */
const ARRIVALS_MS = 700;
/** Entries of the list that may be asked for in a minute. */
const ACCOUNTS_A_MINUTE = 1_000;
/** States depend on the time: what recovers shows it within this time, ms. */
const STATE_STEP_MS = 15_000;

/** Asks every minute, ±10 %, on return to the tab when it is due, and never again where the server cannot answer. */
function usePolling(intervalOf: (data: unknown) => number = () => MINUTE_MS) {
  const [spread] = useState(() => 0.9 + 0.2 * Math.random());
  return useMemo(
    () => ({
      staleTime: <T>({ state }: Query<T>) => intervalOf(state.data) / 2,
      refetchOnWindowFocus: true,
      refetchInterval: <T>({ state }: Query<T>) =>
        isUnsupported(state.error) ? (false as const) : Math.round(pollPause(state, intervalOf(state.data)) * spread),
    }),
    [intervalOf, spread],
  );
}

/** A list of megabytes is asked for less often. */
const listInterval = (accounts: unknown): number =>
  MINUTE_MS * Math.max(1, Math.ceil((Array.isArray(accounts) ? accounts.length : 0) / ACCOUNTS_A_MINUTE));

/** The list of credentials; shared with whoever needs it. */
function useAccountList() {
  const { client } = useServices();
  return useQuery({
    queryKey: [ACCOUNTS_KEY, 'files'],
    queryFn: async ({ signal }) => {
      const answer = await listFiles(client, signal);
      // A list of megabytes is read after a pause for what was pressed while it was parsed.
      await new Promise((resolve) => setTimeout(resolve));
      return byName(readAccounts(answer));
    },
    // Comparing thousands of entries member by member costs more than drawing them.
    structuralSharing: false,
    ...usePolling(listInterval),
  });
}

interface Batches<V> {
  readonly values: ReadonlyMap<string, V>;
  readonly loaded: boolean;
  readonly error: unknown;
}

/** Asks about many accounts in several calls; what has arrived is there before the rest. */
function useBatches<V>(
  name: string,
  accounts: readonly Account[],
  ask: (client: Client, accounts: readonly Account[], signal: AbortSignal) => Promise<ReadonlyMap<string, V>>,
): Batches<V> {
  const { client } = useServices();
  const [limit] = useState(() => oneAfterAnother(BATCHES_AT_ONCE));
  const count = Math.ceil(accounts.length / BATCH_SIZE);
  // A large list is asked about less often, so that a minute holds about one call.
  const polling = usePolling(useCallback(() => MINUTE_MS * Math.max(1, count), [count]));
  const queries = useMemo(
    () =>
      Array.from({ length: count }, (_, index) => {
        const batch = accounts.slice(index * BATCH_SIZE, (index + 1) * BATCH_SIZE);
        return {
          // Short, because it is compared whenever the page is drawn.
          queryKey: [ACCOUNTS_KEY, name, sha256HexSync(batch.map(({ key }) => key).join(' '))],
          queryFn: ({ signal }: { readonly signal: AbortSignal }) => limit(() => ask(client, batch, signal)),
          structuralSharing: false as const,
          ...polling,
        };
      }),
    [accounts, count, name, ask, client, limit, polling],
  );
  return useQueries({ queries, combine: combineBatches<V> });
}

/** Maps are not compared part by part, so that the same answers must give the same object. */
function combineBatches<V>(
  results: readonly {
    readonly data: ReadonlyMap<string, V> | undefined;
    readonly isLoading: boolean;
    readonly error: unknown;
  }[],
): Batches<V> {
  const values = new Map<string, V>();
  for (const { data } of results) for (const [key, value] of data ?? []) values.set(key, value);
  return {
    values,
    loaded: results.every(({ isLoading }) => !isLoading),
    error: results.find(({ error }) => error !== null)?.error ?? null,
  };
}

async function askHistory(client: Client, accounts: readonly Account[], signal: AbortSignal) {
  const { items } = await listHistory(client, accounts, signal);
  return new Map<string, AccountHistory>(items.map((item) => [item.row_key, item]));
}

async function askWindows(client: Client, accounts: readonly Account[], signal: AbortSignal) {
  const { items } = await listWindows(client, accounts, signal);
  return new Map<string, readonly QuotaWindowView[]>(items.map((item) => [item.row_key, item.windows]));
}

export interface AccountsData {
  readonly source: DataSource<readonly AccountRow[]>;
  readonly accounts: readonly Account[];
  /** Parts that could not be loaded or that this manager does not have. */
  readonly failed: readonly AccountPart[];
  /** Every account's history and quota have arrived or failed. */
  readonly settled: boolean;
  readonly busy: boolean;
  readonly refresh: () => void;
}

export type AccountPart = 'history' | 'quota' | 'cooldowns' | 'candidates' | 'headers' | 'inspection';

const NONE: readonly never[] = [];
const NO_WINDOWS: ObservedWindows = new Map();

/** The list of credentials, and what the manager knows of each of them, where there is one. */
export function useAccounts(): AccountsData {
  const { client, queries } = useServices();
  const managed = useManaged();
  const files = useAccountList();
  const accounts = files.data ?? NONE;
  const asked = managed ? accounts : NONE;
  const known = useMemo(() => asked.filter(({ credential }) => quotaProvider(credential.provider) !== null), [asked]);
  const history = useBatches('history', asked, askHistory);
  const windows = useBatches('windows', known, askWindows);
  // Dozens of answers arrive one after the other; drawing each at once would hold up typing.
  const histories = useThrottled(history, ARRIVALS_MS);
  const allWindows = useThrottled(windows, ARRIVALS_MS);
  // What has arrived counts as soon as it is drawn.
  const historyPending = !history.loaded || !histories.loaded;
  const windowsPending = !windows.loaded || !allWindows.loaded;
  const polling = usePolling();
  const { data: observed = NO_WINDOWS } = useQuery<ObservedWindows>({
    queryKey: OBSERVED_KEY,
    queryFn: skipToken,
    gcTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  });
  const cooldowns = useQuery({
    queryKey: [ACCOUNTS_KEY, 'cooldowns'],
    enabled: managed,
    queryFn: ({ signal }) => listCooldowns(client, signal),
    ...polling,
  });
  // What only adds evidence comes after the rows.
  const enabled = managed && files.data !== undefined;
  const headers = useQuery({
    queryKey: [ACCOUNTS_KEY, 'headers'],
    enabled,
    queryFn: ({ signal }) => listHeaders(client, signal),
    ...polling,
  });
  const inspections = useQuery({
    queryKey: [ACCOUNTS_KEY, 'inspection'],
    enabled,
    queryFn: ({ signal }) => lastInspection(client, signal),
    staleTime: 5 * MINUTE_MS,
  });
  const candidates = useCandidates('pending');
  const tags = useTags();
  const nowMs = useDeferredValue(useNow(STATE_STEP_MS));
  const [makeRows] = useState(createAccountRows);
  const tagsOf = useMemo(() => tagsByAccount(accounts, tags), [accounts, tags]);
  const rows = useMemo(
    () =>
      makeRows(
        accounts,
        {
          history: histories.values,
          windows: managed ? allWindows.values : observed,
          cooldowns: cooldowns.data?.items ?? NONE,
          candidates: candidates.data?.items ?? NONE,
          headers: headers.data?.items ?? NONE,
          inspections: inspections.data ?? NONE,
          tags: tagsOf,
          managed,
          pending: { history: historyPending, windows: windowsPending },
        },
        nowMs,
      ),
    [
      makeRows,
      accounts,
      histories,
      allWindows,
      observed,
      managed,
      cooldowns.data,
      candidates.data,
      headers.data,
      inspections.data,
      tagsOf,
      historyPending,
      windowsPending,
      nowMs,
    ],
  );
  const failed: AccountPart[] = [];
  const parts: readonly (readonly [AccountPart, unknown])[] = [
    ['history', history.error],
    ['quota', windows.error],
    ['cooldowns', cooldowns.error],
    ['candidates', candidates.error],
    ['headers', headers.error],
    ['inspection', inspections.error],
  ];
  for (const [part, error] of parts) if (error !== null) failed.push(part);
  const { error, dataUpdatedAt, isFetching, refetch } = files;
  const data = files.data === undefined ? undefined : rows;
  const source = useMemo(
    () => ({ data, error, atMs: dataUpdatedAt || null, busy: isFetching, retry: () => void refetch() }),
    [data, error, dataUpdatedAt, isFetching, refetch],
  );
  return {
    source,
    accounts,
    failed,
    settled: files.data !== undefined && !historyPending && !windowsPending,
    busy: isFetching,
    refresh: () => {
      void queries.invalidateQueries({ queryKey: [ACCOUNTS_KEY] });
      if (managed) void candidates.refetch();
    },
  };
}
