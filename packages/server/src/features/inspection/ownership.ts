import { type CredentialIdentity, credentialIdentity } from '@manager/core/accounts/identity';
import type { OwnershipRecord } from '@manager/core/accounts/inspection/ownership';

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
