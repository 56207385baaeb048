import { useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useServices } from '../../api/services.ts';
import type { Entry } from './entry.ts';
import { KINDS, type KindId } from './kinds.ts';
import { providerList } from './provider-list.ts';

/** First part of the query keys. */
export const PROVIDERS = 'providers';
/** The entries hold keys in clear text, in memory only. */
export const PROVIDER_QUERY = { staleTime: 30_000, gcTime: 60_000 };

export type Lists = Readonly<Partial<Record<KindId, readonly Entry[]>>>;

/** All seven lists, each of which may fail alone. */
export function useProviderLists() {
  const { client } = useServices();
  const queries = useQueries({
    queries: KINDS.map((kind) => ({
      ...PROVIDER_QUERY,
      queryKey: [PROVIDERS, kind.id],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) => providerList(client, kind, signal).read(),
    })),
  });
  // The queries are new objects at every render, their data are not.
  const data = queries.map((query) => query.data);
  const lists = useMemo(
    () => Object.fromEntries(KINDS.map(({ id }, at) => [id, data[at]])) as Lists,
    // biome-ignore lint/correctness/useExhaustiveDependencies: one for each kind.
    data,
  );
  return { queries, lists };
}
