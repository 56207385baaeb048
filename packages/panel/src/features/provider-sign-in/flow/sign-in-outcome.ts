import type { Account } from '../../../platform/accounts/account.ts';
import { isOf, type SignInProvider } from '../providers.ts';

/** What a sign-in changed in the list of accounts. */
export type Outcome =
  /** A file that was not there. `instead`: another account than the one that was to be signed in again. */
  | { readonly kind: 'added'; readonly account: Account; readonly instead: boolean }
  | { readonly kind: 'replaced'; readonly account: Account; readonly instead: boolean }
  /** Several accounts of the provider changed at once. */
  | { readonly kind: 'several'; readonly accounts: readonly Account[] }
  /** Accepted, but nothing in the list has changed. */
  | { readonly kind: 'unseen' }
  /** Accepted, but the list could not be read. */
  | { readonly kind: 'unread' };

/** Members that change while an account is only used. */
const USE_MEMBERS = new Set([
  'success',
  'failed',
  'recent_requests',
  'status',
  'status_message',
  'unavailable',
  'next_retry_after',
  'disabled',
]);

const nameOf = ({ listed }: Account): string => JSON.stringify([listed.name, listed.runtimeId, listed.authIndex]);

const contentOf = ({ entry }: Account): string =>
  JSON.stringify(Object.entries(entry).filter(([member]) => !USE_MEMBERS.has(member)));

/**
 * Compares the list before and after a sign-in; null = nothing of this provider has changed yet.
 *
 * @param expected key of the account that was to be signed in again; '' = any
 */
export function compareAccounts(
  before: readonly Account[],
  after: readonly Account[],
  provider: SignInProvider,
  expected: string,
): Outcome | null {
  const known = new Map(before.map((account) => [nameOf(account), account]));
  const ours = after.filter(({ listed }) => isOf(provider, listed.provider));
  const added = ours.filter((account) => !known.has(nameOf(account)));
  const changed = ours.filter((account) => {
    const old = known.get(nameOf(account));
    return old !== undefined && contentOf(old) !== contentOf(account);
  });
  const meant = before.find(({ key }) => key === expected);
  const again = meant && changed.find((account) => nameOf(account) === nameOf(meant));
  // Meanwhile the gateway may refresh tokens of other accounts: the one that was meant, or a new one, is the likelier result.
  if (again !== undefined) return { kind: 'replaced', account: again, instead: false };
  const [first, ...others] = added.length > 0 ? added : changed;
  if (first === undefined) return null;
  if (others.length > 0) return { kind: 'several', accounts: [first, ...others] };
  // A file of another name may hold the same account.
  const instead = meant !== undefined && meant.name !== first.name;
  return { kind: added.length > 0 ? 'added' : 'replaced', account: first, instead };
}
