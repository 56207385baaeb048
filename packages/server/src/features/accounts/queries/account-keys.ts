import { accountKey } from '@manager/core/usage/account-key';
import { IDENTITY_COLUMNS } from '../../../facts/answers/identity-columns.ts';
import type { SymbolTable } from '../../../facts/symbols.ts';

/**
 * Account key of a tuple of symbols in the order of `IDENTITY_COLUMNS`.
 *
 * @param name of the tuple, if known: its ids, joined
 */
export type AccountKeys = (ids: readonly number[], name?: string) => string;

/** Cached tuples; far more than the accounts of a gateway. */
const MAX_KNOWN = 50_000;

const known = new WeakMap<SymbolTable, AccountKeys>();

/** Symbols never change, so the key of a tuple is computed once for each symbol table. */
export function accountKeysOf(symbols: SymbolTable): AccountKeys {
  let keys = known.get(symbols);
  if (keys === undefined) {
    keys = rememberKeys(symbols);
    known.set(symbols, keys);
  }
  return keys;
}

function rememberKeys(symbols: SymbolTable): AccountKeys {
  const keyOf = new Map<string, string>();
  return (ids, name = ids.join()) => {
    const remembered = keyOf.get(name);
    if (remembered !== undefined) return remembered;
    if (keyOf.size >= MAX_KNOWN) keyOf.clear();
    const text = (column: (typeof IDENTITY_COLUMNS)[number]) =>
      symbols.text(ids[IDENTITY_COLUMNS.indexOf(column)] ?? 0);
    const key = accountKey({
      auth_file_snapshot: text('auth_file_snapshot'),
      auth_index: text('auth_index'),
      auth_project_id_snapshot: text('auth_project_id_snapshot'),
      auth_provider_snapshot: text('auth_provider_snapshot'),
      auth_label_snapshot: text('auth_label_snapshot'),
      account_snapshot: text('account_snapshot'),
      provider: text('provider'),
      source: text('source'),
    });
    keyOf.set(name, key);
    return key;
  };
}
