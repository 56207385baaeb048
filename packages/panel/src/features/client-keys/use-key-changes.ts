import { useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useServices } from '../../platform/api/services.ts';
import { CLIENT_KEYS, clientKeyCalls } from '../../platform/queries/client-keys.ts';
import { type AddOutcome, addKey, type NewKeyNames, type RemoveOutcome, removeKey } from './key-changes.ts';

export interface KeyChanges {
  /** @param again an earlier attempt may have added it */
  readonly add: (key: string, names: NewKeyNames | null, again: boolean) => Promise<AddOutcome>;
  readonly remove: (hash: string, dropAlias: boolean) => Promise<RemoveOutcome>;
  /** @param takeFromOrphan keys in use, when the name is to be taken from one that is not; null = it must be free */
  readonly saveAlias: (hash: string, alias: string, takeFromOrphan: readonly string[] | null) => Promise<unknown>;
  readonly removeAlias: (hash: string) => Promise<unknown>;
}

/** Changes, each followed by a reload. */
export function useKeyChanges(): KeyChanges {
  const { client } = useServices();
  const queries = useQueryClient();
  return useMemo(() => {
    const calls = clientKeyCalls(client);
    const then = async <T>(work: Promise<T>): Promise<T> => {
      try {
        return await work;
      } finally {
        await Promise.all(
          [CLIENT_KEYS, 'aliases', 'palette'].map((name) => queries.invalidateQueries({ queryKey: [name] })),
        );
      }
    };
    return {
      add: (key, names, again) => then(addKey(calls, key, names, again)),
      remove: (hash, dropAlias) => then(removeKey(calls, hash, dropAlias)),
      saveAlias: (hash, alias, takeFromOrphan) =>
        then(
          calls.saveAliases({
            items: [{ apiKeyHash: hash, alias }],
            ...(takeFromOrphan === null
              ? {}
              : { activeApiKeyHashes: [...takeFromOrphan], allowOrphanAliasCleanup: true }),
          }),
        ),
      removeAlias: (hash) => then(calls.removeAlias(hash)),
    };
  }, [client, queries]);
}
