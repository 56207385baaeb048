import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useManaged, useServices } from '../api/services.ts';
import { maskKey } from '../format/mask-key.ts';
import { useSession } from '../session/session.ts';
import { UPSTREAM_MISSES_KEY } from './banner-queries.ts';
import { CLIENT_KEYS, clientKeyCalls } from './client-keys.ts';
import { lastHost, rememberHost } from './last-host.ts';

const MINUTE_MS = 60_000;
/** Retry interval of the host request while nobody answers, ms. */
const AGAIN_MS = 5_000;

/** Who serves the page; polled, because a restart may change the answer. */
export function useHost() {
  const { manager, client } = useServices();
  return useQuery({
    queryKey: ['host'],
    queryFn: async ({ signal }) => {
      try {
        const host = await manager.host(signal);
        rememberHost(client.page, host);
        return host;
      } catch (error) {
        const last = lastHost(client.page);
        if (last === undefined) throw error;
        return last;
      }
    },
    retry: 3,
    retryDelay: (attempt) => 1_000 * 2 ** attempt,
    refetchInterval: ({ state }) => (state.data?.earlier === true ? AGAIN_MS : MINUTE_MS),
    staleTime: MINUTE_MS,
  });
}

/** An idle page sends at most eight requests a minute in total. */
const STATUS_MS = 20_000;
const TROUBLED_STATUS_MS = 5_000;

/** Collector, counters, storage. Polled more often while something is wrong, so that a fix shows at once. */
export function useStatus(everyMs?: number) {
  const services = useServices();
  const managed = useManaged();
  return useQuery({
    queryKey: ['status'],
    queryFn: ({ signal }) => services.manager.status(signal),
    enabled: managed,
    refetchInterval: (query) =>
      everyMs ?? (query.state.data?.collector.collector === 'running' ? STATUS_MS : TROUBLED_STATUS_MS),
  });
}

/** Retried soon while the gateway does not answer, to confirm the failure or show the recovery. */
const MISSED_AGAIN_MS = 15_000;

export function useConfig() {
  const services = useServices();
  const managed = useManaged();
  return useQuery({
    queryKey: ['config'],
    queryFn: async ({ signal }) => {
      const config = await services.manager.config({ signal });
      services.queries.setQueryData<number>(UPSTREAM_MISSES_KEY, (misses = 0) =>
        config.cpaUsage === undefined ? misses + 1 : 0,
      );
      return config;
    },
    enabled: managed,
    staleTime: MINUTE_MS,
    refetchInterval: ({ state }) =>
      state.data !== undefined && state.data.source !== '' && state.data.cpaUsage === undefined
        ? MISSED_AGAIN_MS
        : 5 * MINUTE_MS,
  });
}

/** Names of client keys by hash. */
export function useAliasNames() {
  const services = useServices();
  const managed = useManaged();
  return useQuery({
    queryKey: ['aliases'],
    queryFn: async ({ signal }): Promise<ReadonlyMap<string, string>> => {
      const { items } = await services.manager.aliases(signal);
      return new Map(items.map((item) => [item.apiKeyHash, item.alias]));
    },
    enabled: managed,
    staleTime: 5 * MINUTE_MS,
  });
}

/** The same for pages that only show them: an empty map when the manager has none or does not know them. */
export function useAliases(): ReadonlyMap<string, string> {
  return useAliasNames().data ?? NO_ALIASES;
}

const NO_ALIASES: ReadonlyMap<string, string> = new Map();
const NO_KEYS = NO_ALIASES;

/** Client keys the gateway accepts now, by hash; past ones are known by their hash alone. */
export function useClientKeys(): ReadonlyMap<string, string> {
  const { client } = useServices();
  const managed = useManaged();
  const { data } = useQuery({
    queryKey: [CLIENT_KEYS],
    enabled: managed,
    staleTime: MINUTE_MS,
    queryFn: ({ signal }) => clientKeyCalls(client).list(signal),
  });
  return useMemo(() => (data === undefined ? NO_KEYS : new Map(data.map(({ hash, key }) => [hash, key]))), [data]);
}

/** Names of client keys by hash: their alias, else the masked key while the gateway has it. */
export function useKeyNames(): ReadonlyMap<string, string> {
  const aliases = useAliases();
  const keys = useClientKeys();
  return useMemo(
    () => new Map([...[...keys].map(([hash, key]) => [hash, maskKey(key)] as const), ...aliases]),
    [aliases, keys],
  );
}

/** The gateway's own information. */
export function useGateway(enabled = true) {
  const services = useServices();
  const signedIn = useSession(services.session) !== null;
  return useQuery({
    queryKey: ['upstream'],
    queryFn: ({ signal }) => services.manager.upstream({ signal }),
    enabled: signedIn && enabled,
    staleTime: 5 * MINUTE_MS,
    refetchInterval: (query) => (query.state.status === 'error' ? MINUTE_MS : false),
  });
}
