import { ApiError, mayComeLater } from '../../platform/api/errors.ts';
import { inTurn } from '../../platform/gateway/in-turn.ts';
import type { ClientKey, ClientKeyCalls } from '../../platform/queries/client-keys.ts';
import { strayedFrom } from './strayed-keys.ts';

/** Maximum number of removals of one key: equal entries, and attempts that others moved away. */
const MAX_REMOVALS = 20;
/** Changes of the list run one after the other, in every tab. */
const LIST = 'client-keys';
/** The manager's names of them. */
const NAMES = 'client-key-names';

export type AddOutcome =
  /** `aliasError`: the key is stored, its name is not. */
  | { readonly kind: 'added'; readonly hash: string; readonly aliasError: unknown }
  | { readonly kind: 'listed' }
  /** The gateway confirmed the change and does not list the key. */
  | { readonly kind: 'missing' }
  /** No answer, and the list does not show what came of it. */
  | { readonly kind: 'unknown' };

/** Names stored with a new key. */
export interface NewKeyNames {
  readonly own: string;
  /** Other keys renamed at the same time, such as the previous owner of the name. */
  readonly others: ReadonlyMap<string, string>;
  /** Keys in use: with them, a name may be taken from a key not among them. null = it must not. */
  readonly takeFromOrphan: readonly string[] | null;
}

/**
 * Adds a key to the gateway's list, then names it. List and names are stored separately, so each can fail alone. With `again`, an
 * earlier attempt may have added the key, so it is no other's when it is listed.
 *
 * @throws what the gateway answered, when the key was not added
 */
export async function addKey(
  calls: ClientKeyCalls,
  typed: string,
  names: NewKeyNames | null,
  again = false,
): Promise<AddOutcome> {
  const key = typed.trim();
  const found = await inTurn(LIST, () => append(calls, key, again));
  if (typeof found === 'string') return { kind: found };
  const { hash } = found;
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

async function append(
  calls: ClientKeyCalls,
  key: string,
  again: boolean,
): Promise<ClientKey | 'listed' | 'missing' | 'unknown'> {
  const find = async () => (await calls.list()).find((listed) => listed.key === key);
  const before = await find();
  if (before !== undefined) return again ? before : 'listed';
  const failure = await failureOf(calls.append(key));
  let after: ClientKey | undefined;
  try {
    after = await find();
  } catch {
    return 'unknown';
  }
  if (after !== undefined) return after;
  if (failure === null) return 'missing';
  if (mayComeLater(failure)) return 'unknown';
  throw failure;
}

/** What an answer reports after which the list has to be read; null = the change is confirmed. @throws a refusal */
async function failureOf(work: Promise<unknown>): Promise<unknown> {
  try {
    await work;
    return null;
  } catch (error) {
    if (isRefusal(error)) throw error;
    return error;
  }
}

/** The gateway read the request and did not carry it out. */
const isRefusal = (error: unknown): boolean =>
  error instanceof ApiError && error.kind === 'status' && error.status < 500;

export type NameOutcome =
  | { readonly kind: 'saved' }
  /** Somebody else has named the key meanwhile: nothing was written. */
  | { readonly kind: 'changed'; readonly alias: string }
  /** No answer, and the names cannot be read. */
  | { readonly kind: 'unknown' };

export interface NameChange {
  readonly hash: string;
  /** The name that the person saw; '' = none. */
  readonly seen: string;
  /** '' removes it. */
  readonly alias: string;
  /** Keys in use, when the name is to be taken from one that is not; null = it must be free. */
  readonly takeFromOrphan: readonly string[] | null;
}

/** Names a key. @throws what the manager answered, when nothing was stored */
export function saveName(
  calls: ClientKeyCalls,
  { hash, seen, alias, takeFromOrphan }: NameChange,
): Promise<NameOutcome> {
  return inTurn(NAMES, async () => {
    const now = (await calls.aliases()).get(hash) ?? '';
    if (now === alias) return { kind: 'saved' };
    if (now !== seen) return { kind: 'changed', alias: now };
    const failure = await failureOf(
      alias === ''
        ? calls.removeAlias(hash)
        : calls.saveAliases({
            items: [{ apiKeyHash: hash, alias }],
            ...(takeFromOrphan === null
              ? {}
              : { activeApiKeyHashes: [...takeFromOrphan], allowOrphanAliasCleanup: true }),
          }),
    );
    if (failure === null) return { kind: 'saved' };
    let stored: string;
    try {
      stored = (await calls.aliases()).get(hash) ?? '';
    } catch {
      return { kind: 'unknown' };
    }
    if (stored === alias) return { kind: 'saved' };
    if (mayComeLater(failure)) return { kind: 'unknown' };
    throw failure;
  });
}

export interface RemoveOutcome {
  /** `gone`: somebody else has already removed it. `unknown`: no answer, and the list does not show what came of it. */
  readonly kind: 'removed' | 'gone' | 'unknown';
  readonly aliasError: unknown;
  /** Other keys that a removal took instead, because the list moved at that moment; they are added again. */
  readonly restored: readonly ClientKey[];
  /** The same, but they could not be added again. */
  readonly lost: readonly ClientKey[];
}

/**
 * Removes a key. The gateway removes by position, and by value only with the key in the address, where logs keep it. So the
 * list is read before and after each removal: a key that went instead is added again, and the next removal goes by the new list.
 *
 * @throws what the gateway answered, when the key was not removed
 */
export async function removeKey(calls: ClientKeyCalls, hash: string, dropAlias: boolean): Promise<RemoveOutcome> {
  const outcome = await inTurn(LIST, () => removeListed(calls, hash));
  if (!dropAlias || outcome.kind === 'unknown') return outcome;
  try {
    await calls.removeAlias(hash);
    return outcome;
  } catch (aliasError) {
    return { ...outcome, aliasError };
  }
}

async function removeListed(calls: ClientKeyCalls, hash: string): Promise<RemoveOutcome> {
  const restored: ClientKey[] = [];
  const lost: ClientKey[] = [];
  const ended = (kind: RemoveOutcome['kind']): RemoveOutcome => ({ kind, aliasError: null, restored, lost });
  let keys = await calls.list();
  for (let removals = 0; ; removals += 1) {
    const index = keys.findLast((listed) => listed.hash === hash)?.index;
    if (index === undefined) return ended(removals === 0 ? 'gone' : 'removed');
    if (removals === MAX_REMOVALS) throw new Error('the gateway lists the key again after each removal');
    const before = keys;
    let failure: unknown;
    try {
      failure = await failureOf(calls.remove(index));
    } catch (refusal) {
      // The list may have become too short for the position.
      keys = await calls.list();
      if (keys.findLast((listed) => listed.hash === hash)?.index === index) throw refusal;
      continue;
    }
    try {
      keys = await calls.list();
    } catch {
      return ended('unknown');
    }
    for (const stray of strayedFrom(before, keys, { hash, index }, failure === null)) {
      const isBack = await calls.append(stray.key).then(
        () => true,
        () => false,
      );
      (isBack ? restored : lost).push(stray);
    }
    const count = (list: readonly ClientKey[]) => list.filter((listed) => listed.hash === hash).length;
    if (failure === null || count(keys) < count(before)) continue;
    if (mayComeLater(failure)) return ended('unknown');
    // Something else went instead: the next removal goes by the list that was just read.
    if (restored.length + lost.length === 0) throw failure;
  }
}
