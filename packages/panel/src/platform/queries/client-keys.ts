import type { AliasesPutRequest, AliasesResponse } from '@manager/core/contract/client-keys';
import { listAt } from '../api/answer-list.ts';
import type { Client } from '../api/client.ts';
import { sha256Hex } from '../sha256.ts';

const PATH = 'v0/management/api-keys';
const ALIASES_PATH = 'v0/management/api-key-aliases';

/** First part of the query key of the gateway's list. It holds the keys themselves, in memory only. */
export const CLIENT_KEYS = 'client-keys';

/** A client key as the gateway lists it. */
export interface ClientKey {
  /** Position in the gateway's list, which deletion uses. */
  readonly index: number;
  readonly key: string;
  /** SHA-256, which events, aliases and addresses use as its name. */
  readonly hash: string;
}

/** Keys of the gateway's list, each with its position in the whole list. */
export async function listClientKeys(
  client: Client,
  signal?: AbortSignal,
): Promise<readonly Omit<ClientKey, 'hash'>[]> {
  const list = await listAt(client, PATH, 'api-keys', { signal });
  return list.flatMap((key, index) => (typeof key === 'string' && key.trim() !== '' ? [{ index, key }] : []));
}

export type ClientKeyCalls = ReturnType<typeof clientKeyCalls>;

/** Requests about client keys. A key is sent in a body only, never in an address. */
export function clientKeyCalls(client: Client) {
  return {
    list: async (signal?: AbortSignal): Promise<readonly ClientKey[]> => {
      const keys = await listClientKeys(client, signal);
      return Promise.all(keys.map(async ({ index, key }) => ({ index, key, hash: await sha256Hex(key.trim()) })));
    },
    /** Replacing a key by itself appends it when missing, so that concurrent changes of the list are kept. */
    append: (key: string) => client.call<unknown>(PATH, { method: 'PATCH', body: { old: key, new: key } }),
    remove: (index: number) => client.call<unknown>(`${PATH}?index=${index}`, { method: 'DELETE' }),
    aliases: async (): Promise<ReadonlyMap<string, string>> => {
      const { items } = await client.call<AliasesResponse>(ALIASES_PATH);
      return new Map(items.map(({ apiKeyHash, alias }) => [apiKeyHash, alias]));
    },
    saveAliases: (body: AliasesPutRequest) => client.call<AliasesResponse>(ALIASES_PATH, { method: 'PUT', body }),
    removeAlias: (hash: string) => client.call<unknown>(`${ALIASES_PATH}/${hash}`, { method: 'DELETE' }),
  };
}
