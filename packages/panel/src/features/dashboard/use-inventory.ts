import { authFileEntries } from '@manager/core/accounts/listed-account';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { listFiles } from '../../platform/accounts/account-calls.ts';
import { listAt } from '../../platform/api/answer-list.ts';
import { isUnsupported } from '../../platform/api/data-source.ts';
import { useServices } from '../../platform/api/services.ts';
import { countAccounts, countCompatible, countErrorLogs, countProviderKeys, KEY_LISTS } from './inventory-view.ts';

const MINUTE_MS = 60_000;
/** It only changes manually, and each load costs the gateway eleven answers. */
const REFRESH_MS = 15 * MINUTE_MS;
const OPTIONS = { staleTime: 5 * MINUTE_MS, refetchInterval: REFRESH_MS } as const;

/** Contents of the gateway, each part loaded separately: one that fails does not affect the others. */
export function useInventory() {
  const { client, manager } = useServices();
  const list = (name: string, signal: AbortSignal, member = name) =>
    listAt(client, `v0/management/${name}`, member, { signal });
  const accounts = useQuery({
    queryKey: ['inventory', 'accounts'],
    queryFn: async ({ signal }) => countAccounts(authFileEntries(await listFiles(client, signal))),
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
      countProviderKeys(await Promise.all(KEY_LISTS.map((name) => list(name, signal).catch(absent)))),
    ...OPTIONS,
  });
  const compatible = useQuery({
    queryKey: ['inventory', 'compatible'],
    queryFn: async ({ signal }) => countCompatible(await list('openai-compatibility', signal)),
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
    queryFn: async ({ signal }) => countErrorLogs(await list('request-error-logs', signal, 'files')),
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
function absent(error: unknown): readonly [] {
  if (isUnsupported(error)) return [];
  throw error;
}
