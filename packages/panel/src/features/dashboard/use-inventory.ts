import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { ApiError } from '../../platform/api/errors.ts';
import { useServices } from '../../platform/api/services.ts';
import { countAccounts, countCompatible, countErrorLogs, countProviderKeys, KEY_LISTS } from './inventory-view.ts';

const MINUTE_MS = 60_000;
/** It only changes manually, and each load costs the gateway eleven answers. */
const REFRESH_MS = 15 * MINUTE_MS;
const OPTIONS = { staleTime: 5 * MINUTE_MS, refetchInterval: REFRESH_MS } as const;

/** Contents of the gateway, each part loaded separately: one that fails does not affect the others. */
export function useInventory() {
  const { client, manager } = useServices();
  const read = (path: string, signal: AbortSignal) => client.call<unknown>(`v0/management/${path}`, { signal });
  const accounts = useQuery({
    queryKey: ['inventory', 'accounts'],
    queryFn: async ({ signal }) => countAccounts(await read('auth-files', signal)),
    ...OPTIONS,
  });
  const clientKeys = useQuery({
    queryKey: ['inventory', 'client-keys'],
    queryFn: ({ signal }) => manager.clientKeys(signal),
    ...OPTIONS,
  });
  const providerKeys = useQuery({
    queryKey: ['inventory', 'provider-keys'],
    queryFn: async ({ signal }) =>
      countProviderKeys(await Promise.all(KEY_LISTS.map((name) => read(name, signal).catch(absent)))),
    ...OPTIONS,
  });
  const compatible = useQuery({
    queryKey: ['inventory', 'compatible'],
    queryFn: async ({ signal }) => countCompatible(await read('openai-compatibility', signal)),
    ...OPTIONS,
  });
  const [clientKey] = clientKeys.data ?? [];
  const models = useQuery({
    queryKey: ['inventory', 'models', clientKey],
    // A gateway without client keys serves everybody.
    queryFn: async ({ signal }) => (await manager.offeredModels(clientKey ?? null, signal)).length,
    enabled: clientKeys.data !== undefined,
    ...OPTIONS,
  });
  const errorLogs = useQuery({
    queryKey: ['inventory', 'error-logs'],
    queryFn: async ({ signal }) => countErrorLogs(await read('request-error-logs', signal)),
    ...OPTIONS,
  });
  const queries: readonly UseQueryResult[] = [accounts, clientKeys, providerKeys, compatible, models, errorLogs];
  return {
    accounts,
    clientKeys,
    providerKeys,
    compatible,
    models,
    errorLogs,
    refresh: () => {
      for (const query of queries) if (query.isEnabled) void query.refetch();
    },
  };
}

export type Inventory = ReturnType<typeof useInventory>;

/** Older gateways lack some lists. */
function absent(error: unknown): null {
  if (error instanceof ApiError && (error.status === 404 || error.status === 405)) return null;
  throw error;
}
