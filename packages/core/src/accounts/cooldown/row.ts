import type { ProviderUsage } from '../../usage/metadata-schema.ts';
import { type CredentialIdentity, credentialIdentity, directSnapshot } from '../identity.ts';

/**
 * `pending`: written before the upstream was asked to disable the credential, so that a crash between the two loses nothing.
 * `recovered` and `skipped` are final.
 */
export const COOLDOWN_STATUSES = ['pending', 'active', 'recovered', 'skipped'] as const;
export type CooldownStatus = (typeof COOLDOWN_STATUSES)[number];

/** A stored cooldown. '' = not known. */
export interface CooldownRow {
  readonly id: number;
  readonly status: CooldownStatus;
  readonly file: string;
  readonly authIndex: string;
  readonly provider: string;
  readonly accountSnapshot: string;
  /** Text as stored: a later version may have written an owner that this one does not know. */
  readonly owner: string;
  readonly reasonCode: string;
  readonly windowKind: string;
  readonly evidence: ProviderUsage | null;
  readonly eventHash: string;
  /** The credential was disabled before the cooldown; then ending the cooldown must not enable it. */
  readonly preDisabledState: boolean;
  readonly recoverAtMs: number;
  readonly disabledAtMs: number;
  readonly recoveredAtMs: number | null;
  readonly lastError: string;
  /** Failed attempts to end the cooldown since it was last changed. */
  readonly failedAttempts: number;
  /** Before this time no further attempt is made; not before `recoverAtMs`. */
  readonly nextAttemptAtMs: number;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

type Subject = Pick<CooldownRow, 'file' | 'authIndex' | 'provider' | 'accountSnapshot'>;

/** The identity that a live credential must have before the cooldown may change it. */
export function cooldownIdentity(subject: Subject): CredentialIdentity {
  const { file, authIndex, provider, accountSnapshot } = subject;
  return credentialIdentity({ authFileName: file, authIndex, provider, accountSnapshot });
}

/** An index, or provider and account together, name one credential of a file for certain. */
export function isCertain(subject: Subject): boolean {
  const named = subject.provider !== '' && directSnapshot(subject.accountSnapshot, subject.file) !== '';
  return subject.authIndex !== '' || named;
}

/** Unique among the pending and active cooldowns of one file and owner. */
export function cooldownIdentityKey(subject: Subject): string {
  if (subject.authIndex !== '') return JSON.stringify(['index', subject.authIndex]);
  return JSON.stringify(['account', subject.provider, subject.accountSnapshot]);
}

/** Whether the row speaks of that credential: by its index, or where it has none by provider and account. */
export function isCooldownOf(row: Subject, subject: Subject): boolean {
  if (row.file !== subject.file) return false;
  if (row.authIndex !== '') return row.authIndex === subject.authIndex;
  return (
    row.accountSnapshot !== '' && row.provider === subject.provider && row.accountSnapshot === subject.accountSnapshot
  );
}

/** A change that a person made through the manager: of one credential, of a whole file or of all files. */
export type ManualChange =
  | { readonly kind: 'credential'; readonly subject: Subject }
  | { readonly kind: 'file'; readonly file: string }
  | { readonly kind: 'all' };

/** Last error of a cooldown that such a change closes as skipped. */
export const MANUAL_CHANGE = 'manual change';

/**
 * Whether the change closes the cooldown; without that, what a person disabled would be enabled when the cooldown ends. A row
 * that knows its credential less well than the change does is closed too: nothing may act over a person's decision.
 */
export function isClosedBy(row: Subject, change: ManualChange): boolean {
  if (change.kind === 'all') return true;
  if (change.kind === 'file') return row.file === change.file;
  const { subject } = change;
  if (isCooldownOf(row, subject)) return true;
  if (row.file !== subject.file || (row.authIndex !== '' && subject.authIndex !== '')) return false;
  return (
    subject.accountSnapshot === '' || row.accountSnapshot === '' || row.accountSnapshot === subject.accountSnapshot
  );
}
