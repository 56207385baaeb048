import type { FactColumn } from '../columns.ts';
import type { SymbolTable } from '../symbols.ts';
import type { AccountParts } from './identity.ts';

/** All columns that identify who served an event, as one tuple: rows of all lists are sums over such tuples. */
export const IDENTITY_COLUMNS = [
  'account_snapshot',
  'auth_label_snapshot',
  'source',
  'auth_index',
  'source_hash',
  'auth_provider_snapshot',
  'provider',
  'auth_file_snapshot',
  'auth_project_id_snapshot',
] as const satisfies readonly FactColumn[];

export interface Identity extends AccountParts {
  readonly file: string;
  readonly project: string;
}

export type IdentityField = keyof Identity;

/** @param ids symbols in the order of `IDENTITY_COLUMNS` */
export function identityOf(ids: readonly number[], symbols: SymbolTable): Identity {
  const [account = '', label = '', source = '', authIndex = '', sourceHash = '', snapshot = '', provider = ''] =
    ids.map(symbols.text);
  const [file = '', project = ''] = ids.slice(7).map(symbols.text);
  return {
    account,
    label,
    source,
    authIndex,
    sourceHash,
    provider: snapshot !== '' ? snapshot : provider,
    file,
    project,
  };
}
