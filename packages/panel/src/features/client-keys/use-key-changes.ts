import { useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useServices } from '../../platform/api/services.ts';
import { CLIENT_KEYS, clientKeyCalls } from '../../platform/queries/client-keys.ts';
import {
  type AddOutcome,
  addKey,
  type NameChange,
  type NameOutcome,
  type NewKeyNames,
  type RemoveOutcome,
  removeKey,
  saveName,
} from './key-changes.ts';

export interface KeyChanges {
  /** @param again an earlier attempt may have added it */
  readonly add: (key: string, names: NewKeyNames | null, again: boolean) => Promise<AddOutcome>;
  readonly remove: (hash: string, dropAlias: boolean) => Promise<RemoveOutcome>;
  readonly saveName: (change: NameChange) => Promise<NameOutcome>;
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
      saveName: (change) => then(saveName(calls, change)),
    };
  }, [client, queries]);
}
