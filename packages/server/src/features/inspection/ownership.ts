import { type CredentialIdentity, credentialIdentity } from '@manager/core/accounts/identity';
import type { OwnershipRecord } from '@manager/core/accounts/inspection/ownership';
import { sameProvider } from '@manager/core/accounts/provider';

/** A credential that an inspection disables. */
export type OwnershipWrite = OwnershipRecord;

export interface OwnershipRow extends OwnershipRecord {
  readonly id: number;
  /** Pending: stored before the upstream was told; whether it was disabled is not known. */
  readonly state: 'pending' | 'owned';
  readonly createdAtMs: number;
}

/** Whose rows. */
export type OwnershipScope =
  | { readonly kind: 'all' }
  | { readonly kind: 'files'; readonly fileNames: readonly string[] }
  | { readonly kind: 'credentials'; readonly identities: readonly OwnershipRecord[] };

/** A record in the form in which it is stored and compared. */
export function ownershipRecord(parts: Partial<CredentialIdentity>): OwnershipRecord {
  const { runtimeId: _runtimeId, ...record } = credentialIdentity(parts);
  return record;
}

/**
 * Whether a row may speak of the credential: nothing that tells accounts apart most surely says otherwise. Rows that know less
 * than the caller fit as well: a row too few costs a person a click, a row too many undoes what they did.
 */
export function mayOwn(row: OwnershipRecord, credential: OwnershipRecord): boolean {
  if (row.authFileName !== credential.authFileName) return false;
  if (row.provider !== '' && credential.provider !== '' && !sameProvider(row.provider, credential.provider))
    return false;
  for (const part of ['authIndex', 'accountId', 'accountSnapshot'] as const) {
    if (row[part] !== '' && credential[part] !== '') return row[part] === credential[part];
  }
  return true;
}
