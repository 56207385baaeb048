import {
  type AccountIdentity,
  accountIdentity,
  isStableIdentity,
  matchesIdentity,
} from '@manager/core/accounts/identity';
import type { Account } from './account.ts';

/** How a record of the manager names its account. */
export type RecordParts = Partial<AccountIdentity>;

/** Accounts by the names used in records. */
export interface AccountIndex {
  readonly files: ReadonlyMap<string, readonly Account[]>;
  readonly indices: ReadonlyMap<string, readonly Account[]>;
}

export function accountIndex(accounts: readonly Account[]): AccountIndex {
  const files = new Map<string, Account[]>();
  const indices = new Map<string, Account[]>();
  for (const account of accounts) {
    put(files, account.listed.name, account);
    if (account.listed.authIndex !== '') put(indices, account.listed.authIndex, account);
  }
  return { files, indices };
}

/**
 * Records by account. A record that names only a file counts if the file holds one account. `parts` returns the names in a
 * record.
 */
export function recordsByAccount<R>(
  { files, indices }: AccountIndex,
  records: readonly R[],
  parts: (record: R) => RecordParts,
): ReadonlyMap<string, readonly R[]> {
  const found = new Map<string, R[]>();
  for (const record of records) {
    const identity = accountIdentity(parts(record));
    const near =
      identity.authFileName === '' ? (indices.get(identity.authIndex) ?? []) : (files.get(identity.authFileName) ?? []);
    const isStable = isStableIdentity(identity);
    for (const account of near) {
      if (!matchesIdentity(account.listed, identity)) continue;
      if (isStable || near.length === 1) put(found, account.key, record);
    }
  }
  return found;
}

function put<V>(map: Map<string, V[]>, key: string, value: V): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}
