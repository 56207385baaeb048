import { useQuery } from '@tanstack/react-query';
import { useServices } from '../app/services.ts';
import { useSession } from '../app/session.ts';
import { UPSTREAM_MISSES_KEY } from './banner-queries.ts';

const MINUTE_MS = 60_000;

/** Who serves the page; asked again now and then, because a restart may change the answer. */
export function useHost() {
  const { manager } = useServices();
  return useQuery({
    queryKey: ['host'],
    queryFn: ({ signal }) => manager.host(signal),
    retry: 3,
    retryDelay: (attempt) => 1_000 * 2 ** attempt,
    refetchInterval: MINUTE_MS,
    staleTime: MINUTE_MS,
  });
}

/** A page that nobody touches asks eight times a minute at most, all its questions together. */
const STATUS_MS = 20_000;
const TROUBLED_STATUS_MS = 5_000;

/** Collector, counters, storage. Asked more often while something is wrong, so that a repair shows at once. */
export function useStatus(everyMs?: number) {
  const services = useServices();
  const signedIn = useSession(services.session) !== null;
  return useQuery({
    queryKey: ['status'],
    queryFn: ({ signal }) => services.manager.status(signal),
    enabled: signedIn,
    refetchInterval: (query) =>
      everyMs ?? (query.state.data?.collector.collector === 'running' ? STATUS_MS : TROUBLED_STATUS_MS),
  });
}

/** Asked again soon while the upstream does not answer, so that it is known for sure, and a repair shows. */
const MISSED_AGAIN_MS = 15_000;

export function useConfig() {
  const services = useServices();
  const signedIn = useSession(services.session) !== null;
  return useQuery({
    queryKey: ['config'],
    queryFn: async ({ signal }) => {
      const config = await services.manager.config({ signal });
      services.queries.setQueryData<number>(UPSTREAM_MISSES_KEY, (misses = 0) =>
        config.cpaUsage === undefined ? misses + 1 : 0,
      );
      return config;
    },
    enabled: signedIn,
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
  const signedIn = useSession(services.session) !== null;
  return useQuery({
    queryKey: ['aliases'],
    queryFn: async ({ signal }): Promise<ReadonlyMap<string, string>> => {
      const { items } = await services.manager.aliases(signal);
      return new Map(items.map((item) => [item.apiKeyHash, item.alias]));
    },
    enabled: signedIn,
    staleTime: 5 * MINUTE_MS,
  });
}

/** The same for pages that only show them: an empty map when the manager has none or does not know them. */
export function useAliases(): ReadonlyMap<string, string> {
  return useAliasNames().data ?? NO_ALIASES;
}

const NO_ALIASES: ReadonlyMap<string, string> = new Map();

/** Versions of the upstream, read through the manager. */
export function useUpstream(enabled = true) {
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
