import type { ClientKey, ClientKeyCalls } from '../../platform/queries/client-keys.ts';

/** Maximum number of equal entries to remove. */
const MAX_EQUAL = 20;

export type AddOutcome =
  /** `aliasError`: the key is stored, its name is not. */
  | { readonly kind: 'added'; readonly hash: string; readonly aliasError: unknown }
  | { readonly kind: 'listed' }
  /** The gateway confirmed the change and does not list the key. */
  | { readonly kind: 'missing' };

/** Names stored with a new key. */
export interface NewKeyNames {
  readonly own: string;
  /** Other keys renamed at the same time, such as the previous owner of the name. */
  readonly others: ReadonlyMap<string, string>;
  /** Keys in use: with them, a name may be taken from a key not among them. null = it must not. */
  readonly takeFromOrphan: readonly string[] | null;
}

/** Adds a key to the gateway's list, then names it. List and names are stored separately, so each can fail alone. */
export async function addKey(calls: ClientKeyCalls, typed: string, names: NewKeyNames | null): Promise<AddOutcome> {
  const key = typed.trim();
  if ((await calls.list()).some((listed) => listed.key === key)) return { kind: 'listed' };
  await calls.append(key);
  const added = (await calls.list()).find((listed) => listed.key === key);
  if (added === undefined) return { kind: 'missing' };
  const { hash } = added;
  if (names === null) return { kind: 'added', hash, aliasError: null };
  try {
    await calls.saveAliases({
      items: [
        { apiKeyHash: hash, alias: names.own },
        ...[...names.others].map(([apiKeyHash, alias]) => ({ apiKeyHash, alias })),
      ],
      ...(names.takeFromOrphan === null
        ? {}
        : { activeApiKeyHashes: [...names.takeFromOrphan, hash], allowOrphanAliasCleanup: true }),
    });
    return { kind: 'added', hash, aliasError: null };
  } catch (aliasError) {
    return { kind: 'added', hash, aliasError };
  }
}

export type RemoveOutcome =
  | { readonly kind: 'removed'; readonly aliasError: unknown }
  /** Somebody else has already removed it. */
  | { readonly kind: 'gone'; readonly aliasError: unknown };

/**
 * Removes a key. The gateway removes by position, so the list is read right before; it is read again afterwards, because the same
 * key may be listed several times.
 */
export async function removeKey(calls: ClientKeyCalls, hash: string, dropAlias: boolean): Promise<RemoveOutcome> {
  const place = (keys: readonly ClientKey[]) => keys.findLast((listed) => listed.hash === hash)?.index;
  let removed = 0;
  for (let index = place(await calls.list()); index !== undefined; index = place(await calls.list())) {
    if (removed === MAX_EQUAL) throw new Error('the gateway lists the key again after each removal');
    await calls.remove(index);
    removed += 1;
  }
  const kind = removed === 0 ? 'gone' : 'removed';
  if (!dropAlias) return { kind, aliasError: null };
  try {
    await calls.removeAlias(hash);
    return { kind, aliasError: null };
  } catch (aliasError) {
    return { kind, aliasError };
  }
}
