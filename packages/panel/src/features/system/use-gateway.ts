import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../../platform/api/errors.ts';
import { useServices } from '../../platform/api/services.ts';
import { REQUEST_LOG_PATH, readRequestLog } from '../../platform/queries/request-log.ts';

const MINUTE_MS = 60_000;

/** Client keys of the gateway; they stay in memory. */
export function useClientKeys() {
  const { manager } = useServices();
  return useQuery({
    queryKey: ['system', 'client-keys'],
    queryFn: ({ signal }) => manager.clientKeys(signal),
    staleTime: 5 * MINUTE_MS,
  });
}

/** Models the gateway offers to a client key; null = to everybody, because it has none. */
export function useOfferedModels(key: string | null, enabled: boolean) {
  const { manager } = useServices();
  return useQuery({
    queryKey: ['system', 'models', key],
    queryFn: ({ signal }) => manager.offeredModels(key, signal),
    enabled,
    staleTime: 5 * MINUTE_MS,
  });
}

/** Whether the gateway logs every request. */
export function useRequestLog() {
  const { client } = useServices();
  const queries = useQueryClient();
  const queryKey = ['system', 'request-log'];
  const state = useQuery({ queryKey, queryFn: ({ signal }) => readRequestLog(client, signal), staleTime: MINUTE_MS });
  const change = useMutation({
    mutationFn: async (on: boolean) => {
      const failure: unknown = await client
        .call<unknown>(REQUEST_LOG_PATH, { method: 'PUT', body: { value: on } })
        .then(
          () => null,
          (error: unknown) => error,
        );
      // The answer may be lost, or be `ok` without a change: what the gateway has now decides.
      const stored = await readRequestLog(client);
      queries.setQueryData(queryKey, stored);
      if (stored === on) return;
      const about = { path: REQUEST_LOG_PATH, atMs: client.now() };
      throw failure ?? new ApiError('shape', 'the gateway confirmed the change and did not make it', about);
    },
  });
  return { state, change };
}
