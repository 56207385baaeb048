import { isRecord, readStored, writeStored } from '../browser/storage.ts';
import { sha256HexSync } from '../sha256.ts';
import { createStore, useStore } from '../store.ts';
import type { Account } from './account.ts';

/** Maximum length of a label, and maximum number per account. */
const MAX_LENGTH = 40;
const MAX_TAGS = 20;

/** Labels by account; kept in this browser, under a name that reveals nothing about the account. */
export type Tags = ReadonlyMap<string, readonly string[]>;

/** The file stays the same when the gateway changes its indexes. */
function tagKey({ listed }: Account): string {
  return sha256HexSync(`${listed.name}\n${listed.runtimeId}`).slice(0, 16);
}

export function parseTags(stored: unknown): Tags {
  if (!isRecord(stored)) return new Map();
  return new Map(
    Object.entries(stored).flatMap(([key, value]) => {
      const labels = Array.isArray(value) ? cleanTags(value.filter((one) => typeof one === 'string')) : [];
      return labels.length === 0 ? [] : [[key, labels]];
    }),
  );
}

/** Trimmed, without duplicates, in order. */
export function cleanTags(labels: readonly string[]): readonly string[] {
  const clean = labels.map((label) => label.trim().replace(/\s+/g, ' ').slice(0, MAX_LENGTH)).filter(Boolean);
  return [...new Set(clean)].sort((left, right) => left.localeCompare(right)).slice(0, MAX_TAGS);
}

const tagStore = createStore<Tags>(parseTags(readStored('browser', 'tags')));

export function useTags(): Tags {
  return useStore(tagStore);
}

/** Labels of the listed accounts by their keys of this list. */
export function tagsByAccount(accounts: readonly Account[], tags: Tags): ReadonlyMap<string, readonly string[]> {
  if (tags.size === 0) return new Map();
  return new Map(
    accounts.flatMap((account) => {
      const labels = tags.get(tagKey(account));
      return labels === undefined ? [] : [[account.key, labels]];
    }),
  );
}

/** Sets the accounts' labels to the result of `change`. */
export function changeTags(
  accounts: readonly Account[],
  change: (labels: readonly string[]) => readonly string[],
): void {
  // Another tab may have changed some since this one read them.
  const next = new Map(parseTags(readStored('browser', 'tags')));
  for (const account of accounts) {
    const key = tagKey(account);
    const labels = cleanTags(change(next.get(key) ?? []));
    if (labels.length === 0) next.delete(key);
    else next.set(key, labels);
  }
  tagStore.set(next);
  writeStored('browser', 'tags', Object.fromEntries(next));
}
