import type { ProviderUsage } from '../../usage/metadata-schema.ts';
import { type AccountIdentity, accountIdentity, directSnapshot } from '../identity.ts';
import { isCooldownOwner } from './owners.ts';

/** Stored members of a cooldown. '' = unknown. */
export interface CooldownFields {
  readonly file: string;
  readonly authIndex: string;
  readonly provider: string;
  readonly accountSnapshot: string;
  /** A newer version may have stored an owner that this one does not know. */
  readonly owner: string;
  readonly reasonCode: string;
  readonly windowKind: string;
  readonly evidence: ProviderUsage | null;
  readonly eventHash: string;
  /** The account was disabled before the cooldown: the end of the cooldown must not enable it. */
  readonly preDisabledState: boolean;
  readonly recoverAtMs: number;
  readonly disabledAtMs: number;
}

export interface CooldownRow extends CooldownFields {
  readonly id: number;
}

type Subject = Pick<CooldownRow, 'file' | 'authIndex' | 'provider' | 'accountSnapshot'>;

/** The identity that a listed account must have before the cooldown may change it. */
export function cooldownIdentity(subject: Subject): AccountIdentity {
  const { file, authIndex, provider, accountSnapshot } = subject;
  return accountIdentity({ authFileName: file, authIndex, provider, accountSnapshot });
}

/** An index, or provider and account together, identify one account of a file. */
export function isCertain(subject: Subject): boolean {
  const named = subject.provider !== '' && directSnapshot(subject.accountSnapshot, subject.file) !== '';
  return subject.authIndex !== '' || named;
}

/** Unique among the open cooldowns of one file and owner. */
export function cooldownIdentityKey(subject: Subject): string {
  if (subject.authIndex !== '') return JSON.stringify(['index', subject.authIndex]);
  return JSON.stringify(['account', subject.provider, subject.accountSnapshot]);
}

/** Whether the row is about that account: by its index, else by provider and account. */
export function isCooldownOf(row: Subject, subject: Subject): boolean {
  if (row.file !== subject.file) return false;
  if (row.authIndex !== '') return row.authIndex === subject.authIndex;
  return (
    row.accountSnapshot !== '' && row.provider === subject.provider && row.accountSnapshot === subject.accountSnapshot
  );
}

/** Why the end of a cooldown must not enable its account, whatever the gateway lists; null = it may. */
export function endRefusal(row: CooldownFields): string | null {
  if (!isCooldownOwner(row.owner)) return 'unknown owner';
  if (row.preDisabledState) return 'the account was already disabled before the cooldown';
  return isCertain(row) ? null : 'the account cannot be identified with certainty';
}
