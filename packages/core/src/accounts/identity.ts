import { trimText } from '../json/text.ts';
import { normalizedProvider } from '../usage/account-key.ts';
import { sameProvider } from './provider.ts';

/** What a record knows of an account. '' = unknown. */
export interface AccountIdentity {
  /** Physical file name. */
  readonly authFileName: string;
  readonly runtimeId: string;
  readonly authIndex: string;
  readonly provider: string;
  readonly accountId: string;
  readonly accountSnapshot: string;
}

/** An account in an older record: runtime ids may have changed since. */
export type AccountRecord = Omit<AccountIdentity, 'runtimeId'>;

/** The members of a listed account that identify it. */
export interface AccountParts {
  /** '' on gateway versions that send none. */
  readonly runtimeId: string;
  /** Physical file name; several accounts may share it. */
  readonly name: string;
  readonly authIndex: string;
  readonly provider: string;
  readonly accountSnapshot: string;
  /** Every account or project id of the entry, the preferred one first: a record may hold any of them. */
  readonly accountIds: readonly string[];
  /** Display only. */
  readonly label?: string;
}

export type IdentityMismatch =
  | 'authFileName'
  | 'runtimeId'
  | 'authIndex'
  | 'provider'
  | 'accountId'
  | 'accountSnapshot';

const UNKNOWN: AccountIdentity = {
  authFileName: '',
  runtimeId: '',
  authIndex: '',
  provider: '',
  accountId: '',
  accountSnapshot: '',
};

/** Builds an identity: values trimmed, provider name normalized, a snapshot equal to the file name left out. */
export function accountIdentity(parts: Partial<AccountIdentity>): AccountIdentity {
  const given = { ...UNKNOWN, ...parts };
  const authFileName = trimText(given.authFileName);
  return {
    authFileName,
    runtimeId: trimText(given.runtimeId),
    authIndex: trimText(given.authIndex),
    provider: normalizedProvider(given.provider),
    accountId: trimText(given.accountId),
    accountSnapshot: directSnapshot(given.accountSnapshot, authFileName),
  };
}

/** A record in its stored and compared form. */
export function accountRecord(parts: Partial<AccountIdentity>): AccountRecord {
  const { runtimeId: _runtimeId, ...record } = accountIdentity(parts);
  return record;
}

export function identityOf(account: AccountParts): AccountIdentity {
  return accountIdentity({
    authFileName: account.name,
    runtimeId: account.runtimeId,
    authIndex: account.authIndex,
    provider: account.provider,
    accountId: account.accountIds[0] ?? '',
    accountSnapshot: account.accountSnapshot,
  });
}

/** Drops a snapshot that repeats the file name, because it does not identify the account. */
export function directSnapshot(accountSnapshot: string, fileName: string): string {
  const snapshot = trimText(accountSnapshot);
  return snapshot === trimText(fileName) ? '' : snapshot;
}

/** Automatic and queued actions need a stable identity. */
export function isStableIdentity(
  identity: Pick<AccountIdentity, 'authFileName' | 'authIndex' | 'accountId' | 'accountSnapshot'>,
): boolean {
  return (
    trimText(identity.authIndex) !== '' ||
    trimText(identity.accountId) !== '' ||
    directSnapshot(identity.accountSnapshot, identity.authFileName) !== ''
  );
}

/** The first known member of the record that the listed account does not have; null when it is that account. */
export function identityMismatch(account: AccountParts, record: AccountIdentity): IdentityMismatch | null {
  if (record.authFileName !== '' && record.authFileName !== account.name) return 'authFileName';
  if (record.runtimeId !== '' && record.runtimeId !== account.runtimeId) return 'runtimeId';
  if (record.authIndex !== '' && record.authIndex !== account.authIndex) return 'authIndex';
  if (record.provider !== '' && !sameProvider(record.provider, account.provider)) return 'provider';
  if (record.accountId !== '') return account.accountIds.includes(record.accountId) ? null : 'accountId';
  const snapshot = directSnapshot(record.accountSnapshot, record.authFileName || account.name);
  // A display name may change, an id does not: the snapshot counts only where no id is known.
  if (snapshot === '' || snapshot === account.accountSnapshot) return null;
  // Where no account name is listed, events use the label. It is not unique, but it agrees with the index.
  const isLabel = account.accountSnapshot === '' && snapshot === account.label;
  return isLabel && record.authIndex !== '' ? null : 'accountSnapshot';
}

/** @example matchesIdentity(row, credentialIdentity({ authFileName: 'a.json', authIndex: 'ix-1' })) */
export function matchesIdentity(account: AccountParts, record: AccountIdentity): boolean {
  return identityMismatch(account, record) === null;
}

/**
 * Whether a listed account is the account of an older record: a result of a run, or a row that says who disabled it.
 * Ignores runtime ids, which may have changed since; stricter about all other members.
 */
export function matchesAccountRecord(account: AccountParts, record: AccountRecord): boolean {
  if (record.authFileName === '' || record.authFileName !== account.name) return false;
  if (record.provider === '' || !sameProvider(record.provider, account.provider)) return false;
  if (record.authIndex !== '' && record.authIndex !== account.authIndex) return false;
  if (record.accountId !== '') return account.accountIds.includes(record.accountId);
  const snapshot = directSnapshot(record.accountSnapshot, record.authFileName);
  return snapshot === '' ? record.authIndex !== '' : snapshot === account.accountSnapshot;
}

/**
 * Whether two records may be the same account: no strong identifier contradicts. Records with fewer members match too:
 * a miss costs the operator one click, a wrong match would undo their change.
 */
export function couldBeSameAccount(record: AccountRecord, account: AccountRecord): boolean {
  if (record.authFileName !== account.authFileName) return false;
  const providers = [record.provider, account.provider] as const;
  if (!providers.includes('') && !sameProvider(...providers)) return false;
  for (const part of ['authIndex', 'accountId', 'accountSnapshot'] as const) {
    if (record[part] !== '' && account[part] !== '') return record[part] === account[part];
  }
  return true;
}
