import { trimText } from '../json/text.ts';
import { normalizedProvider } from '../usage/account-key.ts';
import { sameProvider } from './provider.ts';

/** What a record knows of a credential. '' = not known. */
export interface CredentialIdentity {
  /** Physical file name. */
  readonly authFileName: string;
  readonly runtimeId: string;
  readonly authIndex: string;
  readonly provider: string;
  readonly accountId: string;
  readonly accountSnapshot: string;
}

/** An account as an older record knows it: runtime ids may have changed since. */
export type AccountRecord = Omit<CredentialIdentity, 'runtimeId'>;

/** The parts of a live credential that identify it. */
export interface CredentialParts {
  /** '' on upstream versions that send none. */
  readonly runtimeId: string;
  /** Physical file name; several credentials may share it. */
  readonly name: string;
  readonly authIndex: string;
  readonly provider: string;
  readonly accountSnapshot: string;
  /** Every account or project id of the entry: a record may know any one of them. The first one is preferred. */
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

const UNKNOWN: CredentialIdentity = {
  authFileName: '',
  runtimeId: '',
  authIndex: '',
  provider: '',
  accountId: '',
  accountSnapshot: '',
};

/** An identity of the given parts: trimmed, the provider under its one name, a snapshot that is the file name left out. */
export function credentialIdentity(parts: Partial<CredentialIdentity>): CredentialIdentity {
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

/** A record in the form in which it is stored and compared. */
export function accountRecord(parts: Partial<CredentialIdentity>): AccountRecord {
  const { runtimeId: _runtimeId, ...record } = credentialIdentity(parts);
  return record;
}

export function identityOf(credential: CredentialParts): CredentialIdentity {
  return credentialIdentity({
    authFileName: credential.name,
    runtimeId: credential.runtimeId,
    authIndex: credential.authIndex,
    provider: credential.provider,
    accountId: credential.accountIds[0] ?? '',
    accountSnapshot: credential.accountSnapshot,
  });
}

/** A snapshot that repeats the file name tells nothing about the account: ''. */
export function directSnapshot(accountSnapshot: string, fileName: string): string {
  const snapshot = trimText(accountSnapshot);
  return snapshot === trimText(fileName) ? '' : snapshot;
}

/** Nothing automatic or queued may act on an identity that is not stable. */
export function isStableIdentity(
  identity: Pick<CredentialIdentity, 'authFileName' | 'authIndex' | 'accountId' | 'accountSnapshot'>,
): boolean {
  return (
    trimText(identity.authIndex) !== '' ||
    trimText(identity.accountId) !== '' ||
    directSnapshot(identity.accountSnapshot, identity.authFileName) !== ''
  );
}

/** The first known part of the record that the live credential does not have; null when it is that credential. */
export function identityMismatch(credential: CredentialParts, record: CredentialIdentity): IdentityMismatch | null {
  if (record.authFileName !== '' && record.authFileName !== credential.name) return 'authFileName';
  if (record.runtimeId !== '' && record.runtimeId !== credential.runtimeId) return 'runtimeId';
  if (record.authIndex !== '' && record.authIndex !== credential.authIndex) return 'authIndex';
  if (record.provider !== '' && !sameProvider(record.provider, credential.provider)) return 'provider';
  if (record.accountId !== '') return credential.accountIds.includes(record.accountId) ? null : 'accountId';
  const snapshot = directSnapshot(record.accountSnapshot, record.authFileName || credential.name);
  // A label of the account may change, its id does not: the snapshot decides only where no id is known.
  if (snapshot === '' || snapshot === credential.accountSnapshot) return null;
  // Where no account is listed events name the label in its place. It tells no credential from another, but agrees with the index.
  const isLabel = credential.accountSnapshot === '' && snapshot === credential.label;
  return isLabel && record.authIndex !== '' ? null : 'accountSnapshot';
}

/** @example matchesIdentity(row, credentialIdentity({ authFileName: 'a.json', authIndex: 'ix-1' })) */
export function matchesIdentity(credential: CredentialParts, record: CredentialIdentity): boolean {
  return identityMismatch(credential, record) === null;
}

/**
 * Whether a live credential is the account of an older record: a result of a run or a row that says who disabled it. Looser
 * than an identity about runtime ids, which may have changed since, and stricter about the rest.
 */
export function matchesAccountRecord(credential: CredentialParts, record: AccountRecord): boolean {
  if (record.authFileName === '' || record.authFileName !== credential.name) return false;
  if (record.provider === '' || !sameProvider(record.provider, credential.provider)) return false;
  if (record.authIndex !== '' && record.authIndex !== credential.authIndex) return false;
  if (record.accountId !== '') return credential.accountIds.includes(record.accountId);
  const snapshot = directSnapshot(record.accountSnapshot, record.authFileName);
  return snapshot === '' ? record.authIndex !== '' : snapshot === credential.accountSnapshot;
}

/**
 * Whether a record may speak of the credential that another one names: nothing that tells accounts apart most surely says
 * otherwise. Records that know less fit as well: one too few costs a person a click, one too many undoes what they did.
 */
export function mayMean(record: AccountRecord, credential: AccountRecord): boolean {
  if (record.authFileName !== credential.authFileName) return false;
  const providers = [record.provider, credential.provider] as const;
  if (!providers.includes('') && !sameProvider(...providers)) return false;
  for (const part of ['authIndex', 'accountId', 'accountSnapshot'] as const) {
    if (record[part] !== '' && credential[part] !== '') return record[part] === credential[part];
  }
  return true;
}
