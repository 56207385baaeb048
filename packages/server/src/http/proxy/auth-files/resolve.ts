import { type AccountIdentity, matchesIdentity } from '@manager/core/accounts/identity';
import type { ListedAccount } from '@manager/core/accounts/listed-account';
import { AppError } from '@manager/core/contract/errors';

/** An account that was found and verified, and how much of its file it represents. */
export interface ResolvedTarget {
  readonly row: ListedAccount;
  readonly scope: 'credential' | 'source-file';
  /** All accounts of the same physical file. */
  readonly members: readonly ListedAccount[];
}

/**
 * Finds the one listed account of a selector. A runtime id wins over a file name, and a given index must match.
 *
 * @throws AppError 404 when there is none, 409 when it is ambiguous or not the expected one.
 */
export function resolveAccount(
  rows: readonly ListedAccount[],
  selector: string,
  expected: AccountIdentity,
): ResolvedTarget {
  const byId = rows.filter((row) => row.runtimeId !== '' && row.runtimeId === selector);
  const named = byId.length > 0 ? byId : rows.filter((row) => row.name === selector);
  const candidates = named.filter((row) => expected.authIndex === '' || row.authIndex === expected.authIndex);
  if (candidates.length === 0) throw new AppError('auth_file_not_found');

  const matching = candidates.filter((row) => matchesIdentity(row, expected));
  const [row] = matching;
  if (!row) throw new AppError('account_changed');
  if (matching.length > 1 || row.runtimeId === '') throw new AppError('account_ambiguous');
  refuseNameCollision(rows, row.name);

  const members = rows.filter((other) => other.name === row.name);
  const sources = members.filter((member) => member.runtimeId === row.name);
  if (members.length === 1 || sources.length === 0) return { row, scope: 'credential', members };
  if (sources.length > 1 || sources[0] !== row) throw new AppError('account_ambiguous');
  return { row, scope: 'source-file', members };
}

/**
 * The members of a physical file, matched one to one with the expected identities.
 *
 * @throws AppError 404 when the file is gone, 409 when its members are not the expected ones.
 */
export function resolveFile(
  rows: readonly ListedAccount[],
  expected: readonly AccountIdentity[],
): readonly ListedAccount[] {
  const name = expected[0]?.authFileName ?? '';
  if (expected.some((identity) => identity.authFileName !== name)) throw new AppError('auth_file_selection_conflict');
  const members = rows.filter((row) => row.name === name);
  if (members.length === 0) throw new AppError('auth_file_not_found');
  refuseNameCollision(rows, name);

  const ids = new Set(members.map((member) => member.runtimeId));
  if (ids.has('') || ids.size !== members.length) throw new AppError('account_ambiguous');
  const left = new Set(members);
  for (const identity of expected) {
    const matching = [...left].filter((member) => matchesIdentity(member, identity));
    const [member] = matching;
    if (!member || (matching.length > 1 && identity.runtimeId === '')) throw new AppError('account_changed');
    left.delete(member);
  }
  if (left.size > 0) throw new AppError('account_changed');
  return members;
}

/** A file name that is also another file's runtime id would make the gateway change the wrong one. */
function refuseNameCollision(rows: readonly ListedAccount[], name: string): void {
  if (rows.some((row) => row.runtimeId === name && row.name !== name)) throw new AppError('account_ambiguous');
}
