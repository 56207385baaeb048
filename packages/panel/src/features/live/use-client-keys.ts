import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { CLIENT_KEYS, clientKeyCalls } from '../../api/client-keys.ts';
import { useServices } from '../../app/services.ts';

const NO_KEYS: ReadonlyMap<string, string> = new Map();

/** Client keys that the gateway accepts now, by hash; those of the past are known by their hash alone. */
export function useClientKeys(enabled: boolean): ReadonlyMap<string, string> {
  const { client } = useServices();
  const { data } = useQuery({
    queryKey: [CLIENT_KEYS],
    enabled,
    staleTime: 60_000,
    queryFn: ({ signal }) => clientKeyCalls(client).list(signal),
  });
  return useMemo(() => (data === undefined ? NO_KEYS : new Map(data.map(({ hash, key }) => [hash, key]))), [data]);
}
