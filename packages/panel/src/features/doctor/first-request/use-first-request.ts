import { useQuery } from '@tanstack/react-query';
import { useServices } from '../../../platform/api/services.ts';
import { useConfig } from '../../../platform/queries/queries.ts';
import { clientAddress, type FirstRequest } from './command.ts';

/** Where the gateway offers none, or does not answer. */
const ANY_MODEL = 'MODEL';

/** What a first request needs; undefined = not known yet. The client key stays in memory. */
export function useFirstRequest(): { readonly request: FirstRequest | undefined; readonly hasModels: boolean } {
  const { manager } = useServices();
  const config = useConfig();
  const keys = useQuery({
    queryKey: ['first-request', 'client-keys'],
    queryFn: ({ signal }) => manager.clientKeys(signal),
  });
  const key = keys.data?.[0] ?? null;
  const models = useQuery({
    queryKey: ['first-request', 'models', key],
    queryFn: ({ signal }) => manager.offeredModels(key, signal),
    enabled: keys.isSuccess,
  });
  const baseUrl = config.data?.config.cpaConnection.cpaBaseUrl;
  const settled = keys.isError || models.isSuccess || models.isError;
  if (baseUrl === undefined || !settled) return { request: undefined, hasModels: true };
  const model = models.data?.[0]?.id;
  return {
    request: { baseUrl: clientAddress(baseUrl, window.location.hostname), model: model ?? ANY_MODEL, key },
    // Unknown is not none.
    hasModels: !models.isSuccess || model !== undefined,
  };
}
