import { identityOf } from '@manager/core/accounts/identity';
import type { AccountScope } from '../../../gateway/claims/claim.ts';
import { rowsOfName } from '../../../gateway/claims/wanted-change.ts';
import type { AuthFileReader } from './plan.ts';

/**
 * The scope of a request that names accounts only in the gateway's own way: by runtime id or file name. All accounts when that
 * is ambiguous: nothing may be enabled automatically over a manual decision.
 */
export async function namedScope(
  reader: AuthFileReader,
  names: readonly string[],
  reach: 'credential' | 'file',
): Promise<AccountScope> {
  const rows = await reader.list().catch(() => []);
  const reached = names.map((name) => rowsOfName(rows, name));
  if (reached.length === 0 || reached.some((found) => found.length === 0)) return { kind: 'all' };
  const named = reached.flat();
  // A source row switches every account in its file.
  const isFile = reach === 'file' || named.some((row) => row.runtimeId === '' || row.runtimeId === row.name);
  return isFile
    ? { kind: 'files', fileNames: [...new Set(named.map((row) => row.name))] }
    : { kind: 'accounts', accounts: named.map(identityOf) };
}
