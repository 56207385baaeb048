import { quotaProvider } from '@manager/core/accounts/provider';
import type { AccountHistory } from '@manager/core/contract/accounts/history';
import type { QuotaWindowView } from '@manager/core/contract/quotas/snapshots';
import { skipToken, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useEffect, useMemo, useState } from 'react';
import type { Client } from '../api/client.ts';
import type { DataSource } from '../api/data-source.ts';
import { useManaged, useServices } from '../api/services.ts';
import { useNow } from '../browser/clock.ts';
import { numberMasks } from '../preferences/masking.ts';
import { useCandidates } from '../queries/account-actions.ts';
import { type Account, byName, hasHistory, readAccounts } from './account.ts';
import {
  ACCOUNTS_KEY,
  COOLDOWNS_KEY,
  type LastInspection,
  lastInspection,
  listCooldowns,
  listFiles,
  listHeaders,
  listHistory,
  listWindows,
} from './account-calls.ts';
import { maskOrder } from './mask-order.ts';
import { NO_REFUSALS, type QuotaRefusals, REFUSALS_KEY } from './quota-refusals.ts';
import { type AccountRow, createAccountRows } from './rows.ts';
import { OBSERVED_KEY, type ObservedWindows } from './store-windows.ts';
import { tagsByAccount, useTags } from './tags.ts';
import { useBatches } from './use-batches.ts';
import { MINUTE_MS, usePolling } from './use-polling.ts';

/** Maximum list entries to request per minute. */
const ACCOUNTS_PER_MINUTE = 1_000;
/** States depend on the time: interval of their update, ms. */
const STATE_STEP_MS = 15_000;

/** A list of megabytes is requested less often. */
const listInterval = (accounts: unknown): number =>
  MINUTE_MS * Math.max(1, Math.ceil((Array.isArray(accounts) ? accounts.length : 0) / ACCOUNTS_PER_MINUTE));

const RARELY = 10;
/** For users that need only names. */
const rareInterval = (accounts: unknown): number => RARELY * listInterval(accounts);

/** The auth-file list; shared by all its users. */
export function useAccountList(intervalOf = listInterval) {
  const { client } = useServices();
  return useQuery({
    queryKey: [ACCOUNTS_KEY, 'files'],
    queryFn: async ({ signal }) => {
      const answer = await listFiles(client, signal);
      // Yields before parsing a list of megabytes, so that pending input is handled first.
      await new Promise((resolve) => setTimeout(resolve));
      return byName(readAccounts(answer));
    },
    // Comparing thousands of entries member by member costs more than drawing them.
    structuralSharing: false,
    ...usePolling(intervalOf),
  });
}

/** On every page: equal masks are numbered by the accounts, whatever was opened first. */
export function useMaskNumbers(): void {
  const { data } = useAccountList(rareInterval);
  useEffect(() => {
    if (data !== undefined) numberMasks(maskOrder(data));
  }, [data]);
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
  /** Parts that failed to load or that this manager does not have. */
  readonly failed: readonly AccountPart[];
  /** Every account's history and quota have arrived or failed. */
  readonly settled: boolean;
  readonly busy: boolean;
  readonly refresh: () => void;
}

export type AccountPart = 'history' | 'quota' | 'cooldowns' | 'candidates' | 'headers' | 'inspection';

const INSPECTED_KEY = [ACCOUNTS_KEY, 'inspection'];
const NONE: readonly never[] = [];
const NO_WINDOWS: ObservedWindows = new Map();

/** The auth-file list, and the manager's data about each account, where there is a manager. */
export function useAccounts(): AccountsData {
  const { client, queries } = useServices();
  const managed = useManaged();
  const files = useAccountList();
  const accounts = files.data ?? NONE;
  const asked = managed ? accounts : NONE;
  const known = useMemo(() => asked.filter(({ listed: account }) => quotaProvider(account.provider) !== null), [asked]);
  const named = useMemo(() => asked.filter(hasHistory), [asked]);
  const history = useBatches('history', named, askHistory);
  const windows = useBatches('windows', known, askWindows);
  const polling = usePolling();
  const { data: observed = NO_WINDOWS } = useQuery<ObservedWindows>({
    queryKey: OBSERVED_KEY,
    queryFn: skipToken,
    gcTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  });
  const { data: refusals = NO_REFUSALS } = useQuery<QuotaRefusals>({
    queryKey: REFUSALS_KEY,
    queryFn: skipToken,
    gcTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  });
  const cooldowns = useQuery({
    queryKey: COOLDOWNS_KEY,
    enabled: managed,
    queryFn: ({ signal }) => listCooldowns(client, signal),
    ...polling,
  });
  // Additional evidence comes after the rows.
  const enabled = managed && files.data !== undefined;
  const headers = useQuery({
    queryKey: [ACCOUNTS_KEY, 'headers'],
    enabled,
    queryFn: ({ signal }) => listHeaders(client, signal),
    ...polling,
  });
  const inspections = useQuery({
    queryKey: INSPECTED_KEY,
    enabled,
    queryFn: async ({ signal }) => {
      const before = queries.getQueryData<LastInspection>(INSPECTED_KEY);
      const now = await lastInspection(client, before, signal);
      // A run observes quota and may disable or enable accounts.
      if (before !== undefined && before !== now) {
        for (const part of ['files', 'windows', 'cooldowns'])
          void queries.invalidateQueries({ queryKey: [ACCOUNTS_KEY, part] });
      }
      return now;
    },
    structuralSharing: false,
    ...polling,
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
          history: history.values,
          windows: managed ? windows.values : observed,
          cooldowns: cooldowns.data?.items ?? NONE,
          candidates: candidates.data?.items ?? NONE,
          headers: headers.data?.items ?? NONE,
          inspections: inspections.data?.results ?? NONE,
          refusals,
          tags: tagsOf,
          managed,
          pending: { history: !history.loaded, windows: !windows.loaded },
          windowsFailed: windows.error !== null,
        },
        nowMs,
      ),
    [
      makeRows,
      accounts,
      history,
      windows,
      observed,
      managed,
      cooldowns.data,
      candidates.data,
      headers.data,
      inspections.data,
      refusals,
      tagsOf,
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
    settled: files.data !== undefined && history.loaded && windows.loaded,
    busy: isFetching,
    refresh: () => {
      void queries.invalidateQueries({ queryKey: [ACCOUNTS_KEY] });
      if (managed) void candidates.refetch();
    },
  };
}
